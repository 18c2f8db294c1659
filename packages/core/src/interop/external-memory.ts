/** Memory that another programming interface made, as buffers. */
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

/** What a buffer is imported from. */
export interface BufferImport<T extends TypedArray = TypedArray> extends BufferAccessOptions {
  /** The kind of handle. */
  readonly handleType: ExternalMemoryHandleType;
  /** The handle. An opaque one is the driver's from then on: it must not be closed, nor imported again. */
  readonly fd: number;
  /** Bytes of the memory. */
  readonly size: number;
  /** The typed array that holds its elements. */
  readonly type?: ElementType<T>;
  /** The devices that may use it; all of the context's if not said. */
  readonly devices?: readonly Device[];
}

/** How to hand memory over. */
export interface ExternalMemoryOptions {
  /** What the command waits for. */
  readonly waitFor?: WaitFor;
}

const extension = "cl_khr_external_memory";

/**
 * A buffer over memory that another programming interface allocated and exported. Needs `cl_khr_external_memory`, and
 * the extension of the kind of handle. Commands may use it between `queue.enqueueAcquireExternal` and
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

/** Takes imported memory over from its owner. */
export function enqueueAcquireExternal(
  queue: QueueBase,
  memories: MemoryObject | readonly MemoryObject[],
  options?: ExternalMemoryOptions,
): CommandEvent {
  return enqueue(queue, memories, options, native.acquireExternal, "clEnqueueAcquireExternalMemObjectsKHR");
}

/** Gives imported memory back to its owner. */
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
