/**
 * Small reads and writes of host-coherent buffers: a copy in memory, where a command would cost a hundred times as much.
 * Only while the queue is empty, since they come after everything in it; and only small ones, since large ones are for
 * the device's threads and must not hold up the event loop.
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

const mostBytes = 256 * 1024;

/** The bytes that can be read or written at once; nothing if that takes a command. */
export function sharedPart(
  queue: QueueBase,
  buffer: DeviceBuffer,
  { byteOffset, bytes }: Pick<ElementRange, "byteOffset" | "bytes">,
  waits: Int32Array | undefined,
): Uint8Array<ArrayBuffer> | undefined {
  const shared = sharedBytesOf(buffer);
  if (shared === undefined || bytes > mostBytes || waits !== undefined) return undefined;
  // Also the bytes of a part whose whole was released.
  if (shared.byteLength !== buffer.size || queue.context !== buffer.context) return undefined;
  if (!native.isEmpty(handleOf(queue))) return undefined;
  return byteOffset === 0 && bytes === shared.byteLength ? shared : shared.subarray(byteOffset, byteOffset + bytes);
}

/** True if nothing needs to be waited for. */
export function isEmpty(queue: QueueBase, waits: Int32Array | undefined): boolean {
  return waits === undefined && native.isEmpty(handleOf(queue));
}

/** The elements themselves, in a buffer's own memory. */
export function sharedView(buffer: DeviceBuffer | SvmPointer, type: ElementType, range: ElementRange): TypedArray {
  const shared = buffer instanceof DeviceBuffer ? sharedBytesOf(buffer) : undefined;
  if (shared === undefined) {
    throw typeError("options.view", "absent, since only a host-coherent buffer's memory can be seen", true);
  }
  if (shared.byteLength !== buffer.size) {
    throw new DisposedError("the host-coherent buffer that this one shares memory with");
  }
  return arrayOver(type, shared.buffer, range.length, shared.byteOffset + range.byteOffset);
}

/** The first bytes of a typed array. */
export function firstBytes(array: TypedArray, bytes: number): Uint8Array {
  return new Uint8Array(arrayBufferOf(array), byteOffsetOf(array), bytes);
}
