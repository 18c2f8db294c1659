import { checkInstance, checkObject, checkOptions } from "@cl/base";
import { Context, type KernelArgumentLike } from "@cl/core";

import { Launcher } from "../launcher.js";
import { checkName, checkShared } from "../launcher-options.js";
import type { ElementwiseOptions } from "./elementwise-options.js";
import { ElementwiseMember, type ElementwisePlan, planElementwise } from "./elementwise-member.js";

/** Parameter values of a launch, by name. */
export type ElementwiseParameters<O> = O extends { readonly parameters: infer M }
  ? { readonly [Name in M extends readonly (infer N extends string)[] ? N : keyof M]: KernelArgumentLike }
  : {};

/**
 * Runs statements for each element of arrays. A list can fuse several of these into one kernel (`ListLauncher.fuse`).
 *
 * @example
 * ```ts
 * const decay = await ElementwiseLauncher.create("decay", context, {
 *   signature: "float *u, float rate, float dt",
 *   body: "u[i] -= rate * dt * u[i];",
 *   args: { u, rate: 0.5 },
 *   parameters: ["dt"],
 * });
 * decay.launch(queue, { dt: 0.1 });
 * ```
 */
export class ElementwiseLauncher<const O extends ElementwiseOptions = ElementwiseOptions> extends Launcher<
  ElementwiseParameters<O>
> {
  readonly #member: ElementwiseMember;

  private constructor(plan: ElementwisePlan) {
    const member = new ElementwiseMember(plan);
    super(plan.name, member, plan.options);
    this.#member = member;
  }

  /** Builds the kernel and creates the launcher. */
  static async create<const O extends ElementwiseOptions>(
    name: string,
    context: Context,
    options: O & { readonly signal?: AbortSignal },
  ): Promise<ElementwiseLauncher<O>> {
    const { signal, ...others } = checkObject<typeof options>(options);
    const plan = planFromOptions(name, context, others as ElementwiseOptions);
    await plan.program.build(signal === undefined ? {} : { signal });
    return new ElementwiseLauncher<O>(plan);
  }

  /** Like {@link create}, but blocks the event loop during the build. */
  static createSync<const O extends ElementwiseOptions>(
    name: string,
    context: Context,
    options: O,
  ): ElementwiseLauncher<O> {
    const plan = planFromOptions(name, context, options);
    plan.program.buildSync();
    return new ElementwiseLauncher<O>(plan);
  }

  /** Number of elements. */
  get length(): number {
    return this.#member.length;
  }

  /** Arrays that are only accessed at element `i`, which allows fusing. */
  get elementwiseArrays(): readonly string[] {
    return [...this.#member.operation.elementwise];
  }
}

function planFromOptions(name: string, context: Context, options: ElementwiseOptions): ElementwisePlan {
  checkName(name);
  checkInstance(context, Context, "context");
  const checked = checkOptions(options as ElementwiseOptions | undefined, [
    "signature",
    "body",
    "preamble",
    "args",
    "parameters",
    "length",
    "local",
    "queue",
    "profiler",
    "tracer",
  ]);
  checkShared(checked);
  return planElementwise(name, context, checked);
}
