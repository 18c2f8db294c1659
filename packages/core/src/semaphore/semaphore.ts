/** Semaphores: order between queues, contexts, processes and other programming interfaces. */
import { checkInstance, checkOptions, checkString, typeError } from "@cl/base";

import { type Handle, native } from "../binding/native.js";
import { QueriedResource } from "../binding/queried-resource.js";
import { Adopted, handleOf } from "../binding/resource.js";
import { CommandType, ExternalSemaphoreHandleType } from "../binding/constants.js";
import { type CommandEvent, eventOf, type WaitFor, waitHandles } from "../event/event.js";
import { semaphoreQueries } from "../info/semaphore-info.js";
import { infoOf } from "../info/query.js";
import { Context } from "../platform/context.js";
import { Device } from "../platform/device.js";
import { CommandQueue } from "../command-queue/command-queue.js";
import { checkDescriptor, checkHandleType, deviceHandles } from "../interop/descriptor.js";
import { requireExtension } from "../interop/extension.js";

/** How to make a semaphore. */
export interface SemaphoreOptions {
  /** The devices that may use it; all of the context's if not said. */
  readonly devices?: readonly Device[];
  /** Kinds of handle that it can be exported as; none if not said. */
  readonly exportTypes?: readonly ExternalSemaphoreHandleType[];
  /** A name of yours, shown in errors and traces. */
  readonly label?: string;
}

/** What a semaphore is imported from. */
export interface SemaphoreImport {
  /** The kind of handle. */
  readonly type: ExternalSemaphoreHandleType;
  /** The handle. The driver owns it from then on: it must not be closed, nor imported again. */
  readonly fd: number;
  /** The devices that may use it; all of the context's if not said. */
  readonly devices?: readonly Device[];
  /** A name of yours, shown in errors and traces. */
  readonly label?: string;
}

/** How to enqueue a signal or a wait. */
export interface SemaphoreCommandOptions {
  /** What the command waits for. */
  readonly waitFor?: WaitFor;
}

const base = "cl_khr_semaphore";
const external = "cl_khr_external_semaphore";
const create = "clCreateSemaphoreWithPropertiesKHR";

/**
 * A binary semaphore. A wait takes the signal away, so each signal lets one wait pass. Needs `cl_khr_semaphore`.
 *
 * Signal and wait belong in this order on the device: a wait whose signal is never enqueued never ends.
 *
 * @example
 * ```ts no-run
 * const semaphore = new Semaphore(context, { exportTypes: [ExternalSemaphoreHandleType.OPAQUE_FD_KHR] });
 * const fd = semaphore.export(ExternalSemaphoreHandleType.OPAQUE_FD_KHR);
 * const same = Semaphore.import(other, { type: ExternalSemaphoreHandleType.OPAQUE_FD_KHR, fd });
 * semaphore.enqueueSignal(producer);
 * same.enqueueWait(consumer);
 * ```
 */
export class Semaphore extends QueriedResource {
  readonly #context: Context;

  constructor(context: Context, options?: SemaphoreOptions);
  /** @internal */
  constructor(context: Context, adopted: Adopted);
  constructor(context: Context, options?: SemaphoreOptions | Adopted) {
    checkInstance(context, Context, "context");
    if (options instanceof Adopted) {
      super(options.handle, options.label);
    } else {
      const { devices, exportTypes, label } = checkOptions(options, ["devices", "exportTypes", "label"]);
      const name = label === undefined ? undefined : checkString(label, "options.label");
      const handles = deviceHandles(context, devices);
      const types = checkExportTypes(exportTypes);
      const owner = handleOf(context);
      requireExtension(context.devices, base, create);
      if (types.length > 0) requireExtension(context.devices, external, create);
      super(native.createSemaphore(owner, handles, types, 0, 0), name);
    }
    this.#context = context;
  }

  /** A semaphore that another context, process or programming interface made. Needs `cl_khr_external_semaphore`. */
  static import(context: Context, source: SemaphoreImport): Semaphore {
    checkInstance(context, Context, "context");
    const { type, fd, devices, label } = checkOptions(source, ["type", "fd", "devices", "label"], "source");
    checkHandleType(type, ExternalSemaphoreHandleType, "ExternalSemaphoreHandleType", "source.type");
    // A sync file of -1 is one that has been signalled already.
    checkDescriptor(fd, "source.fd", type === ExternalSemaphoreHandleType.SYNC_FD_KHR ? -1 : 0);
    const name = label === undefined ? undefined : checkString(label, "source.label");
    const handles = deviceHandles(context, devices);
    const owner = handleOf(context);
    requireExtension(context.devices, base, create);
    requireExtension(context.devices, external, create);
    return new Semaphore(
      context,
      new Adopted(native.createSemaphore(owner, handles, new Int32Array(0), type, fd), name),
    );
  }

  /** The context it belongs to. */
  get context(): Context {
    return this.#context;
  }

  /** Its kind, of `SemaphoreType`. */
  get type(): number {
    return infoOf(this, semaphoreQueries, "type");
  }

  /** 1 if it is signalled, 0 if not, as the device knows it now. */
  get payload(): bigint {
    return infoOf(this, semaphoreQueries, "payload");
  }

  /** The property list that it was made with, with its closing 0. */
  get properties(): readonly bigint[] {
    return infoOf(this, semaphoreQueries, "properties");
  }

  /** References that the driver counts. */
  get referenceCount(): number {
    return infoOf(this, semaphoreQueries, "referenceCount");
  }

  /** A command that signals it. */
  enqueueSignal(queue: CommandQueue, options?: SemaphoreCommandOptions): CommandEvent {
    return this.#enqueue(queue, options, native.signalSemaphores, CommandType.SEMAPHORE_SIGNAL_KHR);
  }

  /** A command that ends when it is signalled, and takes the signal away. */
  enqueueWait(queue: CommandQueue, options?: SemaphoreCommandOptions): CommandEvent {
    return this.#enqueue(queue, options, native.waitSemaphores, CommandType.SEMAPHORE_WAIT_KHR);
  }

  #enqueue(
    queue: CommandQueue,
    options: SemaphoreCommandOptions | undefined,
    call: typeof native.signalSemaphores,
    type: number,
  ): CommandEvent {
    const self = Int32Array.of(handleOf(this));
    const target = handleOf(checkInstance(queue, CommandQueue, "queue"));
    const waits = waitHandles(checkOptions(options, ["waitFor"]).waitFor, "options.waitFor");
    return eventOf(call(target, self, waits, true) as Handle, queue, type);
  }

  /**
   * A file descriptor of it, for {@link Semaphore.import} or another programming interface. It is yours: close it,
   * unless an import takes it over. `type` must be one of the `exportTypes` that it was made with.
   */
  export(type: ExternalSemaphoreHandleType, device: Device = this.#context.devices[0] as Device): number {
    const self = handleOf(this);
    checkHandleType(type, ExternalSemaphoreHandleType, "ExternalSemaphoreHandleType", "type");
    const target = handleOf(checkInstance(device, Device, "device"));
    requireExtension([device], external, "clGetSemaphoreHandleForTypeKHR");
    return native.exportSemaphore(self, target, type);
  }

  protected override summary(): string {
    return this.payload === 0n ? "not signalled" : "signalled";
  }
}

function checkExportTypes(types: SemaphoreOptions["exportTypes"]): Int32Array {
  if (types === undefined) return new Int32Array(0);
  if (!Array.isArray(types)) throw typeError("options.exportTypes", "an array of ExternalSemaphoreHandleType", types);
  return Int32Array.from(types as readonly unknown[], (type, i) =>
    checkHandleType(type, ExternalSemaphoreHandleType, "ExternalSemaphoreHandleType", `options.exportTypes[${i}]`),
  );
}
