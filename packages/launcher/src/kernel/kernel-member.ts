/**
 * Implementation of `KernelLauncher`. If its sizes are constant, the kernel is bound at the first launch, when all arguments are
 * known. Later launches set the changed scalars and pass two integers. Sizes that depend on parameters, or that a launch
 * overrides, are passed to the kernel itself.
 */
import { checkInteger, present, wrongState } from "@cl/base";
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

import { type Member, prefixError, type Recorder } from "../member.js";
import type { ParameterUse, ParameterValues } from "../parameters/parameter-union.js";
import type { Accesses } from "../list/access.js";
import { planArguments, setFixed, type Slot } from "./arguments.js";
import { declaredAccess, type KernelAccess, kernelAccesses } from "./kernel-access.js";
import { ownKernel } from "./own-kernel.js";
import type { KernelLauncherOptions, LauncherSizes, LaunchOverrides } from "./launcher-types.js";
import { MemberStatistics } from "../statistics/member-statistics.js";
import { type LaunchDetails, describeValue } from "../statistics/tracer.js";
import { extentsOf, planSizes, type SizePlan } from "./sizes.js";
import type { Tunable } from "../tune/tunable.js";
import { AutoLocal, type LaunchInfo, withoutAuto } from "../tune/auto-local.js";

/** Launches a kernel with its own arguments. */
export class KernelMember implements Member {
  readonly displayName: string;
  readonly name: string;
  readonly uses: readonly ParameterUse[];
  readonly globalSizeConfigured: boolean;
  readonly kernel: Kernel;
  readonly statistics: MemberStatistics;
  /** Tuned local sizes, with `local: "auto"`. */
  readonly auto: AutoLocal | undefined;
  readonly #slots: readonly Slot[];
  /** Current values; holes for parameters without a value. */
  readonly #args: unknown[];
  readonly #plan: SizePlan;
  readonly #access: KernelAccess | undefined;
  #bound: BoundKernel | undefined;
  /** Whether lists pass numbers for its parameters, so that {@link #args} may be outdated. */
  #numbersPassed = false;
  #version = 0;
  /** The bound tuned size, its device, and the version of {@link auto} that it was chosen from. */
  #local: readonly number[] | null = null;
  #device: Device | undefined;
  #autoVersion = 0;

  /** Names in `iterated` are also parameters. */
  constructor(
    name: string,
    source: Kernel | Program,
    options: KernelLauncherOptions,
    iterated: readonly string[] = [],
  ) {
    this.displayName = `launcher "${name}"`;
    this.name = name;
    const kernel = ownKernel(source, options.kernel, this.displayName);
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
        ...sizeOptions
      } = withoutShared(options);
      this.#access = declaredAccess(kernel, reads, writes);
      this.statistics = new MemberStatistics(name, "kernel", checkInteger(bytes, "options.bytes"));
      kernel.statistics = this.statistics.commands;
      const sizes = withoutAuto(sizeOptions);
      this.auto = sizes === sizeOptions ? undefined : new AutoLocal();
      const sizesWithDefaults = sizes.global === undefined ? { ...kernel.defaultSizes, ...sizes } : sizes;
      this.globalSizeConfigured = sizesWithDefaults.global !== undefined;
      const parameters = new Set(plan.slots.flatMap(({ name: slot, index }) => [slot, kernel.argNames[index] ?? slot]));
      this.#plan = planSizes(sizesWithDefaults, parameters, () => this.#argumentsByName());
      // Bind now if possible, so that invalid sizes throw in the constructor.
      if (this.globalSizeConfigured && plan.slots.length === 0 && !this.#plan.vary) this.#bound = this.#bind(kernel);
    } catch (error) {
      kernel.release();
      throw prefixError(this.displayName, error);
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

  /** Whether a list must call {@link prepare} before each launch. */
  get adapts(): boolean {
    return this.auto !== undefined && this.fixedSizes;
  }

  /** Returns the kernel with its current arguments and sizes. */
  launchInfo(global: LauncherSizes["global"] = this.#sizes().global): LaunchInfo {
    const byName = (): NamedArguments => this.#argumentsByName();
    const { kernel, args } = this;
    const offset = extentsOf(this.#plan.sizes.offset ?? undefined, byName);
    return { kernel, args, global: extentsOf(global, byName) ?? [], offset };
  }

  tunables(values: ParameterValues): readonly Tunable[] {
    return this.auto === undefined ? [] : [{ member: this, values }];
  }

  /** Applies the local size that was found for the queue's device. */
  prepare({ device }: CommandQueue): void {
    const { auto } = this;
    if (auto === undefined || !this.fixedSizes) return;
    if (this.#device === device && this.#autoVersion === auto.changes) return;
    const local = auto.find(this.launchInfo(), device);
    this.#device = device;
    this.#autoVersion = auto.changes;
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
    return this.#local === null ? sizes : changed(sizes, { local: this.#local });
  }

  /** Whether the sizes are constant and can be recorded. */
  get fixedSizes(): boolean {
    return this.globalSizeConfigured && !this.#plan.vary;
  }

  /** Its sizes as numbers; `undefined` if they vary. Without a local size the driver chooses it. */
  get extents(): { global: readonly number[]; local?: readonly number[]; offset?: readonly number[] } | undefined {
    if (!this.fixedSizes) return undefined;
    const byName = (): NamedArguments => this.#argumentsByName();
    const { global, local, offset, globalInGroups = false } = this.#fixed;
    const numbers = (size: LauncherSizes["local" | "offset"]): readonly number[] | undefined => extentsOf(size, byName);
    const [given = [], group] = [numbers(global), numbers(local)];
    const whole = globalInGroups ? given.map((count, d) => count * (group?.[d] ?? 1)) : given;
    return { global: whole, ...present({ local: group, offset: numbers(offset) }) };
  }

  /** Returns a member of the same kernel and constant sizes, with these arguments. */
  withArguments(args: readonly unknown[]): KernelMember {
    const { global, local, offset } = this.extents ?? { global: [] };
    const sizes = present({ global, offset });
    return new KernelMember(this.name, this.kernel, {
      ...sizes,
      local: local ?? null,
      args: Object.fromEntries(args.entries()),
    });
  }

  /** Current arguments. */
  get args(): readonly unknown[] {
    return this.#bound === undefined ? [...this.#args] : this.#bound.args;
  }

  /** Parameters and the positions of their arguments. */
  get slots(): readonly Slot[] {
    return this.#slots;
  }

  setParameters(values: ParameterValues): void {
    const target = this.#bound ?? this.kernel;
    const slots = this.#slots;
    for (let k = 0; k < slots.length; k++) {
      const { name, index } = slots[k] as Slot;
      const value = values[name];
      // Skip equal numbers only: the contents of an object may have changed.
      if (typeof value === "number" && !this.#numbersPassed && Object.is(value, this.#args[index])) continue;
      try {
        target.setArg(index, value);
      } catch (error) {
        throw prefixError(this.displayName, error);
      }
      this.#args[index] = value;
    }
    if (this.#bound === undefined && this.fixedSizes) this.#bindNow();
  }

  #bindNow(): void {
    try {
      this.#bound = this.#bind(this.kernel);
    } catch (error) {
      throw prefixError(this.displayName, error);
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
      if (this.#bound === undefined) this.kernel.launchWithSetArgs(queue, this.#sizesOn(queue));
      else this.#bound.launch(queue);
    } catch (error) {
      throw prefixError(this.displayName, error);
    }
  }

  enqueue(queue: CommandQueue, waitFor: readonly CommandEvent[]): CommandEvent {
    try {
      if (this.auto !== undefined) this.prepare(queue);
      if (this.#bound !== undefined) return this.#bound.enqueue(queue, { waitFor });
      return this.kernel.enqueueWithSetArgs(queue, changed(this.#sizesOn(queue), { waitFor }));
    } catch (error) {
      throw prefixError(this.displayName, error);
    }
  }

  /** Launches once with other sizes. */
  launchWith(queue: CommandQueue, sizes: LaunchOverrides): void {
    try {
      this.kernel.launch(queue, this.#withOverrides(sizes, queue), ...this.args);
    } catch (error) {
      throw prefixError(this.displayName, error);
    }
  }

  /** Like {@link launchWith}, but returns an event. */
  enqueueWith(queue: CommandQueue, sizes: LaunchOverrides, waitFor: readonly CommandEvent[]): CommandEvent {
    try {
      return this.kernel.enqueue(queue, changed(this.#withOverrides(sizes, queue), { waitFor }), ...this.args);
    } catch (error) {
      throw prefixError(this.displayName, error);
    }
  }

  /** Returns the sizes with overrides. Without a queue, the tuned local size is unknown. */
  #withOverrides({ global, local }: LaunchOverrides, queue?: CommandQueue): LaunchSizes {
    const sizes = this.#fixed;
    if (local === undefined && global !== undefined && this.auto !== undefined && queue !== undefined) {
      const info = { ...this.launchInfo(global), offset: undefined };
      return changed(sizes, { global: info.global, local: this.auto.find(info, queue.device), offset: null });
    }
    // Another global size may have a different number of dimensions than the local size.
    if (global !== undefined) return changed(sizes, { global, local, offset: null });
    return local === undefined ? sizes : changed(sizes, { local });
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

  /** Returns the bound kernel for callers that pass numbers for these arguments; `undefined` if not bound or not numeric. */
  boundFor(indexes: readonly number[]): BoundKernel | undefined {
    const bound = this.#bound;
    if (bound === undefined || !indexes.every((i) => bound.takesNumber(i))) return undefined;
    this.#numbersPassed = true;
    return bound;
  }

  /** Returns the sizes of a launch without a bound kernel. */
  #sizesOn({ device }: CommandQueue): LaunchSizes {
    const sizes = this.#sizes();
    if (this.auto === undefined) return sizes;
    const info = this.launchInfo();
    return changed(sizes, { global: info.global, local: this.auto.find(info, device) });
  }

  #sizes(): LaunchSizes {
    if (this.globalSizeConfigured) return this.#plan.sizes;
    throw wrongState(
      `the global size is missing; set options.global, or pass it as in launch(queue, parameters, { global: 1024 })`,
    );
  }

  describe(values: ParameterValues, sizes?: LaunchOverrides): LaunchDetails {
    const parameters = new Map(this.#slots.map(({ name, index }) => [index, name]));
    const args = this.args.map((value, i) => {
      const parameter = parameters.get(i);
      const name = parameter ?? this.kernel.argNames[i];
      const now = parameter === undefined ? value : (values[parameter] ?? value);
      return name === undefined ? describeValue(now) : `${name}: ${describeValue(now)}`;
    });
    const { global, local } = sizes === undefined ? this.#fixed : this.#withOverrides(sizes);
    return { global: knownSizes(global), local: knownSizes(local), args };
  }

  #argumentsByName(): NamedArguments {
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

/** Removes the options that all launchers share. */
function withoutShared({
  queue: _queue,
  profiler: _profiler,
  tracer: _tracer,
  ...options
}: KernelLauncherOptions): KernelLauncherOptions {
  return options;
}

/**
 * Returns sizes with others in their place. All have the same properties in the same order, so that launches read them fast:
 * a launch with other sizes took 2.4 µs with spread properties.
 */
function changed(
  { global, local, offset, globalInGroups, allowEmpty }: LaunchSizes,
  changes: { readonly [K in keyof LaunchSizes]?: LaunchSizes[K] | undefined },
): LaunchSizes {
  return {
    global: "global" in changes ? changes.global : global,
    local: "local" in changes ? changes.local : local,
    offset: "offset" in changes ? changes.offset : offset,
    globalInGroups,
    allowEmpty,
    waitFor: changes.waitFor,
  } as LaunchSizes;
}

/** Returns sizes if they are known before a launch. */
function knownSizes(size: unknown): readonly number[] | undefined {
  const all = [size].flat();
  return all.every((size) => typeof size === "number") ? all : undefined;
}
