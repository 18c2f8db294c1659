/**
 * One kernel with arguments of its own. While its sizes stay the same it is a bound kernel, made at the first launch, since
 * only then all arguments are known; a launch with other scalars then sets those and passes two integers. Sizes that depend
 * on parameters, or that one launch says, go through the kernel itself.
 */
import { checkInteger, wrongState } from "@cl/base";
import type {
  BoundKernel,
  CommandEvent,
  CommandQueue,
  Device,
  Kernel,
  LaunchSizes,
  NamedArguments,
  Program,
} from "@cl/core";

import { type Member, named, type Recorder } from "../member.js";
import type { ParameterUse, ParameterValues } from "../parameters/parameter-union.js";
import type { Accesses } from "../list/access.js";
import { planArguments, setFixed, type Slot } from "./arguments.js";
import { declaredAccess, type KernelAccess, kernelAccesses } from "./kernel-access.js";
import { ownKernel } from "./own-kernel.js";
import type { KernelLauncherOptions, LauncherSizes, LaunchOverrides } from "./launcher-types.js";
import { MemberStatistics } from "../statistics/member-statistics.js";
import { type LaunchWords, valueWords } from "../statistics/tracer.js";
import { extentsOf, planSizes, type SizePlan } from "./sizes.js";
import type { Tunable } from "../tune/tunable.js";
import { AutoLocal, type Launched, withoutAuto } from "../tune/auto-local.js";

/** The working half of a kernel launcher. */
export class KernelMember implements Member {
  readonly words: string;
  readonly name: string;
  readonly uses: readonly ParameterUse[];
  readonly globalSizeConfigured: boolean;
  readonly kernel: Kernel;
  readonly statistics: MemberStatistics;
  /** The local sizes, if they are left to tuning. */
  readonly auto: AutoLocal | undefined;
  readonly #slots: readonly Slot[];
  /** As they are now; holes are parameters that have had no value yet. */
  readonly #args: unknown[];
  readonly #plan: SizePlan;
  readonly #access: KernelAccess | undefined;
  #bound: BoundKernel | undefined;
  /** True if others bring numbers for its parameters: then they may be others than {@link #args} says. */
  #brought = false;
  #version = 0;
  /** The tuned size that is bound, for which device it was chosen, and as of which change. */
  #local: readonly number[] | null = null;
  #device: Device | undefined;
  #chosen = 0;

  /** Names in `iterated` are parameters, too. */
  constructor(
    name: string,
    source: Kernel | Program,
    options: KernelLauncherOptions,
    iterated: readonly string[] = [],
  ) {
    this.words = `launcher "${name}"`;
    this.name = name;
    const kernel = ownKernel(source, options.kernel, this.words);
    try {
      const plan = planArguments(kernel, options, iterated);
      setFixed(kernel, plan);
      this.#slots = plan.slots;
      this.#args = [...plan.fixed];
      const {
        args: _args,
        parameters: _parameters,
        kernel: _kernel,
        reads,
        writes,
        bytes = 0,
        ...rest
      } = withoutShared(options);
      this.#access = declaredAccess(kernel, reads, writes);
      this.statistics = new MemberStatistics(name, "kernel", checkInteger(bytes, "options.bytes"));
      kernel.statistics = this.statistics.commands;
      const sizes = withoutAuto(rest);
      this.auto = sizes === rest ? undefined : new AutoLocal();
      const given = sizes.global === undefined ? { ...kernel.defaultSizes, ...sizes } : sizes;
      this.globalSizeConfigured = given.global !== undefined;
      const parameters = new Set(plan.slots.flatMap(({ name: slot, index }) => [slot, kernel.argNames[index] ?? slot]));
      this.#plan = planSizes(given, parameters, () => this.#named());
      // Mistakes in sizes are found now where they can be.
      if (this.globalSizeConfigured && plan.slots.length === 0 && !this.#plan.vary) this.#bound = this.#bind(kernel);
    } catch (error) {
      kernel.release();
      throw named(this.words, error);
    }
    this.kernel = kernel;
    this.uses = this.#slots.map((slot) => ({
      name: slot.name,
      type: kernel.argTypes[slot.index] as string,
      launcher: name,
    }));
  }

  get version(): number {
    return this.#version;
  }

  /** True if a list has to ask it before each launch. */
  get adapts(): boolean {
    return this.auto !== undefined && this.fixedSizes;
  }

  /** What is launched, with the arguments and sizes as they are now. */
  launched(global: LauncherSizes["global"] = this.#sizes().global): Launched {
    const named = (): NamedArguments => this.#named();
    const { kernel, args } = this;
    const offset = extentsOf(this.#plan.sizes.offset ?? undefined, named);
    return { kernel, args, global: extentsOf(global, named) ?? [], offset };
  }

  tunables(values: ParameterValues): readonly Tunable[] {
    return this.auto === undefined ? [] : [{ member: this, values }];
  }

  /** Takes the local size that was found for the queue's device. */
  prepare({ device }: CommandQueue): void {
    const { auto } = this;
    if (auto === undefined || !this.fixedSizes) return;
    if (this.#device === device && this.#chosen === auto.changes) return;
    const local = auto.find(this.launched(), device);
    this.#device = device;
    this.#chosen = auto.changes;
    if (String(local) === String(this.#local)) return;
    const before = this.#local;
    this.#local = local;
    const bound = this.#bound;
    if (bound === undefined) return;
    try {
      this.#bound = this.#bind(this.kernel);
    } catch (error) {
      this.#local = before;
      throw error;
    }
    bound.release();
    this.#version++;
  }

  get #fixed(): LaunchSizes {
    const { sizes } = this.#plan;
    return this.#local === null ? sizes : { ...sizes, local: this.#local };
  }

  /** Whether the launcher's own sizes can be recorded. */
  get fixedSizes(): boolean {
    return this.globalSizeConfigured && !this.#plan.vary;
  }

  /** The arguments as they are now. */
  get args(): readonly unknown[] {
    return this.#bound === undefined ? [...this.#args] : this.#bound.args;
  }

  /** Parameters with the positions of their arguments. */
  get slots(): readonly Slot[] {
    return this.#slots;
  }

  take(values: ParameterValues): void {
    const target = this.#bound ?? this.kernel;
    const slots = this.#slots;
    for (let k = 0; k < slots.length; k++) {
      const { name, index } = slots[k] as Slot;
      const value = values[name];
      // Numbers only: an object may stand for something else than it did.
      if (typeof value === "number" && !this.#brought && Object.is(value, this.#args[index])) continue;
      try {
        target.setArg(index, value);
      } catch (error) {
        throw named(this.words, error);
      }
      this.#args[index] = value;
    }
    if (this.#bound === undefined && this.fixedSizes) this.#bindNow();
  }

  #bindNow(): void {
    try {
      this.#bound = this.#bind(this.kernel);
    } catch (error) {
      throw named(this.words, error);
    }
  }

  #bind(kernel: Kernel): BoundKernel {
    const bound = kernel.bind(this.#fixed, ...this.args);
    bound.statistics = this.statistics.commands;
    return bound;
  }

  launch(queue: CommandQueue): void {
    try {
      if (this.auto !== undefined) this.prepare(queue);
      if (this.#bound === undefined) this.kernel.launchAgain(queue, this.#sizesOn(queue));
      else this.#bound.launch(queue);
    } catch (error) {
      throw named(this.words, error);
    }
  }

  enqueue(queue: CommandQueue, waitFor: readonly CommandEvent[]): CommandEvent {
    try {
      if (this.auto !== undefined) this.prepare(queue);
      if (this.#bound === undefined) return this.kernel.enqueueAgain(queue, { ...this.#sizesOn(queue), waitFor });
      return this.#bound.enqueue(queue, { waitFor });
    } catch (error) {
      throw named(this.words, error);
    }
  }

  /** Launches once with other sizes. */
  launchWith(queue: CommandQueue, sizes: LaunchOverrides): void {
    try {
      this.kernel.launch(queue, this.#overridden(sizes, queue), ...this.args);
    } catch (error) {
      throw named(this.words, error);
    }
  }

  /** Like {@link launchWith}, with an event. */
  enqueueWith(queue: CommandQueue, sizes: LaunchOverrides, waitFor: readonly CommandEvent[]): CommandEvent {
    try {
      return this.kernel.enqueue(queue, { ...this.#overridden(sizes, queue), waitFor }, ...this.args);
    } catch (error) {
      throw named(this.words, error);
    }
  }

  /** Without a queue it is not known what was found for its device. */
  #overridden({ global, local }: LaunchOverrides, queue?: CommandQueue): LaunchSizes {
    const sizes = this.#fixed;
    if (local === undefined && global !== undefined && this.auto !== undefined && queue !== undefined) {
      const launched = { ...this.launched(global), offset: undefined };
      return { ...sizes, offset: null, global: launched.global, local: this.auto.find(launched, queue.device) };
    }
    // Another global size may have other dimensions, which the local one would have to follow.
    if (global !== undefined) return { ...sizes, local, offset: null, global } as LaunchSizes;
    return { ...sizes, ...(local === undefined ? {} : { local }) };
  }

  record(recorder: Recorder): void {
    const bound = this.#bound;
    if (bound === undefined) {
      recorder.step(this, false);
      return;
    }
    const numbers = this.#slots.length > 0 && this.boundFor(this.#slots.map(({ index }) => index)) !== undefined;
    recorder.kernel(bound, this.name, numbers ? this.#slots : undefined);
  }

  accesses(): Accesses {
    const parameters = new Set(this.#slots.map(({ index }) => index));
    return kernelAccesses(this.kernel, this.#args, parameters, this.#access);
  }

  /** The bound kernel, for those who bring numbers for these arguments themselves; none if it is not bound or some take none. */
  boundFor(indexes: readonly number[]): BoundKernel | undefined {
    const bound = this.#bound;
    if (bound === undefined || !indexes.every((i) => bound.takesNumber(i))) return undefined;
    this.#brought = true;
    return bound;
  }

  /** The sizes of a launch that is not bound. */
  #sizesOn({ device }: CommandQueue): LaunchSizes {
    const sizes = this.#sizes();
    if (this.auto === undefined) return sizes;
    const launched = this.launched();
    return { ...sizes, global: launched.global, local: this.auto.find(launched, device) };
  }

  #sizes(): LaunchSizes {
    if (this.globalSizeConfigured) return this.#plan.sizes;
    throw wrongState(
      `no global size: give the launcher one with options.global, or the launch as in launch(queue, parameters, { global: 1024 })`,
    );
  }

  describe(values: ParameterValues, sizes?: LaunchOverrides): LaunchWords {
    const parameters = new Map(this.#slots.map(({ name, index }) => [index, name]));
    const args = this.args.map((value, i) => {
      const parameter = parameters.get(i);
      const name = parameter ?? this.kernel.argNames[i];
      const now = parameter === undefined ? value : (values[parameter] ?? value);
      return name === undefined ? valueWords(now) : `${name}: ${valueWords(now)}`;
    });
    const { global, local } = sizes === undefined ? this.#fixed : this.#overridden(sizes);
    return { global: sizeWords(global), local: sizeWords(local), args };
  }

  /** The arguments by the kernel's names and the launcher's. */
  #named(): NamedArguments {
    const all: Record<string, unknown> = {};
    for (const [i, name] of this.kernel.argNames.entries()) if (name !== undefined) all[name] = this.#args[i];
    for (const { name, index } of this.#slots) all[name] = this.#args[index];
    return all;
  }

  release(): void {
    this.#bound?.release();
    this.kernel.release();
  }
}

/** What is about the kernel. */
function withoutShared({
  queue: _queue,
  profiler: _profiler,
  tracer: _tracer,
  ...options
}: KernelLauncherOptions): KernelLauncherOptions {
  return options;
}

/** Sizes, where they are known before a launch. */
function sizeWords(size: unknown): readonly number[] | undefined {
  const all = [size].flat();
  return all.every((one) => typeof one === "number") ? all : undefined;
}
