import { checkOptions } from "@cl/base";
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
import { type LauncherTuneOptions, type LauncherTuning, tuneLauncher } from "../tune/tune-launchers.js";

/**
 * Launches a kernel with its own arguments, which no other code changes. Arguments can be parameters, which each launch passes
 * by name.
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

  /** Clones the kernel, or creates one from a program. */
  constructor(
    name: string,
    kernel: Kernel<A, N> | Program,
    options?: O & { readonly args?: FixedArguments<NoInfer<A>, NoInfer<N>, O> },
  ) {
    const checked = checkOptions(options as KernelLauncherOptions | undefined, kernelOptionNames);
    const sharedOptions = checkShared(checked);
    const member = new KernelMember(checkName(name), kernel, checked);
    super(name, member, sharedOptions);
    this.#member = member;
  }

  /** The launcher's own kernel. */
  get kernel(): Kernel {
    return this.#member.kernel;
  }

  /**
   * All arguments of the kernel in order; `undefined` for parameters without a value. Does not include numbers that a list
   * passed to its launches.
   */
  get args(): readonly unknown[] {
    return this.#member.args;
  }

  /** Positions of the parameters' arguments, by parameter name. */
  get parameterPositions(): ReadonlyMap<string, number> {
    return new Map(this.#member.slots.map(({ name, index }) => [name, index]));
  }

  /** Launches on a queue, by default {@link defaultQueue}. `sizes` replace the launcher's. Creates no event. */
  override launch(
    queue?: CommandQueue,
    ...rest: LaunchArguments<KernelParametersOf<A, N, O>, [sizes?: LaunchOverrides]>
  ): void {
    const target = this.targetOf(queue);
    const sizes = rest[1];
    if (sizes !== undefined) checkOptions(sizes, ["global", "local"], "sizes");
    this.setParameters(rest[0]);
    announce(this.#member, rest[0], sizes);
    if (sizes === undefined) this.#member.launch(target);
    else this.#member.launchWith(target, sizes);
  }

  /** Like {@link launch}, but returns an event. */
  override enqueue(
    queue?: CommandQueue,
    ...rest: LaunchArguments<KernelParametersOf<A, N, O>, [options?: LauncherEnqueueOptions & LaunchOverrides]>
  ): CommandEvent {
    const target = this.targetOf(queue);
    const { waitFor, ...sizes } = checkOptions(rest[1], ["waitFor", "global", "local"]);
    const waits = waitList(waitFor);
    this.setParameters(rest[0]);
    announce(this.#member, rest[0], sizes);
    if (sizes.global === undefined && sizes.local === undefined) return this.#member.enqueue(target, waits);
    return this.#member.enqueueWith(target, sizes, waits);
  }

  /** Returns a list with this launcher as its only member. */
  asList(name: string = this.name): ListLauncher<KernelParametersOf<A, N, O>> {
    return new ListLauncher(name).push(this) as unknown as ListLauncher<KernelParametersOf<A, N, O>>;
  }

  /**
   * Finds the fastest local size of a launcher with `local: "auto"` by running its kernel on copies of the memory that it writes.
   * Later launches on that device use it, also in other processes. See `tune`.
   */
  async tune(
    queue?: CommandQueue,
    options?: LauncherTuneOptions<KernelParametersOf<A, N, O>>,
  ): Promise<LauncherTuning> {
    const target = this.targetOf(queue);
    return tuneLauncher(this.#member, this.parameters.keys(), target, options);
  }
}
