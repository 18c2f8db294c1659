import { checkInstance, checkObject, checkOptions } from "@cl/base";
import { Context, type KernelArgumentLike } from "@cl/core";

import { Launcher } from "../launcher.js";
import { checkName, checkShared } from "../launcher-options.js";
import type { ElementwiseOptions } from "./elementwise-options.js";
import { ElementwiseMember, type ElementwisePlan, planElementwise } from "./elementwise-member.js";

/** The values that a launch needs, by the parameters' names. */
export type ElementwiseParameters<O> = O extends { readonly parameters: infer M }
  ? { readonly [Name in M extends readonly (infer N extends string)[] ? N : keyof M]: KernelArgumentLike }
  : {};

/**
 * Statements that run for each element of some arrays. A list can run several of them as one kernel (`ListLauncher.fuse`).
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

  /** Builds the kernel and makes the launcher. */
  static async create<const O extends ElementwiseOptions>(
    name: string,
    context: Context,
    options: O & { readonly signal?: AbortSignal },
  ): Promise<ElementwiseLauncher<O>> {
    const { signal, ...others } = checkObject<typeof options>(options);
    const plan = planned(name, context, others as ElementwiseOptions);
    await plan.program.build(signal === undefined ? {} : { signal });
    return new ElementwiseLauncher<O>(plan);
  }

  /** Like {@link create}, and blocks the event loop while the kernel is built. */
  static createSync<const O extends ElementwiseOptions>(
    name: string,
    context: Context,
    options: O,
  ): ElementwiseLauncher<O> {
    const plan = planned(name, context, options);
    plan.program.buildSync();
    return new ElementwiseLauncher<O>(plan);
  }

  /** How many elements it works on. */
  get length(): number {
    return this.#member.length;
  }

  /** The arrays of which it uses element `i` only: what allows it to be fused. */
  get elementwiseArrays(): readonly string[] {
    return [...this.#member.operation.elementwise];
  }
}

function planned(name: string, context: Context, options: ElementwiseOptions): ElementwisePlan {
  checkName(name);
  checkInstance(context, Context, "context");
  const given = checkOptions(options as ElementwiseOptions | undefined, [
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
  checkShared(given);
  return planElementwise(name, context, given);
}
