/** Command queues: where commands are put for one device, in order or not. */
import { checkInstance, checkInteger, checkOptions, typeError } from "./check.js";
import { completionOf } from "./completion.js";
import { CommandQueueInfo, CommandQueueProperties, CommandStatus, QueuePriority, QueueProperties, QueueThrottle } from "./constants.js";
import { Context } from "./context.js";
import { Device } from "./device.js";
import { driverError, NotSupportedError } from "./errors.js";
import { type CommandEvent, eventOf, type WaitFor, waitHandles, type WaitOptions } from "./event.js";
import { type QueueInfoProperties, queueQueries } from "./info/queue-info.js";
import { ask } from "./info/query.js";
import { type Handle, handleKinds, native } from "./native.js";
import { Adopted, handleOf, Resource } from "./resource.js";

/** How to make a queue. */
export interface CommandQueueOptions {
  /** Which of the context's devices; the first if not said. */
  readonly device?: Device;
  /** Commands may overtake each other unless events or barriers hold them. */
  readonly outOfOrder?: boolean;
  /** Commands remember when they were queued, started and ended. */
  readonly profiling?: boolean;
  /** A hint about this queue against the device's others; needs `cl_khr_priority_hints`. */
  readonly priority?: "low" | "medium" | "high";
  /** A hint about energy against speed; needs `cl_khr_throttle_hints`. */
  readonly throttle?: "low" | "medium" | "high";
  /** Further key and value pairs, vendors' own included. */
  readonly properties?: readonly (readonly [key: number, value: number | bigint])[];
  /** A name of yours, shown in errors and traces. */
  readonly label?: string;
}

const priorities = {
  low: QueuePriority.LOW_KHR,
  medium: QueuePriority.MED_KHR,
  high: QueuePriority.HIGH_KHR,
} as const;
const throttles = {
  low: QueueThrottle.LOW_KHR,
  medium: QueueThrottle.MED_KHR,
  high: QueueThrottle.HIGH_KHR,
} as const;

/**
 * A queue of commands for one device.
 *
 * @example
 * ```ts
 * await using queue = new CommandQueue(context, { profiling: true });
 * ```
 */
export class CommandQueue extends Resource {
  readonly #context: Context;
  readonly #device: Device;
  readonly #properties: number;
  #flushIsDue = false;

  constructor(context: Context, options?: CommandQueueOptions);
  /** @internal */
  constructor(context: Context, adopted: Adopted);
  constructor(context: Context, options?: CommandQueueOptions | Adopted) {
    checkInstance(context, Context, "context");
    if (options instanceof Adopted) {
      super(options.handle, options.label);
      this.#device = adoptedDevice(context, options.handle);
    } else {
      const given = checkOptions(options);
      const device = chooseDevice(context, given.device);
      super(native.createQueue(handleOf(context), handleOf(device), propertyList(device, given)), given.label);
      this.#device = device;
    }
    this.#context = context;
    this.#properties = this.#query("properties");
  }

  /** A queue made elsewhere in this process. With `retain: false` its reference becomes ours. */
  static fromPointer(context: Context, pointer: bigint, { retain = true }: { retain?: boolean } = {}): CommandQueue {
    checkInstance(context, Context, "context");
    return new CommandQueue(context, new Adopted(native.adopt(handleKinds.indexOf("queue"), pointer, retain)));
  }

  /** The context it belongs to. */
  get context(): Context {
    return this.#context;
  }

  /** The device that runs its commands. */
  get device(): Device {
    return this.#device;
  }

  /** True if commands may overtake each other. */
  get outOfOrder(): boolean {
    return (this.#properties & CommandQueueProperties.OUT_OF_ORDER_EXEC_MODE_ENABLE) !== 0;
  }

  /** True if commands remember their times. */
  get profiling(): boolean {
    return (this.#properties & CommandQueueProperties.PROFILING_ENABLE) !== 0;
  }

  /** References that the driver counts. */
  get referenceCount(): number {
    return this.#query("referenceCount");
  }

  /** The raw answer of any query. */
  getInfo(param: number): Uint8Array {
    return native.getInfo(handleOf(this), checkInteger(param, "param", 0, 0xffffffff));
  }

  #query<K extends keyof QueueInfoProperties>(name: K): QueueInfoProperties[K] {
    return ask(queueQueries, name, (param) => this.getInfo(param));
  }

  /** Hands everything so far to the device, without waiting. Waiting calls do it themselves. */
  flush(): void {
    native.flush(handleOf(this));
  }

  /** @internal One flush for everything that is awaited in this turn. */
  flushSoon(): void {
    if (this.#flushIsDue) return;
    this.#flushIsDue = true;
    queueMicrotask(() => {
      this.#flushIsDue = false;
      if (!this.released) native.flush(handleOf(this));
    });
  }

  /** Resolves when everything so far has completed. */
  async finish(options?: WaitOptions): Promise<void> {
    const { signal } = checkOptions(options);
    const marker = native.marker(handleOf(this), undefined, true) as Handle;
    try {
      const done = completionOf((id) => native.watchEvent(marker, CommandStatus.COMPLETE, id), signal);
      this.flushSoon();
      const status = await done;
      if (status < 0) throw driverError("clFinish", status);
    } finally {
      native.recycle(marker);
    }
  }

  /** Blocks the event loop until everything so far has completed. */
  finishSync(): void {
    native.finishSync(handleOf(this));
  }

  /** A command that completes when everything before it has, or when the given events have. */
  enqueueMarker(waitFor?: WaitFor): CommandEvent {
    return eventOf(native.marker(handleOf(this), waitHandles(waitFor), true) as Handle, this);
  }

  /** Like a marker, and nothing after it starts before it completes. */
  enqueueBarrier(waitFor?: WaitFor): CommandEvent {
    return eventOf(native.barrier(handleOf(this), waitHandles(waitFor), true) as Handle, this);
  }

  /** Nothing enqueued after this starts before these events have completed. */
  enqueueWaitForEvents(...events: readonly (CommandEvent | readonly CommandEvent[])[]): void {
    const handles = waitHandles(events.flat());
    if (handles !== undefined) native.barrier(handleOf(this), handles, false);
  }

  /** Waits for everything, then releases; for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.released) return;
    try {
      await this.finish();
    } finally {
      this.release();
    }
  }

  protected override summary(): string {
    const modes = [this.outOfOrder ? "out of order" : "in order", ...(this.profiling ? ["profiling"] : [])];
    return `'${this.#device.name}', ${modes.join(", ")}`;
  }
}

function chooseDevice(context: Context, device: Device | undefined): Device {
  if (device === undefined) return context.devices[0] as Device;
  checkInstance(device, Device, "options.device");
  if (!context.devices.includes(device)) throw typeError("options.device", "a device of the context", device);
  return device;
}

function adoptedDevice(context: Context, handle: Handle): Device {
  const pointer = new DataView(native.getInfo(handle, CommandQueueInfo.DEVICE).buffer).getBigUint64(0, true);
  return context.devices.find((device) => device.pointer === pointer) ?? Device.fromPointer(pointer);
}


function propertyList(device: Device, options: CommandQueueOptions): BigUint64Array {
  const bits =
    (flag(options.outOfOrder, "options.outOfOrder") ? CommandQueueProperties.OUT_OF_ORDER_EXEC_MODE_ENABLE : 0) |
    (flag(options.profiling, "options.profiling") ? CommandQueueProperties.PROFILING_ENABLE : 0);
  const list: (number | bigint)[] = bits === 0 ? [] : [QueueProperties.PROPERTIES, bits];
  if (options.outOfOrder && !device.hasQueueOutOfOrderExecMode) {
    throw new NotSupportedError("clCreateCommandQueue", `device '${device.name}' has no out-of-order queues`);
  }
  if (options.profiling && !device.hasQueueProfiling) {
    throw new NotSupportedError("clCreateCommandQueue", `device '${device.name}' has no profiling queues`);
  }
  const hint = (value: unknown, name: string, values: Readonly<Record<string, number>>, key: number): void => {
    if (value === undefined) return;
    const chosen = typeof value === "string" && Object.hasOwn(values, value) ? values[value] : undefined;
    if (chosen === undefined) throw typeError(`options.${name}`, '"low", "medium" or "high"', value);
    const extension = `cl_khr_${name}_hints`;
    if (!device.hasExtension(extension)) {
      throw new NotSupportedError("clCreateCommandQueueWithProperties", `device '${device.name}' lacks ${extension}`);
    }
    list.push(key, chosen);
  };
  hint(options.priority, "priority", priorities, QueueProperties.PRIORITY_KHR);
  hint(options.throttle, "throttle", throttles, QueueProperties.THROTTLE_KHR);
  for (const [i, pair] of (options.properties ?? []).entries()) {
    if (!Array.isArray(pair) || pair.length !== 2) throw typeError(`options.properties[${i}]`, "a [key, value] pair", pair);
    const [key, value] = pair as [unknown, unknown];
    list.push(
      checkInteger(key, `options.properties[${i}][0]`),
      typeof value === "bigint" ? BigInt.asUintN(64, value) : checkInteger(value, `options.properties[${i}][1]`),
    );
  }
  return BigUint64Array.from(list, BigInt);
}

function flag(value: unknown, name: string): boolean {
  if (value === undefined) return false;
  if (typeof value !== "boolean") throw typeError(name, "true or false", value);
  return value;
}
