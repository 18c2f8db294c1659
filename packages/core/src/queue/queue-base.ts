/** The lower half of queues: which context and device they are for, and what all that enqueues needs of them. */
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
 * The class that users know, {@link PublicQueue}. It has a method for each command, so it is above the commands, and adds
 * itself here.
 */
export interface QueueClass {}

/** `CommandQueue`, for what folders below its own give to users. */
export type PublicQueue = QueueClass[keyof QueueClass];

/** What `CommandQueue` is made on; commands take it, and use no command of it. */
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
      // All that may throw comes before there is a handle, which an error would lose.
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
    return infoOf(this, queueQueries, "referenceCount");
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
      if (this.released) return;
      try {
        native.flush(handleOf(this));
      } catch {
        // Nobody could be told from here but as uncaught. Whoever waits is told by the event, or by the next call.
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
