import { checkOptions, wrongState } from "@cl/base";
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
import { givenValues, type LauncherTuneOptions, type LauncherTuning, tuneLaunchers } from "../tune/tune-launchers.js";

/** How to make an iterative launcher. */
export interface IterativeLauncherOptions<
  N extends readonly string[] = readonly string[],
> extends KernelLauncherOptions<N> {
  /**
   * Parameters with the values that each launch goes through. The name of an argument is a parameter, whether or not
   * `parameters` lists it.
   */
  readonly iterate: Readonly<Record<string, ParameterSource>>;
  /** On an out-of-order queue a barrier follows the last combination, if not said; false leaves it out. */
  readonly barrier?: boolean;
}

/** The parameters that are left to the launch. */
export type ParametersLeft<A extends readonly unknown[], N extends readonly string[], O> = O extends {
  readonly iterate: infer I;
}
  ? Omit<KernelParametersOf<A, N, O>, keyof I>
  : KernelParametersOf<A, N, O>;

/**
 * One kernel, launched for every combination of the values of some parameters; the last of these changes fastest. The
 * combinations are gone through anew at each launch, and never all made.
 *
 * On an in-order queue they run one after the other. On an out-of-order queue they may overlap, except in a list whose order
 * is `"sequential"`, and in one whose order is `"graph"` if the kernel writes memory.
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
> extends Launcher<ParametersLeft<A, N, O>> {
  readonly #member: IterativeMember;

  /** The kernel is cloned; of a program, one is made. */
  constructor(
    name: string,
    kernel: Kernel<A, N> | Program,
    options: O & { readonly args?: FixedArguments<NoInfer<A>, NoInfer<N>, O> },
  ) {
    const given = checkOptions(options as IterativeLauncherOptions | undefined, [
      "iterate",
      "barrier",
      ...kernelOptionNames,
    ]);
    const shared = checkShared(given);
    const member = new IterativeMember(checkName(name), kernel, given);
    super(name, member, shared);
    this.#member = member;
  }

  /** The combinations that a launch with these parameters goes through, with these parameters. */
  *iterParameters(parameters: ParameterValues = {}): Generator<ParameterValues> {
    for (const combination of this.#member.combinations(parameters)) yield { ...combination };
  }

  /**
   * Finds the fastest local size for a launcher that was made with `local: "auto"`, by running its kernel on copies of what
   * it writes; launches on that device use it from then on, in other processes, too. See `tune`.
   */
  async tune(queue?: CommandQueue, options?: LauncherTuneOptions<ParametersLeft<A, N, O>>): Promise<LauncherTuning> {
    const target = this.targetOf(queue);
    const values = givenValues(options, this.parameters.keys(), this.#member.words);
    if (this.#member.tunables(values).length === 0) {
      throw wrongState(`${this.#member.words} is not made for tuning: make it with local: "auto"`);
    }
    const [result] = await tuneLaunchers(this.#member.tunables(values), target, options);
    return result as LauncherTuning;
  }
}
