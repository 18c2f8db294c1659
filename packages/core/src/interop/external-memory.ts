/** Buffers over memory that another API allocated. */
import { checkInstance, checkInteger, checkList, checkOptions, checkString, typeError } from "@cl/base";

import { type Handle, native } from "../binding/native.js";
import { Adopted, handleOf } from "../binding/resource.js";
import { ExternalMemoryHandleType, MemObjectType } from "../binding/constants.js";
import { type CommandEvent, eventOf, type WaitFor, waitHandles } from "../event/event.js";
import type { DeviceBuffer } from "../memory/buffer.js";
import { accessNames, type BufferAccessOptions, bufferFlags, checkContradictions } from "../memory/buffer-options.js";
import { checkElementType, type ElementType } from "../dtype/host-array.js";
import { adopters, MemoryObject } from "../memory/memory-object.js";
import { Context } from "../platform/context.js";
import type { Device } from "../platform/device.js";
import type { QueueBase } from "../queue/queue-base.js";
import type { TypedArray } from "../typed/index.js";
import { checkDescriptor, checkHandleType, deviceHandles } from "./descriptor.js";
import { requireExtension } from "./extension.js";

/** Source of an imported buffer. */
export interface BufferImport<T extends TypedArray = TypedArray> extends BufferAccessOptions {
  /** Type of the handle. */
  readonly handleType: ExternalMemoryHandleType;
  /** The handle. The driver takes ownership of an opaque one: it must not be closed or imported again. */
  readonly fd: number;
  /** Size of the memory, in bytes. */
  readonly size: number;
  /** Typed array class of the elements. */
  readonly type?: ElementType<T>;
  /**
   * Devices that may use the buffer.
   * @defaultValue all devices of the context
   */
  readonly devices?: readonly Device[];
}

/** Options for acquiring and releasing external memory. */
export interface ExternalMemoryOptions {
  /** Events that the command waits for. */
  readonly waitFor?: WaitFor;
}

const extension = "cl_khr_external_memory";

/**
 * Returns a buffer over memory that another API allocated and exported. Requires `cl_khr_external_memory` and the
 * extension of the handle type. Commands may use the buffer between `queue.enqueueAcquireExternal` and
 * `queue.enqueueReleaseExternal`.
 */
export function importBuffer<T extends TypedArray>(context: Context, source: BufferImport<T>): DeviceBuffer<T> {
  checkInstance(context, Context, "context");
  const given = checkOptions(source, ["handleType", "fd", "size", "type", "devices", ...accessNames], "source");
  const { handleType, fd, size, type, devices, label } = given;
  checkHandleType(handleType, ExternalMemoryHandleType, "ExternalMemoryHandleType", "source.handleType");
  checkDescriptor(fd, "source.fd");
  checkInteger(size, "source.size", 1);
  if (type !== undefined) checkElementType(type, "source.type");
  const name = label === undefined ? undefined : checkString(label, "source.label");
  const flags = bufferFlags(given);
  checkContradictions(flags);
  const handles = deviceHandles(context, devices);
  const owner = handleOf(context);
  requireExtension(context.devices, extension, "clCreateBufferWithProperties");
  const handle = native.importBuffer(owner, flags, size, handleType, fd, handles);
  const adopt = adopters.get(MemObjectType.BUFFER) as NonNullable<ReturnType<typeof adopters.get>>;
  let bytes: DeviceBuffer<T>;
  try {
    bytes = adopt(context, new Adopted(handle, name)) as DeviceBuffer<T>;
  } catch (error) {
    native.recycle(handle);
    throw error;
  }
  if (type === undefined) return bytes;
  try {
    return bytes.as(type);
  } finally {
    bytes.release();
  }
}

/** Enqueues the acquisition of imported memory from the API that owns it. */
export function enqueueAcquireExternal(
  queue: QueueBase,
  memories: MemoryObject | readonly MemoryObject[],
  options?: ExternalMemoryOptions,
): CommandEvent {
  return enqueue(queue, memories, options, native.acquireExternal, "clEnqueueAcquireExternalMemObjectsKHR");
}

/** Enqueues the release of imported memory to the API that owns it. */
export function enqueueReleaseExternal(
  queue: QueueBase,
  memories: MemoryObject | readonly MemoryObject[],
  options?: ExternalMemoryOptions,
): CommandEvent {
  return enqueue(queue, memories, options, native.releaseExternal, "clEnqueueReleaseExternalMemObjectsKHR");
}

function enqueue(
  queue: QueueBase,
  memories: MemoryObject | readonly MemoryObject[],
  options: ExternalMemoryOptions | undefined,
  call: typeof native.acquireExternal,
  routine: string,
): CommandEvent {
  const target = handleOf(queue);
  const several = Array.isArray(memories);
  const list = (several ? checkList(memories, "memories", "memory objects") : [memories]) as readonly MemoryObject[];
  if (list.length === 0) throw typeError("memories", "at least one memory object", memories);
  const handles = Int32Array.from(list, (memory, i) =>
    handleOf(checkInstance(memory, MemoryObject, several ? `memories[${i}]` : "memories")),
  );
  const waits = waitHandles(checkOptions(options, ["waitFor"]).waitFor, "options.waitFor");
  requireExtension([queue.device], extension, routine);
  return eventOf(call(target, handles, waits, true) as Handle, queue);
}
