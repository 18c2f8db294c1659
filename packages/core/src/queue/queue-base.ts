/** Base class of queues: context, device, properties and flushing. */
import { checkInstance, checkOptions } from "@cl/base";

import { CommandQueueInfo, CommandQueueProperties } from "../binding/constants.js";
import { type Handle, native } from "../binding/native.js";
import { QueriedResource } from "../binding/queried-resource.js";
import { Adopted, handleOf } from "../binding/resource.js";
import { queueQueries } from "../info/queue-info.js";
import { infoOf } from "../info/query.js";
import { Context } from "../platform/context.js";
import { Device } from "../platform/device.js";
import { chooseDevice, type CommandQueueOptions, paceDepth, propertyList } from "./queue-options.js";
import { noteQueue } from "./queue-registry.js";

/**
 * Registry of the public queue class. `CommandQueue` has a method per command and therefore depends on the commands; it
 * adds itself here by declaration merging.
 */
export interface QueueClass {}

/** `CommandQueue`, for public types in modules below it. */
export type PublicQueue = QueueClass[keyof QueueClass];

/** Base class of `CommandQueue`, used by the implementations of commands. */
export abstract class QueueBase extends QueriedResource {
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
      const given = checkOptions(options, [
        "device",
        "outOfOrder",
        "profiling",
        "priority",
        "throttle",
        "properties",
        "depth",
        "label",
      ]);
      const device = chooseDevice(context, given.device);
      // Everything that may throw comes before the handle exists, which an error would leak.
      const { label } = given;
      super(
        native.createQueue(handleOf(context), handleOf(device), propertyList(device, given), paceDepth(given)),
        label,
      );
      this.#device = device;
    }
    this.#context = context;
    this.#properties = infoOf(this, queueQueries, "properties");
    if (this.profiling) noteQueue(handleOf(this), this.label, this.#device, this.outOfOrder);
  }

  /** The context. */
  get context(): Context {
    return this.#context;
  }

  /** The device that runs its commands. */
  get device(): Device {
    return this.#device;
  }

  /** Whether commands may execute out of order. */
  get outOfOrder(): boolean {
    return (this.#properties & CommandQueueProperties.OUT_OF_ORDER_EXEC_MODE_ENABLE) !== 0;
  }

  /** Whether commands record profiling times. */
  get profiling(): boolean {
    return (this.#properties & CommandQueueProperties.PROFILING_ENABLE) !== 0;
  }

  /** The driver's reference count. */
  get referenceCount(): number {
    return infoOf(this, queueQueries, "referenceCount");
  }

  /** Submits all enqueued commands to the device without waiting. Waiting calls do this automatically. */
  flush(): void {
    native.flush(handleOf(this));
  }

  /** @internal Flushes once for all waits of the current turn of the event loop. */
  flushSoon(): void {
    if (this.#flushIsDue) return;
    this.#flushIsDue = true;
    queueMicrotask(() => {
      this.#flushIsDue = false;
      if (this.released) return;
      try {
        native.flush(handleOf(this));
      } catch {
        // Throwing here would be uncaught; the event or the next call reports the error.
      }
    });
  }

  protected override summary(): string {
    const modes = [this.outOfOrder ? "out of order" : "in order", ...(this.profiling ? ["profiling"] : [])];
    return `'${this.#device.name}', ${modes.join(", ")}`;
  }
}

function adoptedDevice(context: Context, handle: Handle): Device {
  const pointer = new DataView(native.getInfo(handle, CommandQueueInfo.DEVICE).buffer).getBigUint64(0, true);
  return context.devices.find((device) => device.pointer === pointer) ?? Device.fromPointer(pointer);
}
