/** Kernels: arguments, launches and queries. */
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
import { explainLaunch, scratchShape, withArgumentName } from "./launch-error.js";
import { type Handle, native } from "../binding/native.js";
import { noteFirstLaunch } from "../program/program-refresh.js";
import type { Program } from "./program.js";
import { CommandQueue } from "../command-queue/command-queue.js";
import { Adopted, handleOf, kernelHandle, queueHandle } from "../binding/resource.js";
import { launchFlags, setLaunch } from "../binding/scratch.js";

export type { DeclaredType } from "./kernel-type.js";

/**
 * A kernel of a built program. `A` is the tuple of its argument types and `N` that of its parameter names, inferred if
 * the program's source is a literal.
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
  /** Type-level only; does not exist at run time. A method type, because methods are compared bivariantly. */
  declare readonly "~names": { names(of: N): void }["names"];
  /** Parameter types before any declaration. */
  readonly #discovered: readonly ParameterType[];
  #parameters: KernelParameters;
  /** Arguments set by `setArg` and `setArgs`, kept alive here because OpenCL does not guarantee it. */
  #setArguments: unknown[] = [];
  /** Whether a later launch overwrote the arguments set by `setArg`. */
  #overwritten = false;
  #launched = false;

  /** Sizes used when a launch gives none. */
  defaultSizes: LaunchSizes | undefined;

  /** Creates a kernel object with separate arguments; `program.kernel(name)` returns a shared one. */
  constructor(program: Program, name: string);
  /** @internal With `original`, the native kernel is a clone of it, whose parameters are already described. */
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
      this.displayName,
      ask(kernelQueries, "numArgs", (param) => this.getInfo(param)),
      describedArguments(program, this.name),
      program,
    );
    this.#discovered = this.#parameters.types;
    this.#parameters.describe(handle);
  }

  /** Returns a kernel for an existing `cl_kernel`. With `retain: false` it takes ownership of the reference. */
  static fromPointer(program: Program, pointer: bigint, options?: AdoptOptions): Kernel {
    const { retain, label } = adoptOptions(options);
    const handle = adoptKernel(program, pointer, retain);
    // Its creator may set arguments, too.
    native.shareKernel(handle);
    return new Kernel(program, new Adopted(handle, label));
  }

  /** Number of arguments. */
  get numArgs(): number {
    return this.#parameters.count;
  }

  /** Names of the arguments, as reported or declared; `undefined` for an unknown name. */
  get argNames(): readonly (string | undefined)[] {
    return this.#parameters.names;
  }

  set argNames(names: readonly (string | undefined)[]) {
    this.#replace(this.#parameters.types, declaredNames(names, this.numArgs));
  }

  /**
   * Types of the arguments, as discovered or declared. Setting `null` restores the discovered type; a contradicting
   * type throws. Setting types discards arguments set with {@link setArg}.
   */
  get argTypes(): readonly string[] {
    return this.#parameters.types.map((type) => type.text);
  }

  set argTypes(types: readonly DeclaredType[]) {
    this.#replace(declaredTypes(types, this.#discovered), this.#parameters.names);
  }

  #replace(types: readonly ParameterType[], names: readonly (string | undefined)[]): void {
    const parameters = new KernelParameters(this.displayName, types, names);
    parameters.describe(handleOf(this));
    this.#parameters = parameters;
    this.#setArguments = [];
    this.#overwritten = true;
  }

  /**
   * Checks and sets the arguments and enqueues the kernel, in one native call, without creating an event.
   *
   * @param sizes - The index space; {@link defaultSizes} if `null` or `undefined`.
   */
  launch(queue: CommandQueue, sizes: LaunchSizes | null | undefined, ...args: A): void {
    this.#overwritten = true;
    this.#launch(queue, sizes, args, 0);
  }

  /** Like {@link launch}, and returns an event. */
  enqueue(queue: CommandQueue, sizes: LaunchSizes | null | undefined, ...args: A): CommandEvent {
    this.#overwritten = true;
    return eventOf(this.#launch(queue, sizes, args, launchFlags.wantEvent) as Handle, queue);
  }

  /** Launches and blocks the event loop until all commands on the queue have completed, in one native call. */
  launchAndFinishSync(queue: CommandQueue, sizes: LaunchSizes | null | undefined, ...args: A): void {
    this.#overwritten = true;
    this.#launch(queue, sizes, args, launchFlags.thenFinish);
  }

  /** Launches with the arguments of {@link setArg} and {@link setArgs}, regardless of launches in between. */
  launchWithSetArgs(queue: CommandQueue, sizes?: LaunchSizes | null): void {
    if (this.#overwritten) this.#restore();
    this.#launch(queue, sizes, this.#setArguments, launchFlags.keepArguments);
  }

  /** Like {@link launchWithSetArgs}, and returns an event. */
  enqueueWithSetArgs(queue: CommandQueue, sizes?: LaunchSizes | null): CommandEvent {
    if (this.#overwritten) this.#restore();
    const flags = launchFlags.keepArguments | launchFlags.wantEvent;
    return eventOf(this.#launch(queue, sizes, this.#setArguments, flags) as Handle, queue);
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
    // Before anything is written, because reading a list of events may run user code.
    const { waitFor } = sizes;
    const waits = waitFor === undefined || waitFor === null ? undefined : waitHandles(waitFor);
    let full = writeSizes(sizes, parameters.names, args);
    if ((flags & launchFlags.keepArguments) === 0) {
      const resolved = parameters.writeAll(handle, args);
      if (resolved !== undefined) {
        full = writeSizes(sizes, parameters.names, args);
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
      throw explainLaunch(withArgumentName(error, parameters), scratchShape(), handle, queue.device);
    }
  }

  /** Passes the arguments of `setArg` to the driver again, after other launches. */
  #restore(): void {
    const handle = handleOf(this);
    for (let i = 0; i < this.numArgs; i++) {
      if (!(i in this.#setArguments)) {
        throw wrongState(
          `${this.#parameters.nameOf(i)} is not set; use setArg or setArgs (arguments of launch are not kept)`,
        );
      }
      this.#setNative(handle, i, this.#setArguments[i]);
    }
    this.#overwritten = false;
  }

  #setNative(handle: Handle, i: number, resolved: unknown): void {
    this.#parameters.write(handle, i, resolved);
    try {
      native.setKernelArgument(handle, i);
    } catch (error) {
      throw withArgumentName(error, this.#parameters);
    }
  }

  /** Sets one argument, by position or name, for {@link launchWithSetArgs}. */
  setArg(parameter: number | string, value: unknown): this {
    const i = this.#parameters.indexOf(parameter);
    const handle = handleOf(this);
    const resolved = this.#parameters.resolve(value, i);
    this.#setNative(handle, i, resolved);
    this.#setArguments[i] = captured(resolved);
    return this;
  }

  /** Sets all arguments, for {@link launchWithSetArgs}. */
  setArgs(...args: A): this {
    const handle = handleOf(this);
    const resolved = args.map((value, i) => this.#parameters.resolve(value, i));
    this.#overwritten = true;
    this.#parameters.writeResolved(handle, resolved);
    try {
      native.setKernelArguments(handle);
    } catch (error) {
      throw withArgumentName(error, this.#parameters);
    }
    this.#setArguments = resolved.map(captured);
    this.#overwritten = false;
    return this;
  }

  /** Binds sizes and arguments to a kernel that launches with minimal overhead. Its arguments can be changed later. */
  bind(sizes: LaunchSizes | null | undefined, ...args: A): BoundKernel {
    const chosen = checkObject(sizes ?? this.defaultSizes, "sizes");
    if (chosen.waitFor !== undefined && chosen.waitFor !== null) {
      throw typeError("sizes.waitFor", "omitted; pass it to enqueue", chosen.waitFor);
    }
    const handle = this.#cloneHandle();
    try {
      return new BoundKernel(handle, this, this.#parameters.copy(), chosen, args);
    } catch (error) {
      native.recycle(handle);
      throw withArgumentName(error, this.#parameters);
    }
  }

  /** Returns an independent kernel object with the same arguments set. */
  clone(): Kernel<A, N> {
    const handle = this.#cloneHandle();
    try {
      const clone = new Kernel<A, N>(this.program, new Adopted(handle, this.label), this);
      // slice() keeps holes, which are arguments not set.
      clone.#setArguments = this.#setArguments.slice();
      clone.#overwritten = this.#overwritten;
      clone.defaultSizes = this.defaultSizes;
      return clone;
    } catch (error) {
      native.recycle(handle);
      throw error;
    }
  }

  #cloneHandle(): Handle {
    // The program is needed only if the runtime cannot clone kernels.
    return native.cloneKernel(handleOf(this), this.program.released ? 0 : handleOf(this.program), this.name);
  }

  /**
   * Writes a standalone script to `path` that reproduces a launch: source, options, sizes and argument data. Does not
   * launch the kernel.
   */
  async capture(path: string, queue: CommandQueue, sizes: LaunchSizes | null | undefined, ...args: A): Promise<void> {
    // Checks the arguments like a launch; what this writes to the scratch block is not used.
    const handle = handleOf(this);
    if (args.length === this.numArgs) {
      const resolved = this.#parameters.writeAll(handle, args);
      if (resolved !== undefined) this.#parameters.writeResolved(handle, resolved);
    }
    const { captureLaunch } = await import("./capture.js");
    const adapted = args.map((value, i) => this.#parameters.adapt(value, i));
    await captureLaunch(this, path, queue, sizes ?? this.defaultSizes ?? {}, args, adapted);
  }

  /** Returns the raw answer to any query about one argument. */
  getArgInfo(parameter: number | string, param: number): Uint8Array {
    return argumentInfo(
      handleOf(this),
      this.#parameters.indexOf(parameter),
      checkInteger(param, "param", 0, 0xffffffff),
      describedArguments(this.program, this.name),
    );
  }

  /**
   * Returns the local size that the driver would choose for these sizes. The arguments must be set, for example with
   * {@link setArgs}, because the choice may depend on them. Requires `cl_khr_suggested_local_work_size`.
   */
  suggestedLocalSize(queue: CommandQueue, sizes: Pick<LaunchSizes, "global" | "offset">): readonly number[] {
    checkInstance(queue, CommandQueue, "queue");
    const { global, offset } = checkObject(sizes, "sizes");
    const handle = handleOf(this);
    const target = handleOf(queue);
    requireExtension([queue.device], "cl_khr_suggested_local_work_size", "clGetKernelSuggestedLocalWorkSizeKHR");
    if (this.#overwritten) this.#restore();
    writeSizes({ global, offset } as LaunchSizes, this.#parameters.names, this.#setArguments);
    return native.suggestedLocalSize(target, handle);
  }

  protected override summary(): string {
    return `${this.name}(${this.argTypes.map((type, i) => [type, this.argNames[i]].filter(Boolean).join(" ")).join(", ")})`;
  }
}

// Destructured once: the addon's exports are in dictionary mode, and a lookup at each launch costs 4 ns.
const { launch: nativeLaunch } = native;
