/** Writing host memory into buffers, and shared virtual memory. */
import {
  arrayBufferOf,
  byteLengthOf,
  checkInteger,
  checkOptions,
  checkSignal,
  outOfRange,
  withArticle,
  wrongType,
} from "@cl/base";

import { type DeviceBuffer, elementCodeOf } from "../memory/buffer.js";
import { checkBuffer } from "../memory/element-range.js";
import { type WaitFor, waitHandles } from "../event/event.js";
import { elementCodes, elementTypeName, elementTypeOf, hostBytes, type HostMemory } from "../dtype/host-array.js";
import type { Handle } from "../binding/native.js";
import { holdUntil } from "../binding/pin.js";
import type { QueueBase } from "../queue/queue-base.js";
import { handleOf } from "../binding/resource.js";
import { firstBytes, sharedPart } from "./shared-copy.js";
import { waysFor } from "../queue/staging.js";
import { writeSvm } from "./svm-copy.js";
import { svmElementCode } from "../svm/svm-base.js";
import { SvmPointer } from "../svm/svm-pointer.js";
import { nothingTransferred, transferred, transferredSync } from "./transfer-end.js";
import type { TypedArray } from "../typed/index.js";

/** Where to write. */
export interface WriteOptions {
  /** Where to start in the buffer, in elements of the array that is written; in bytes for a DataView or ArrayBuffer. */
  readonly offset?: number;
  /** What the write waits for. */
  readonly waitFor?: WaitFor;
}

/** Where to write, and how to stop waiting for it. */
export interface AsyncWriteOptions extends WriteOptions {
  /** Ends the wait, not the write. */
  readonly signal?: AbortSignal;
}

const routine = "clEnqueueWriteBuffer";

/** Writes all of an array into a buffer. The array must be left alone until the promise is settled. */
export async function write(
  queue: QueueBase,
  buffer: DeviceBuffer | SvmPointer,
  array: HostMemory,
  options?: AsyncWriteOptions,
): Promise<void> {
  handleOf(buffer instanceof SvmPointer ? buffer : checkBuffer(buffer, "buffer"));
  const given = checkOptions(options, ["offset", "waitFor", "signal"]);
  const signal = checkSignal(given.signal);
  signal?.throwIfAborted();
  const { host, bytes, byteOffset, waits } = plan(buffer, array, given, false);
  if (bytes === 0) return transferred(queue, nothingTransferred(queue, waits), routine, signal);
  if (buffer instanceof SvmPointer) {
    const copied = writeSvm(handleOf(queue), buffer, byteOffset, host, bytes, false, waits) as Handle;
    return transferred(queue, copied, "clEnqueueSVMMemcpy", signal);
  }
  const shared = sharedPart(queue, buffer, { byteOffset, bytes }, waits);
  if (shared !== undefined) {
    shared.set(firstBytes(host, bytes));
    return undefined;
  }
  const memory = arrayBufferOf(host);
  const { write: start } = waysFor(queue, bytes, memory);
  const event = start(handleOf(queue), handleOf(buffer), byteOffset, host, 0, bytes, false, waits) as Handle;
  holdUntil(event, memory);
  return transferred(queue, event, routine, signal);
}

/** Writes as {@link write} does, and blocks the event loop until it is done. */
export function writeSync(
  queue: QueueBase,
  buffer: DeviceBuffer | SvmPointer,
  array: HostMemory,
  options?: WriteOptions,
): void {
  handleOf(buffer instanceof SvmPointer ? buffer : checkBuffer(buffer, "buffer"));
  const given = checkOptions(options, ["offset", "waitFor"]);
  const { host, bytes, byteOffset, waits } = plan(buffer, array, given, true);
  if (bytes === 0) {
    transferredSync(nothingTransferred(queue, waits));
    return;
  }
  if (buffer instanceof SvmPointer) {
    writeSvm(handleOf(queue), buffer, byteOffset, host, bytes, true, waits);
    return;
  }
  const shared = sharedPart(queue, buffer, { byteOffset, bytes }, waits);
  if (shared !== undefined) {
    shared.set(firstBytes(host, bytes));
    return;
  }
  const { write: run } = waysFor(queue, bytes, arrayBufferOf(host));
  run(handleOf(queue), handleOf(buffer), byteOffset, host, 0, bytes, true, waits);
}

interface Plan {
  readonly host: TypedArray;
  readonly bytes: number;
  readonly byteOffset: number;
  readonly waits: Int32Array | undefined;
}

function plan(buffer: DeviceBuffer | SvmPointer, array: HostMemory, options: WriteOptions, blocking: boolean): Plan {
  // The getters of the options run first: they could transfer the array's memory.
  const { offset, waitFor } = options;
  const waits = waitHandles(waitFor);
  const host = hostBytes(array, "array", blocking);
  checkElements(buffer, host);
  const bytes = byteLengthOf(host);
  const byteOffset = checkInteger(offset ?? 0, "options.offset") * elementTypeOf(host).BYTES_PER_ELEMENT;
  if (byteOffset + bytes > buffer.size) {
    throw outOfRange(
      `${bytes} bytes from byte ${byteOffset} go beyond the buffer's ${buffer.size} bytes; the buffer comes first, then the array`,
    );
  }
  return { host, bytes, byteOffset, waits };
}

/** Elements of another type would be reinterpreted. Bytes say nothing about elements, so they always pass. */
function checkElements(buffer: DeviceBuffer | SvmPointer, host: TypedArray): void {
  const type = elementTypeOf(host);
  const own = buffer instanceof SvmPointer ? svmElementCode(buffer) : elementCodeOf(buffer);
  const given = elementCodes.get(type) ?? 0;
  if (own === 0 || own === given || given === elementCodes.get(Uint8Array) || buffer.type === undefined) return;
  const names = [elementTypeName(buffer.type), elementTypeName(type)] as const;
  throw wrongType(
    `array must be ${withArticle(names[0])}, as the buffer's elements are, received ${withArticle(names[1])}; to write it all the same use buffer.as(${names[1]})`,
  );
}
