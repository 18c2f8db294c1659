/** Writes of host memory into buffers and shared virtual memory. */
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
import { transferCalls } from "../queue/staging.js";
import { writeSvm } from "./svm-copy.js";
import { svmElementCode } from "../svm/svm-base.js";
import { SvmPointer } from "../svm/svm-pointer.js";
import { enqueueEmptyTransfer, waitForTransfer, waitForTransferSync } from "./transfer-end.js";
import type { TypedArray } from "../typed/index.js";

/** Options for a write. */
export interface WriteOptions {
  /**
   * Offset in the buffer, in elements of the written array; in bytes for a DataView or ArrayBuffer.
   * @defaultValue 0
   */
  readonly offset?: number;
  /** Events that the write waits for. */
  readonly waitFor?: WaitFor;
}

/** Options for an asynchronous write. */
export interface AsyncWriteOptions extends WriteOptions {
  /** Cancels the wait, not the write. */
  readonly signal?: AbortSignal;
}

const routine = "clEnqueueWriteBuffer";

/** Writes an array into a buffer. The array must not be changed until the promise settles. */
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
  if (bytes === 0) return waitForTransfer(queue, enqueueEmptyTransfer(queue, waits), routine, signal);
  if (buffer instanceof SvmPointer) {
    const copied = writeSvm(handleOf(queue), buffer, byteOffset, host, bytes, false, waits) as Handle;
    return waitForTransfer(queue, copied, "clEnqueueSVMMemcpy", signal);
  }
  const shared = sharedPart(queue, buffer, { byteOffset, bytes }, waits);
  if (shared !== undefined) {
    shared.set(firstBytes(host, bytes));
    return undefined;
  }
  const memory = arrayBufferOf(host);
  const { write: start } = transferCalls(queue, bytes, memory);
  const event = start(handleOf(queue), handleOf(buffer), byteOffset, host, 0, bytes, false, waits) as Handle;
  holdUntil(event, memory);
  return waitForTransfer(queue, event, routine, signal);
}

/** Writes like {@link write}, but blocks the event loop until the write has completed. */
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
    waitForTransferSync(enqueueEmptyTransfer(queue, waits));
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
  const { write: run } = transferCalls(queue, bytes, arrayBufferOf(host));
  run(handleOf(queue), handleOf(buffer), byteOffset, host, 0, bytes, true, waits);
}

interface Plan {
  readonly host: TypedArray;
  readonly bytes: number;
  readonly byteOffset: number;
  readonly waits: Int32Array | undefined;
}

function plan(buffer: DeviceBuffer | SvmPointer, array: HostMemory, options: WriteOptions, blocking: boolean): Plan {
  // Read the options first: their getters could detach the array's memory.
  const { offset, waitFor } = options;
  const waits = waitHandles(waitFor);
  const host = hostBytes(array, "array", blocking);
  checkElements(buffer, host);
  const bytes = byteLengthOf(host);
  const byteOffset = checkInteger(offset ?? 0, "options.offset") * elementTypeOf(host).BYTES_PER_ELEMENT;
  if (byteOffset + bytes > buffer.size) {
    throw outOfRange(
      `${bytes} bytes at byte ${byteOffset} exceed the buffer's ${buffer.size} bytes; the buffer comes first, then the array`,
    );
  }
  return { host, bytes, byteOffset, waits };
}

/** Throws if elements would be reinterpreted as another type. Untyped bytes always pass. */
function checkElements(buffer: DeviceBuffer | SvmPointer, host: TypedArray): void {
  const type = elementTypeOf(host);
  const expected = buffer instanceof SvmPointer ? svmElementCode(buffer) : elementCodeOf(buffer);
  const received = elementCodes.get(type) ?? 0;
  if (
    expected === 0 ||
    expected === received ||
    received === elementCodes.get(Uint8Array) ||
    buffer.type === undefined
  ) {
    return;
  }
  const names = [elementTypeName(buffer.type), elementTypeName(type)] as const;
  throw wrongType(
    `array must be ${withArticle(names[0])}, the buffer's element type, received ${withArticle(names[1])}; to write it anyway, use buffer.as(${names[1]})`,
  );
}
