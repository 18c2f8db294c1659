/**
 * Small reads and writes of host-coherent buffers as memory copies, a hundred times faster than a command. Only while
 * the queue is empty, to preserve the order of commands, and only up to a size that does not block the event loop for
 * long.
 */
import { arrayBufferOf, byteOffsetOf, typeError } from "@cl/base";

import { native } from "../binding/native.js";
import { handleOf } from "../binding/resource.js";
import { DisposedError } from "../binding/errors.js";
import { DeviceBuffer, sharedBytesOf } from "../memory/buffer.js";
import type { ElementRange } from "../memory/element-range.js";
import { arrayOver, type ElementType } from "../dtype/host-array.js";
import type { QueueBase } from "../queue/queue-base.js";
import type { SvmPointer } from "../svm/svm-pointer.js";
import type { TypedArray } from "../typed/index.js";

const maxBytes = 256 * 1024;

/** Returns the bytes to read or write directly; `undefined` if a command is needed. */
export function sharedPart(
  queue: QueueBase,
  buffer: DeviceBuffer,
  { byteOffset, bytes }: Pick<ElementRange, "byteOffset" | "bytes">,
  waits: Int32Array | undefined,
): Uint8Array<ArrayBuffer> | undefined {
  const shared = sharedBytesOf(buffer);
  if (shared === undefined || bytes > maxBytes || waits !== undefined) return undefined;
  // Differs if the buffer was released, or the parent of a sub-buffer.
  if (shared.byteLength !== buffer.size || queue.context !== buffer.context) return undefined;
  if (!native.isEmpty(handleOf(queue))) return undefined;
  return byteOffset === 0 && bytes === shared.byteLength ? shared : shared.subarray(byteOffset, byteOffset + bytes);
}

/** Returns whether there is nothing to wait for. */
export function isEmpty(queue: QueueBase, waits: Int32Array | undefined): boolean {
  return waits === undefined && native.isEmpty(handleOf(queue));
}

/** Returns a view of elements in a host-coherent buffer's memory. */
export function sharedView(buffer: DeviceBuffer | SvmPointer, type: ElementType, range: ElementRange): TypedArray {
  const shared = buffer instanceof DeviceBuffer ? sharedBytesOf(buffer) : undefined;
  if (shared === undefined) {
    throw typeError("options.view", "absent for a buffer that is not host-coherent", true);
  }
  if (shared.byteLength !== buffer.size) {
    throw new DisposedError("the host-coherent buffer that this one shares memory with");
  }
  return arrayOver(type, shared.buffer, range.length, shared.byteOffset + range.byteOffset);
}

/** Returns the first bytes of a typed array. */
export function firstBytes(array: TypedArray, bytes: number): Uint8Array {
  return new Uint8Array(arrayBufferOf(array), byteOffsetOf(array), bytes);
}
