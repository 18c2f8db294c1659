import { checkOptions, wrongState } from "@cl/base";
import type { CommandEvent, CommandQueue, Kernel, Program } from "@cl/core";

import { type LaunchArguments, Launcher, type LauncherEnqueueOptions } from "../launcher.js";
import { checkName, checkShared } from "../launcher-options.js";
import { ListLauncher } from "../list/list-launcher.js";
import { announce } from "../statistics/announce.js";
import { waitList } from "../wait-list.js";
import { KernelMember } from "./kernel-member.js";
import {
  type FixedArguments,
  type KernelLauncherOptions,
  type KernelParametersOf,
  type LaunchOverrides,
  kernelOptionNames,
} from "./launcher-types.js";
import { givenValues, type LauncherTuneOptions, type LauncherTuning, tuneLaunchers } from "../tune/tune-launchers.js";

/**
 * One kernel, ready to be launched: an object of its own, whose arguments nobody else changes. Some of them may be
 * parameters, which each launch gives by name.
 *
 * @example
 * ```ts
 * const scale = new KernelLauncher("scale", program.kernel("saxpy"), {
 *   args: [x, y], // the kernel's arguments in order, without the parameter
 *   parameters: ["a"],
 *   global: 64,
 * });
 * scale.launch(queue, { a: 2 });
 * ```
 */
export class KernelLauncher<
  A extends readonly unknown[] = readonly unknown[],
  N extends readonly string[] = readonly string[],
  const O extends KernelLauncherOptions<N> = KernelLauncherOptions<N>,
> extends Launcher<KernelParametersOf<A, N, O>> {
  readonly #member: KernelMember;

  /** The kernel is cloned; of a program, one is made. */
  constructor(
    name: string,
    kernel: Kernel<A, N> | Program,
    options?: O & { readonly args?: FixedArguments<NoInfer<A>, NoInfer<N>, O> },
  ) {
    const given = checkOptions(options as KernelLauncherOptions | undefined, kernelOptionNames);
    const shared = checkShared(given);
    const member = new KernelMember(checkName(name), kernel, given);
    super(name, member, shared);
    this.#member = member;
  }

  /** The kernel, which is this launcher's own. */
  get kernel(): Kernel {
    return this.#member.kernel;
  }

  /**
   * All the kernel's arguments in order; undefined for parameters that have had no value yet. Numbers that a list brought for
   * its launches are not seen here.
   */
  get args(): readonly unknown[] {
    return this.#member.args;
  }

  /** The positions of the arguments that are parameters, by the parameters' names. */
  get parameterPositions(): ReadonlyMap<string, number> {
    return new Map(this.#member.slots.map(({ name, index }) => [name, index]));
  }

  /** Launches on a queue, its own if none is named, over other sizes if they are given; makes no event. */
  override launch(
    queue?: CommandQueue,
    ...rest: LaunchArguments<KernelParametersOf<A, N, O>, [sizes?: LaunchOverrides]>
  ): void {
    const target = this.targetOf(queue);
    const sizes = rest[1];
    if (sizes !== undefined) checkOptions(sizes, ["global", "local"], "sizes");
    this.take(rest[0]);
    announce(this.#member, rest[0], sizes);
    if (sizes === undefined) this.#member.launch(target);
    else this.#member.launchWith(target, sizes);
  }

  /** Like {@link launch}, with an event. */
  override enqueue(
    queue?: CommandQueue,
    ...rest: LaunchArguments<KernelParametersOf<A, N, O>, [options?: LauncherEnqueueOptions & LaunchOverrides]>
  ): CommandEvent {
    const target = this.targetOf(queue);
    const { waitFor, ...sizes } = checkOptions(rest[1], ["waitFor", "global", "local"]);
    const waits = waitList(waitFor);
    this.take(rest[0]);
    announce(this.#member, rest[0], sizes);
    if (sizes.global === undefined && sizes.local === undefined) return this.#member.enqueue(target, waits);
    return this.#member.enqueueWith(target, sizes, waits);
  }

  /** A list with this launcher as its only member. */
  asList(name: string = this.name): ListLauncher<KernelParametersOf<A, N, O>> {
    return new ListLauncher(name).push(this) as unknown as ListLauncher<KernelParametersOf<A, N, O>>;
  }

  /**
   * Finds the fastest local size for a launcher that was made with `local: "auto"`, by running its kernel on copies of what
   * it writes; launches on that device use it from then on, in other processes, too. See `tune`.
   */
  async tune(
    queue?: CommandQueue,
    options?: LauncherTuneOptions<KernelParametersOf<A, N, O>>,
  ): Promise<LauncherTuning> {
    const target = this.targetOf(queue);
    const values = givenValues(options, this.parameters.keys(), this.#member.words);
    if (this.#member.tunables(values).length === 0) {
      throw wrongState(`${this.#member.words} is not made for tuning: make it with local: "auto"`);
    }
    const [result] = await tuneLaunchers(this.#member.tunables(values), target, options);
    return result as LauncherTuning;
  }
}
