/** Kernels: their arguments, their launches, and what can be asked about them. */
import { checkInstance, checkInteger, checkObject, typeError, wrongState } from "@cl/base";

import { type AdoptOptions, adoptOptions } from "../binding/adopt.js";
import { captured } from "../argument/argument-bytes.js";
import { BoundKernel } from "./bound-kernel.js";
import { type CommandEvent, eventOf, waitHandles } from "../event/event.js";
import { kernelQueries } from "../info/kernel-info.js";
import { ask } from "../info/query.js";
import { argumentInfo } from "./kernel-argument-info.js";
import { describedArguments } from "../program/kernel-descriptions.js";
import { discoverParameters } from "./kernel-discovery.js";
import { requireExtension } from "../interop/extension.js";
import { KernelParameters } from "./kernel-parameters.js";
import { type LaunchSizes, sizesError, writeSizes } from "./kernel-sizes.js";
import { adoptKernel, KernelObject } from "./kernel-object.js";
import { declaredNames, type DeclaredType, declaredTypes, type ParameterType } from "./kernel-type.js";
import { explained, explainLaunch, scratchShape } from "./launch-error.js";
import { type Handle, native } from "../binding/native.js";
import { noteFirstLaunch } from "../program/program-refresh.js";
import type { Program } from "./program.js";
import { CommandQueue } from "../command-queue/command-queue.js";
import { Adopted, handleOf, kernelHandle, queueHandle } from "../binding/resource.js";
import { launchFlags, setLaunch } from "../binding/scratch.js";

export type { DeclaredType } from "./kernel-type.js";

/**
 * A kernel of a built program. `A` is the tuple of its argument types and `N` that of its parameters' names, which a
 * program with a source literal knows.
 *
 * @example
 * ```ts
 * program.kernel("saxpy").launch(queue, { global: 3 }, 2, x, y);
 * ```
 */
export class Kernel<
  A extends readonly unknown[] = readonly unknown[],
  N extends readonly string[] = readonly string[],
> extends KernelObject<Program> {
  /** For the type checker, and never there; a method's type, which is compared both ways, as arguments' types are. */
  declare readonly "~names": { names(of: N): void }["names"];
  /** Parameter types as the runtime reports them, before any declaration. */
  readonly #discovered: readonly ParameterType[];
  #parameters: KernelParameters;
  /** Arguments that were set one by one: kept alive here, since OpenCL does not promise to, and as they were then. */
  #set: unknown[] = [];
  /** True if a launch with arguments of its own came after they were set: then the driver has those. */
  #overwritten = false;
  #launched = false;

  /** Over what the kernel runs when a launch does not say. */
  defaultSizes: LaunchSizes | undefined;

  /** A kernel object of its own, with its own arguments; `program.kernel(name)` gives one that is shared. */
  constructor(program: Program, name: string);
  /** @internal With `original`, the native record was copied from it and is not described again. */
  constructor(program: Program, adopted: Adopted, original?: Kernel<A, N>);
  constructor(program: Program, name: string | Adopted, original?: Kernel<A, N>) {
    super(program, name);
    if (original !== undefined) {
      this.#discovered = original.#discovered;
      this.#parameters = original.#parameters.copy();
      return;
    }
    const handle = handleOf(this);
    this.#parameters = discoverParameters(
      handle,
      this.words,
      ask(kernelQueries, "numArgs", (param) => this.getInfo(param)),
      describedArguments(program, this.name),
      program,
    );
    this.#discovered = this.#parameters.types;
    this.#parameters.describe(handle);
  }

  /** A kernel made elsewhere in this process. With `retain: false` its reference becomes ours. */
  static fromPointer(program: Program, pointer: bigint, options?: AdoptOptions): Kernel {
    const { retain, label } = adoptOptions(options);
    const handle = adoptKernel(program, pointer, retain);
    // Whoever made it may set arguments, too.
    native.shareKernel(handle);
    return new Kernel(program, new Adopted(handle, label));
  }

  /** How many arguments it takes. */
  get numArgs(): number {
    return this.#parameters.count;
  }

  /** Names of its arguments; undefined where neither the runtime nor anybody else said one. */
  get argNames(): readonly (string | undefined)[] {
    return this.#parameters.names;
  }

  set argNames(names: readonly (string | undefined)[]) {
    this.#replace(this.#parameters.types, declaredNames(names, this.numArgs));
  }

  /**
   * Types of its arguments: as the runtime tells them, or as declared. Declaring null goes back to what the runtime
   * tells; what contradicts it throws. Setting them forgets arguments that were set.
   */
  get argTypes(): readonly string[] {
    return this.#parameters.types.map((type) => type.text);
  }

  set argTypes(types: readonly DeclaredType[]) {
    this.#replace(declaredTypes(types, this.#discovered), this.#parameters.names);
  }

  #replace(types: readonly ParameterType[], names: readonly (string | undefined)[]): void {
    const parameters = new KernelParameters(this.words, types, names);
    parameters.describe(handleOf(this));
    this.#parameters = parameters;
    this.#set = [];
    this.#overwritten = true;
  }

  /**
   * Checks and binds the arguments and enqueues the kernel, in one native call; makes no event and returns nothing.
   *
   * @param sizes - over what it runs; {@link defaultSizes} if null
   */
  launch(queue: CommandQueue, sizes: LaunchSizes | null | undefined, ...args: A): void {
    this.#overwritten = true;
    this.#launch(queue, sizes, args, 0);
  }

  /** Like {@link launch}, with an event. */
  enqueue(queue: CommandQueue, sizes: LaunchSizes | null | undefined, ...args: A): CommandEvent {
    this.#overwritten = true;
    return eventOf(this.#launch(queue, sizes, args, launchFlags.wantEvent) as Handle, queue);
  }

  /** Launches and blocks the event loop until everything on the queue has completed, in one native call. */
  launchAndFinishSync(queue: CommandQueue, sizes: LaunchSizes | null | undefined, ...args: A): void {
    this.#overwritten = true;
    this.#launch(queue, sizes, args, launchFlags.thenFinish);
  }

  /** Launches with the arguments that {@link setArg} and {@link setArgs} gave, whatever was launched in between. */
  launchAgain(queue: CommandQueue, sizes?: LaunchSizes | null): void {
    if (this.#overwritten) this.#restore();
    this.#launch(queue, sizes, this.#set, launchFlags.keepArguments);
  }

  /** Like {@link launchAgain}, with an event. */
  enqueueAgain(queue: CommandQueue, sizes?: LaunchSizes | null): CommandEvent {
    if (this.#overwritten) this.#restore();
    const flags = launchFlags.keepArguments | launchFlags.wantEvent;
    return eventOf(this.#launch(queue, sizes, this.#set, flags) as Handle, queue);
  }

  #launch(
    queue: CommandQueue,
    given: LaunchSizes | null | undefined,
    args: readonly unknown[],
    flags: number,
  ): Handle | undefined {
    if (!(queue instanceof CommandQueue)) throw typeError("queue", "a CommandQueue", queue);
    const sizes = given ?? this.defaultSizes;
    if (typeof sizes !== "object" || sizes === null) throw sizesError(given);
    const handle = kernelHandle(this);
    const parameters = this.#parameters;
    // Before anything is written: a list of events may be any object, and run any code.
    const { waitFor } = sizes;
    const waits = waitFor === undefined || waitFor === null ? undefined : waitHandles(waitFor);
    let full = writeSizes(sizes, parameters, args);
    if ((flags & launchFlags.keepArguments) === 0) {
      const resolved = parameters.writeAll(handle, args);
      if (resolved !== undefined) {
        full = writeSizes(sizes, parameters, args);
        parameters.writeResolved(handle, resolved);
      }
    }
    try {
      setLaunch(queueHandle(queue), handle, full ? flags : flags | launchFlags.empty);
      const event = waits === undefined ? nativeLaunch() : nativeLaunch(waits);
      if (!this.#launched) {
        this.#launched = true;
        noteFirstLaunch(this.program);
      }
      return event;
    } catch (error) {
      throw explainLaunch(explained(error, parameters), scratchShape(), handle, queue.device);
    }
  }

  /** Gives the driver the arguments that were set, after other launches. */
  #restore(): void {
    const handle = handleOf(this);
    for (let i = 0; i < this.numArgs; i++) {
      if (!(i in this.#set)) {
        throw wrongState(
          `${this.#parameters.nameOf(i)} was never set (launch keeps no arguments; use setArg or setArgs)`,
        );
      }
      this.#give(handle, i, this.#set[i]);
    }
    this.#overwritten = false;
  }

  #give(handle: Handle, i: number, resolved: unknown): void {
    this.#parameters.write(handle, i, resolved);
    try {
      native.setKernelArgument(handle, i);
    } catch (error) {
      throw explained(error, this.#parameters);
    }
  }

  /** Sets one argument, by position or name, for {@link launchAgain}. */
  setArg(parameter: number | string, value: unknown): this {
    const i = this.#parameters.indexOf(parameter);
    const handle = handleOf(this);
    const resolved = this.#parameters.resolve(value, i);
    this.#give(handle, i, resolved);
    this.#set[i] = captured(resolved);
    return this;
  }

  /** Sets all arguments, for {@link launchAgain}. */
  setArgs(...args: A): this {
    const handle = handleOf(this);
    const resolved = args.map((value, i) => this.#parameters.resolve(value, i));
    this.#overwritten = true;
    this.#parameters.writeResolved(handle, resolved);
    try {
      native.setKernelArguments(handle);
    } catch (error) {
      throw explained(error, this.#parameters);
    }
    this.#set = resolved.map(captured);
    this.#overwritten = false;
    return this;
  }

  /** Fixes sizes and arguments once, so that launching costs next to nothing. Single arguments can be changed later. */
  bind(sizes: LaunchSizes | null | undefined, ...args: A): BoundKernel {
    const chosen = checkObject(sizes ?? this.defaultSizes, "sizes");
    if (chosen.waitFor !== undefined && chosen.waitFor !== null) {
      throw typeError("sizes.waitFor", "left out: pass it to enqueue", chosen.waitFor);
    }
    const handle = this.#cloneHandle();
    try {
      return new BoundKernel(handle, this, this.#parameters.copy(), chosen, args);
    } catch (error) {
      native.recycle(handle);
      throw explained(error, this.#parameters);
    }
  }

  /** Another kernel object with the same arguments set, independent from now on. */
  clone(): Kernel<A, N> {
    const handle = this.#cloneHandle();
    try {
      const clone = new Kernel<A, N>(this.program, new Adopted(handle, this.label), this);
      // A slice keeps the holes of what was never set.
      clone.#set = this.#set.slice();
      clone.#overwritten = this.#overwritten;
      clone.defaultSizes = this.defaultSizes;
      return clone;
    } catch (error) {
      native.recycle(handle);
      throw error;
    }
  }

  #cloneHandle(): Handle {
    // The program is needed only where the runtime cannot clone.
    return native.cloneKernel(handleOf(this), this.program.released ? 0 : handleOf(this.program), this.name);
  }

  /**
   * Writes a script to `path` that reproduces one launch by itself: source, options, sizes and the arguments' data.
   * The launch is not made.
   */
  async capture(path: string, queue: CommandQueue, sizes: LaunchSizes | null | undefined, ...args: A): Promise<void> {
    // Checked as a launch would be; what is in the scratch block then is nobody's.
    const handle = handleOf(this);
    if (args.length === this.numArgs) {
      const resolved = this.#parameters.writeAll(handle, args);
      if (resolved !== undefined) this.#parameters.writeResolved(handle, resolved);
    }
    const { captureLaunch } = await import("./capture.js");
    const adapted = args.map((value, i) => this.#parameters.adapt(value, i));
    await captureLaunch(this, path, queue, sizes ?? this.defaultSizes ?? {}, args, adapted);
  }

  /** The raw answer of any query about one argument. */
  getArgInfo(parameter: number | string, param: number): Uint8Array {
    return argumentInfo(
      handleOf(this),
      this.#parameters.indexOf(parameter),
      checkInteger(param, "param", 0, 0xffffffff),
      describedArguments(this.program, this.name),
    );
  }

  /**
   * The local size that the driver would choose for these sizes. Its arguments must have been set, with {@link setArgs}
   * for instance, since the choice may depend on them. Needs `cl_khr_suggested_local_work_size`.
   */
  suggestedLocalSize(queue: CommandQueue, sizes: Pick<LaunchSizes, "global" | "offset">): readonly number[] {
    checkInstance(queue, CommandQueue, "queue");
    const { global, offset } = checkObject(sizes, "sizes");
    const handle = handleOf(this);
    const target = handleOf(queue);
    requireExtension([queue.device], "cl_khr_suggested_local_work_size", "clGetKernelSuggestedLocalWorkSizeKHR");
    if (this.#overwritten) this.#restore();
    writeSizes({ global, offset } as LaunchSizes, this.#parameters, this.#set);
    return native.suggestedLocalSize(target, handle);
  }

  protected override summary(): string {
    return `${this.name}(${this.argTypes.map((type, i) => [type, this.argNames[i]].filter(Boolean).join(" ")).join(", ")})`;
  }
}

// Taken out once: the addon's exports are a dictionary, and a look-up at each launch costs 4 ns.
const { launch: nativeLaunch } = native;
