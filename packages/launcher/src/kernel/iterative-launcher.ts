import { checkOptions } from "@cl/base";
import type { CommandQueue, Kernel, Program } from "@cl/core";

import { Launcher } from "../launcher.js";
import { checkName, checkShared } from "../launcher-options.js";
import type { ParameterValues } from "../parameters/parameter-union.js";
import { IterativeMember } from "./iterative-member.js";
import {
  type FixedArguments,
  type KernelLauncherOptions,
  type KernelParametersOf,
  kernelOptionNames,
} from "./launcher-types.js";
import type { ParameterSource } from "./parameter-yielder.js";
import { type LauncherTuneOptions, type LauncherTuning, tuneLauncher } from "../tune/tune-launchers.js";

/** Options of an iterative launcher. */
export interface IterativeLauncherOptions<
  N extends readonly string[] = readonly string[],
> extends KernelLauncherOptions<N> {
  /**
   * Parameters and the values to iterate over. The name of an argument is a parameter whether or not `parameters` contains
   * it.
   */
  readonly iterate: Readonly<Record<string, ParameterSource>>;
  /** Whether to enqueue a barrier after the last combination on an out-of-order queue. @defaultValue true */
  readonly barrier?: boolean;
}

/** Parameters that remain for the launch. */
export type RemainingParameters<A extends readonly unknown[], N extends readonly string[], O> = O extends {
  readonly iterate: infer I;
}
  ? Omit<KernelParametersOf<A, N, O>, keyof I>
  : KernelParametersOf<A, N, O>;

/**
 * Launches a kernel for every combination of the values of some parameters; the last parameter changes fastest. The values are
 * iterated again at each launch, and the combinations are never stored.
 *
 * On an in-order queue, the launches run in sequence. On an out-of-order queue, they may overlap, except in a list with order
 * `"sequential"`, and in a list with order `"graph"` if the kernel writes memory.
 *
 * @example
 * ```ts
 * const sweep = new IterativeLauncher("sweep", program.kernel("saxpy"), {
 *   args: [x, y],
 *   iterate: { a: [1, 2, 3] },
 *   global: 64,
 * });
 * sweep.launch(queue); // three times
 * ```
 */
export class IterativeLauncher<
  A extends readonly unknown[] = readonly unknown[],
  N extends readonly string[] = readonly string[],
  const O extends IterativeLauncherOptions<N> = IterativeLauncherOptions<N>,
> extends Launcher<RemainingParameters<A, N, O>> {
  readonly #member: IterativeMember;

  /** Clones the kernel, or creates one from a program. */
  constructor(
    name: string,
    kernel: Kernel<A, N> | Program,
    options: O & { readonly args?: FixedArguments<NoInfer<A>, NoInfer<N>, O> },
  ) {
    const checked = checkOptions(options as IterativeLauncherOptions | undefined, [
      "iterate",
      "barrier",
      ...kernelOptionNames,
    ]);
    const sharedOptions = checkShared(checked);
    const member = new IterativeMember(checkName(name), kernel, checked);
    super(name, member, sharedOptions);
    this.#member = member;
  }

  /** Iterates over the combinations of a launch with these parameters. */
  *iterParameters(parameters: ParameterValues = {}): Generator<ParameterValues> {
    for (const combination of this.#member.combinations(parameters)) yield { ...combination };
  }

  /**
   * Finds the fastest local size of a launcher with `local: "auto"` by running its kernel on copies of the memory that it writes.
   * Later launches on that device use it, also in other processes. See `tune`.
   */
  async tune(
    queue?: CommandQueue,
    options?: LauncherTuneOptions<RemainingParameters<A, N, O>>,
  ): Promise<LauncherTuning> {
    const target = this.targetOf(queue);
    return tuneLauncher(this.#member, this.parameters.keys(), target, options);
  }
}
