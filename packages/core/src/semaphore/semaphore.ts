/** Semaphores: synchronization between queues, contexts, processes and other APIs. */
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

/** Options for creating a semaphore. */
export interface SemaphoreOptions {
  /**
   * Devices that may use the semaphore.
   * @defaultValue all devices of the context
   */
  readonly devices?: readonly Device[];
  /**
   * Handle types that the semaphore can be exported as.
   * @defaultValue none
   */
  readonly exportTypes?: readonly ExternalSemaphoreHandleType[];
  /** Label shown in errors and traces. */
  readonly label?: string;
}

/** Source of an imported semaphore. */
export interface SemaphoreImport {
  /** Type of the handle. */
  readonly type: ExternalSemaphoreHandleType;
  /** The handle. The driver takes ownership: it must not be closed or imported again. */
  readonly fd: number;
  /**
   * Devices that may use the semaphore.
   * @defaultValue all devices of the context
   */
  readonly devices?: readonly Device[];
  /** Label shown in errors and traces. */
  readonly label?: string;
}

/** Options for enqueueing a signal or a wait. */
export interface SemaphoreCommandOptions {
  /** Events that the command waits for. */
  readonly waitFor?: WaitFor;
}

const base = "cl_khr_semaphore";
const external = "cl_khr_external_semaphore";
const create = "clCreateSemaphoreWithPropertiesKHR";

/**
 * A binary semaphore. A wait resets it, so each signal releases one wait. Requires `cl_khr_semaphore`.
 *
 * A wait whose signal is never enqueued never completes.
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

  /** Imports a semaphore of another context, process or API. Requires `cl_khr_external_semaphore`. */
  static import(context: Context, source: SemaphoreImport): Semaphore {
    checkInstance(context, Context, "context");
    const { type, fd, devices, label } = checkOptions(source, ["type", "fd", "devices", "label"], "source");
    checkHandleType(type, ExternalSemaphoreHandleType, "ExternalSemaphoreHandleType", "source.type");
    // A sync file of -1 means an already signaled semaphore.
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

  /** The context. */
  get context(): Context {
    return this.#context;
  }

  /** Type of the semaphore, of `SemaphoreType`. */
  get type(): number {
    return infoOf(this, semaphoreQueries, "type");
  }

  /** 1 if the semaphore is signaled on the device, otherwise 0. */
  get payload(): bigint {
    return infoOf(this, semaphoreQueries, "payload");
  }

  /** The property list that the semaphore was created with, including its terminating 0. */
  get properties(): readonly bigint[] {
    return infoOf(this, semaphoreQueries, "properties");
  }

  /** The driver's reference count. */
  get referenceCount(): number {
    return infoOf(this, semaphoreQueries, "referenceCount");
  }

  /** Enqueues a command that signals the semaphore. */
  enqueueSignal(queue: CommandQueue, options?: SemaphoreCommandOptions): CommandEvent {
    return this.#enqueue(queue, options, native.signalSemaphores, CommandType.SEMAPHORE_SIGNAL_KHR);
  }

  /** Enqueues a command that waits for the semaphore to be signaled and resets it. */
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
   * Exports the semaphore as a file descriptor for {@link Semaphore.import} or another API. The caller owns the
   * descriptor and must close it unless an import takes ownership. `type` must be one of the semaphore's `exportTypes`.
   */
  export(type: ExternalSemaphoreHandleType, device: Device = this.#context.devices[0] as Device): number {
    const self = handleOf(this);
    checkHandleType(type, ExternalSemaphoreHandleType, "ExternalSemaphoreHandleType", "type");
    const target = handleOf(checkInstance(device, Device, "device"));
    requireExtension([device], external, "clGetSemaphoreHandleForTypeKHR");
    return native.exportSemaphore(self, target, type);
  }

  protected override summary(): string {
    return this.payload === 0n ? "not signaled" : "signaled";
  }
}

function checkExportTypes(types: SemaphoreOptions["exportTypes"]): Int32Array {
  if (types === undefined) return new Int32Array(0);
  if (!Array.isArray(types)) throw typeError("options.exportTypes", "an array of ExternalSemaphoreHandleType", types);
  return Int32Array.from(types as readonly unknown[], (type, i) =>
    checkHandleType(type, ExternalSemaphoreHandleType, "ExternalSemaphoreHandleType", `options.exportTypes[${i}]`),
  );
}
