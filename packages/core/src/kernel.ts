/** Kernels: their arguments, their launches, and what can be asked about them. */
import { BoundKernel } from "./bound-kernel.js";
import { checkInteger, checkOptions, checkString, typeError } from "./check.js";
import type { Context } from "./context.js";
import type { Device } from "./device.js";
import { errorPosition } from "./errors.js";
import { type CommandEvent, eventOf, waitHandles } from "./event.js";
import {
  type KernelSubGroupProperties,
  kernelQueries,
  kernelSubGroupQueries,
  type KernelWorkGroupProperties,
  kernelWorkGroupQueries,
} from "./info/kernel-info.js";
import { ask } from "./info/query.js";
import { KernelParameters } from "./kernel-parameters.js";
import { type LaunchSizes, writeSizes } from "./kernel-sizes.js";
import { type ParameterType, parameterType } from "./kernel-type.js";
import { type Handle, handleKinds, native } from "./native.js";
import { noteFirstLaunch } from "./program-refresh.js";
import type { Program } from "./program.js";
import { CommandQueue } from "./queue.js";
import { Adopted, handleOf, kernelHandle, queueHandle, Resource } from "./resource.js";
import { launchFlags, setLaunch } from "./scratch.js";

/** A declared parameter type: its name in OpenCL C, or the size of a struct in bytes; null leaves it as discovered. */
export type DeclaredType = string | { readonly bytes: number } | null;

/**
 * A kernel of a built program. `A` is the tuple of its argument types, which a program with a source literal knows.
 *
 * @example
 * ```ts
 * program.kernel("saxpy").launch(queue, { global: 3 }, 2, x, y);
 * ```
 */
export class Kernel<A extends readonly unknown[] = readonly unknown[]> extends Resource {
  readonly #program: Program;
  readonly #name: string;
  #parameters: KernelParameters;
  /** Arguments that were set one by one: kept alive here, since OpenCL does not promise to. */
  #set: unknown[] = [];
  #launched = false;

  /** Over what the kernel runs when a launch does not say. */
  defaultSizes: LaunchSizes | undefined;

  /** A kernel object of its own, with its own arguments; `program.kernel(name)` gives one that is shared. */
  constructor(program: Program, name: string);
  /** @internal */
  constructor(program: Program, adopted: Adopted);
  constructor(program: Program, name: string | Adopted) {
    const handle = name instanceof Adopted ? name.handle : native.createKernel(handleOf(program), checkString(name, "name"));
    super(handle, name instanceof Adopted ? name.label : undefined);
    this.#program = program;
    const read = (param: number): Uint8Array => native.getInfo(handle, param);
    this.#name = name instanceof Adopted ? ask(kernelQueries, "functionName", read) : name;
    this.#parameters = KernelParameters.discover(handle, this.#words, ask(kernelQueries, "numArgs", read));
    this.#parameters.describe(handle);
  }

  /** A kernel made elsewhere in this process. With `retain: false` its reference becomes ours. */
  static fromPointer(program: Program, pointer: bigint, { retain = true }: { retain?: boolean } = {}): Kernel {
    return new Kernel(program, new Adopted(native.adopt(handleKinds.indexOf("kernel"), pointer, retain)));
  }

  get #words(): string {
    return `kernel "${this.#name}"`;
  }

  /** Its function's name. */
  get name(): string {
    return this.#name;
  }

  /** The program it is of. */
  get program(): Program {
    return this.#program;
  }

  /** The context it belongs to. */
  get context(): Context {
    return this.#program.context;
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
    this.#checkCount(names, "argNames");
    this.#replace(this.#parameters.types, names);
  }

  /** Types of its arguments: as the runtime tells them, or as declared. Setting them forgets arguments that were set. */
  get argTypes(): readonly string[] {
    return this.#parameters.types.map((type) => type.text);
  }

  set argTypes(types: readonly DeclaredType[]) {
    this.#checkCount(types, "argTypes");
    this.#replace(
      types.map((type, i) => declared(type, this.#parameters.types[i] as ParameterType, i)),
      this.#parameters.names,
    );
  }

  #checkCount(list: readonly unknown[], name: string): void {
    if (!Array.isArray(list) || list.length !== this.numArgs) throw typeError(name, `an array of ${this.numArgs}, one for each argument`, list);
  }

  #replace(types: readonly ParameterType[], names: readonly (string | undefined)[]): void {
    const parameters = new KernelParameters(this.#words, types, names);
    parameters.describe(handleOf(this));
    this.#parameters = parameters;
    this.#set = [];
  }

  /**
   * Checks and binds the arguments and enqueues the kernel, in one native call; makes no event and returns nothing.
   *
   * @param sizes - over what it runs; {@link defaultSizes} if null
   */
  launch(queue: CommandQueue, sizes: LaunchSizes | null | undefined, ...args: A): void {
    this.#launch(queue, sizes, args, 0);
  }

  /** Like {@link launch}, with an event. */
  enqueue(queue: CommandQueue, sizes: LaunchSizes | null | undefined, ...args: A): CommandEvent {
    return eventOf(this.#launch(queue, sizes, args, launchFlags.wantEvent) as Handle, queue);
  }

  /** Launches and blocks the event loop until everything on the queue has completed, in one native call. */
  launchAndFinishSync(queue: CommandQueue, sizes: LaunchSizes | null | undefined, ...args: A): void {
    this.#launch(queue, sizes, args, launchFlags.thenFinish);
  }

  /** Launches with the arguments that {@link setArg} and {@link setArgs} gave. */
  launchAgain(queue: CommandQueue, sizes?: LaunchSizes | null): void {
    this.#launch(queue, sizes, this.#set, launchFlags.keepArguments);
  }

  /** Like {@link launchAgain}, with an event. */
  enqueueAgain(queue: CommandQueue, sizes?: LaunchSizes | null): CommandEvent {
    const flags = launchFlags.keepArguments | launchFlags.wantEvent;
    return eventOf(this.#launch(queue, sizes, this.#set, flags) as Handle, queue);
  }

  #launch(queue: CommandQueue, given: LaunchSizes | null | undefined, args: readonly unknown[], flags: number): Handle | undefined {
    if (!(queue instanceof CommandQueue)) throw typeError("queue", "a CommandQueue", queue);
    const sizes = given ?? this.defaultSizes;
    if (typeof sizes !== "object") throw typeError("sizes", "an object such as { global: 1024 }, since the kernel has no defaultSizes", given);
    const handle = kernelHandle(this);
    const parameters = this.#parameters;
    // Before anything is written: a list of events may be any object, and run any code.
    const { waitFor } = sizes;
    const waits = waitFor === undefined || waitFor === null ? undefined : waitHandles(waitFor);
    let full = writeSizes(sizes, parameters, args);
    if ((flags & launchFlags.keepArguments) === 0 && parameters.writeAll(handle, args)) full = writeSizes(sizes, parameters, args);
    try {
      setLaunch(queueHandle(queue), handle, full ? flags : flags | launchFlags.empty);
      const event = waits === undefined ? nativeLaunch() : nativeLaunch(waits);
      if (!this.#launched) {
        this.#launched = true;
        noteFirstLaunch(this.#program);
      }
      return event;
    } catch (error) {
      throw explained(error, parameters);
    }
  }

  /** Sets one argument, by position or name, for {@link launchAgain}. */
  setArg(parameter: number | string, value: unknown): this {
    const i = this.#parameters.indexOf(parameter);
    const handle = handleOf(this);
    this.#parameters.write(handle, i, this.#parameters.resolve(value, i));
    try {
      native.setKernelArgument(handle, i);
    } catch (error) {
      throw explained(error, this.#parameters);
    }
    this.#set[i] = value;
    return this;
  }

  /** Sets all arguments, for {@link launchAgain}. */
  setArgs(...args: A): this {
    const handle = handleOf(this);
    this.#parameters.writeAll(handle, args);
    try {
      native.setKernelArguments(handle);
    } catch (error) {
      throw explained(error, this.#parameters);
    }
    this.#set = [...args];
    return this;
  }

  /** Fixes sizes and arguments once, so that launching costs next to nothing. Single arguments can be changed later. */
  bind(sizes: LaunchSizes | null | undefined, ...args: A): BoundKernel {
    const chosen = checkOptions((sizes ?? this.defaultSizes) as LaunchSizes | undefined, "sizes");
    if (chosen.waitFor !== undefined && chosen.waitFor !== null) throw typeError("sizes.waitFor", "left out: pass it to enqueue", chosen.waitFor);
    const handle = this.#cloneHandle();
    try {
      return new BoundKernel(handle, this, this.#parameters.copy(), chosen, args);
    } catch (error) {
      native.recycle(handle);
      throw explained(error, this.#parameters);
    }
  }

  /** Another kernel object with the same arguments set, independent from now on. */
  clone(): Kernel<A> {
    const clone = new Kernel<A>(this.#program, new Adopted(this.#cloneHandle(), this.label));
    clone.#set = [...this.#set];
    clone.defaultSizes = this.defaultSizes;
    clone.#parameters = this.#parameters.copy();
    return clone;
  }

  #cloneHandle(): Handle {
    // The program is needed only where the runtime cannot clone.
    return native.cloneKernel(handleOf(this), this.#program.released ? 0 : handleOf(this.#program), this.#name);
  }

  /**
   * Writes a script to `path` that reproduces one launch by itself: source, options, sizes and the arguments' data.
   * The launch is not made.
   */
  async capture(path: string, queue: CommandQueue, sizes: LaunchSizes | null | undefined, ...args: A): Promise<void> {
    const { captureLaunch } = await import("./capture.js");
    await captureLaunch(this as unknown as Kernel, path, queue, sizes ?? this.defaultSizes ?? {}, args);
  }

  /** The address of the kernel object. After this, arguments may be set elsewhere, so none is taken as set. */
  override get pointer(): bigint {
    native.forgetKernelArguments(handleOf(this));
    return super.pointer;
  }

  /** `__attribute__` qualifiers of the source, such as `reqd_work_group_size(8,1,1)`. */
  get attributes(): string {
    return ask(kernelQueries, "attributes", (param) => this.getInfo(param));
  }

  /** References that the driver counts. */
  get referenceCount(): number {
    return ask(kernelQueries, "referenceCount", (param) => this.getInfo(param));
  }

  /** The raw answer of any query. */
  getInfo(param: number): Uint8Array {
    return native.getInfo(handleOf(this), checkInteger(param, "param", 0, 0xffffffff));
  }

  /** The raw answer of any query about one argument. */
  getArgInfo(parameter: number | string, param: number): Uint8Array {
    return native.getArgInfo(handleOf(this), this.#parameters.indexOf(parameter), checkInteger(param, "param", 0, 0xffffffff));
  }

  /** What the kernel needs of a work-group on a device, the context's first if not said. */
  workGroup(device: Device = this.context.devices[0] as Device): KernelWorkGroupProperties {
    const read = (param: number): Uint8Array => this.getWorkGroupInfo(param, device);
    return lazily(kernelWorkGroupQueries, read);
  }

  /** The raw answer of any work-group query. */
  getWorkGroupInfo(param: number, device: Device = this.context.devices[0] as Device): Uint8Array {
    return native.getWorkGroupInfo(handleOf(this), handleOf(device), checkInteger(param, "param", 0, 0xffffffff));
  }

  /** What the kernel says of sub-groups on a device, for a local size or a number of sub-groups. */
  subGroup(input: readonly number[] = [], device: Device = this.context.devices[0] as Device): KernelSubGroupProperties {
    return lazily(kernelSubGroupQueries, (param) => this.getSubGroupInfo(param, input, device));
  }

  /** The raw answer of any sub-group query. */
  getSubGroupInfo(param: number, input: readonly number[] = [], device: Device = this.context.devices[0] as Device): Uint8Array {
    const sizes = BigUint64Array.from(input, (value, i) => BigInt(checkInteger(value, `input[${i}]`)));
    return native.getSubGroupInfo(handleOf(this), handleOf(device), checkInteger(param, "param", 0, 0xffffffff), sizes);
  }

  protected override summary(): string {
    return `${this.#name}(${this.argTypes.map((type, i) => [type, this.argNames[i]].filter(Boolean).join(" ")).join(", ")})`;
  }
}

// Taken out once: the addon's exports are a dictionary, and a look-up at each launch costs 4 ns.
const { launch: nativeLaunch } = native;

/** Puts the argument's name into an error that the native side could only number. */
export function explained(error: unknown, parameters: KernelParameters): unknown {
  const position = errorPosition(error);
  if (error instanceof Error && position >= 0 && position < parameters.count) {
    error.message = `${parameters.nameOf(position)}: ${error.message}`;
  }
  return error;
}

function declared(type: DeclaredType, discovered: ParameterType, i: number): ParameterType {
  if (type === null) return discovered;
  if (typeof type === "string") return parameterType(type);
  const bytes = checkInteger(checkOptions(type, `argTypes[${i}]`).bytes, `argTypes[${i}].bytes`, 1, 32 * 1024);
  return { kind: "struct", text: `struct of ${bytes} bytes`, bytes };
}

/** An object whose properties are asked when they are read: each is a driver call, and some devices lack some. */
function lazily<P extends object>(queries: { readonly [K in keyof P]-?: { readonly param: number; readonly decode: (bytes: Uint8Array) => P[K] } }, read: (param: number) => Uint8Array): P {
  const object = {};
  for (const name of Object.keys(queries) as (keyof P)[]) {
    Object.defineProperty(object, name, { enumerable: true, get: () => queries[name].decode(read(queries[name].param)) });
  }
  return object as P;
}

