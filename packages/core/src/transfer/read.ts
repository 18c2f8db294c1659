/** Reads of buffers and shared virtual memory into typed arrays. */
import { arrayBufferOf, checkBoolean, checkOptions, checkSignal, lengthOf, outOfRange, wrongValue } from "@cl/base";

import type { DeviceBuffer } from "../memory/buffer.js";
import {
  checkBuffer,
  chooseType,
  type ElementRange,
  elementsFrom,
  type ElementRangeOptions,
  splitType,
} from "../memory/element-range.js";
import { type WaitFor, waitHandles } from "../event/event.js";
import {
  type ArrayOf,
  arrayOver,
  checkTypedArray,
  type ElementType,
  elementTypeOf,
  hostBytes,
  uninitializedArray,
} from "../dtype/host-array.js";
import { type Handle, native } from "../binding/native.js";
import { holdUntil } from "../binding/pin.js";
import type { QueueBase } from "../queue/queue-base.js";
import { handleOf } from "../binding/resource.js";
import { firstBytes, isEmpty, sharedPart, sharedView } from "./shared-copy.js";
import { transferCalls } from "../queue/staging.js";
import { readSvm } from "./svm-copy.js";
import { elementsOf } from "../svm/svm-map.js";
import { SvmPointer } from "../svm/svm-pointer.js";
import { enqueueEmptyTransfer, waitForTransfer, waitForTransferSync } from "./transfer-end.js";
import type { TypedArray } from "../typed/index.js";

/** Options for a read; `offset` and `length` count elements of the type that is read. */
export interface ReadOptions extends ElementRangeOptions {
  /** Events that the read waits for. */
  readonly waitFor?: WaitFor;
  /**
   * Whether to return a view of a host-coherent buffer's memory, which changes with the buffer, instead of a copy.
   * @defaultValue false
   */
  readonly view?: boolean;
}

/** Options for an asynchronous read. */
export interface AsyncReadOptions extends ReadOptions {
  /** Cancels the wait, not the read: memory passed as `into` may still be written to. */
  readonly signal?: AbortSignal;
}

/** Destination of a read. */
export interface ReadInto<T extends TypedArray> {
  /** Typed array to fill instead of a new one. It must not be used until the read has completed. */
  readonly into: T;
}

type SyncOptions = ReadOptions & Partial<ReadInto<TypedArray>>;
type Options = AsyncReadOptions & SyncOptions;

interface Plan {
  readonly type: ElementType;
  readonly range: ElementRange;
  readonly into: TypedArray | undefined;
  readonly waits: Int32Array | undefined;
  /** The result, if it is a view of the buffer's memory. */
  readonly view: TypedArray | undefined;
}

const routine = "clEnqueueReadBuffer";

/** Reads a buffer or a range of it. Resolves to a typed array. */
export function read<T extends TypedArray>(
  queue: QueueBase,
  buffer: DeviceBuffer | SvmPointer,
  options: AsyncReadOptions & ReadInto<T>,
): Promise<T>;
export function read<T extends TypedArray>(
  queue: QueueBase,
  buffer: DeviceBuffer<T> | SvmPointer<T>,
  options?: AsyncReadOptions,
): Promise<ArrayOf<T>>;
export function read<T extends TypedArray>(
  queue: QueueBase,
  buffer: DeviceBuffer | SvmPointer,
  type: ElementType<T>,
  options?: AsyncReadOptions,
): Promise<ArrayOf<T>>;
export async function read(
  queue: QueueBase,
  buffer: DeviceBuffer | SvmPointer,
  typeOrOptions?: ElementType | Options,
  maybeOptions?: Options,
): Promise<TypedArray> {
  const [type, options] = splitType(typeOrOptions, maybeOptions);
  handleOf(buffer instanceof SvmPointer ? buffer : checkBuffer(buffer, "buffer"));
  const given = checkOptions(options, ["offset", "length", "into", "view", "waitFor", "signal"]);
  const signal = checkSignal(given.signal);
  signal?.throwIfAborted();
  const { type: elements, range, into, waits, view } = plan(buffer, type, given, false);
  if (view !== undefined) {
    if (!isEmpty(queue, waits)) await waitForTransfer(queue, enqueueEmptyTransfer(queue, waits), routine, signal);
    return view;
  }
  if (range.bytes === 0) {
    await waitForTransfer(queue, enqueueEmptyTransfer(queue, waits), routine, signal);
    return into ?? uninitializedArray(elements, 0);
  }
  const [q, memory] = [handleOf(queue), handleOf(buffer)];
  if (buffer instanceof SvmPointer) {
    const target = into ?? uninitializedArray(elements, range.length);
    const copied = readSvm(q, buffer, range, target, false, waits) as Handle;
    await waitForTransfer(queue, copied, "clEnqueueSVMMemcpy", signal);
    return target;
  }
  const shared = sharedPart(queue, buffer, range, waits);
  if (shared !== undefined) {
    const target = into ?? uninitializedArray(elements, range.length);
    firstBytes(target, range.bytes).set(shared);
    return target;
  }
  if (into !== undefined) {
    const host = arrayBufferOf(into);
    const { read: start } = transferCalls(queue, range.bytes, host);
    const event = start(q, memory, range.byteOffset, into, 0, range.bytes, false, waits) as Handle;
    holdUntil(event, host);
    await waitForTransfer(queue, event, routine, signal);
    return into;
  }
  const [landing, event] = transferCalls(queue, range.bytes).landing(q, memory, range.byteOffset, range.bytes, waits);
  try {
    await waitForTransfer(queue, event, routine, signal);
    return arrayOver(elements, native.takeLanding(landing, range.bytes), range.length);
  } finally {
    native.recycle(landing);
  }
}

/** Reads like {@link read}, but blocks the event loop until the read has completed. */
export function readSync<T extends TypedArray>(
  queue: QueueBase,
  buffer: DeviceBuffer | SvmPointer,
  options: ReadOptions & ReadInto<T>,
): T;
export function readSync<T extends TypedArray>(
  queue: QueueBase,
  buffer: DeviceBuffer<T> | SvmPointer<T>,
  options?: ReadOptions,
): ArrayOf<T>;
export function readSync<T extends TypedArray>(
  queue: QueueBase,
  buffer: DeviceBuffer | SvmPointer,
  type: ElementType<T>,
  options?: ReadOptions,
): ArrayOf<T>;
export function readSync(
  queue: QueueBase,
  buffer: DeviceBuffer | SvmPointer,
  typeOrOptions?: ElementType | SyncOptions,
  maybeOptions?: SyncOptions,
): TypedArray {
  const [type, options] = splitType(typeOrOptions, maybeOptions);
  handleOf(buffer instanceof SvmPointer ? buffer : checkBuffer(buffer, "buffer"));
  const given = checkOptions(options, ["offset", "length", "into", "view", "waitFor"]);
  const { type: elements, range, into, waits, view } = plan(buffer, type, given, true);
  if (view !== undefined) {
    if (!isEmpty(queue, waits)) waitForTransferSync(enqueueEmptyTransfer(queue, waits));
    return view;
  }
  const target = into ?? uninitializedArray(elements, range.length);
  if (range.bytes === 0) {
    waitForTransferSync(enqueueEmptyTransfer(queue, waits));
    return target;
  }
  if (buffer instanceof SvmPointer) {
    readSvm(handleOf(queue), buffer, range, target, true, waits);
    return target;
  }
  const shared = sharedPart(queue, buffer, range, waits);
  if (shared !== undefined) {
    firstBytes(target, range.bytes).set(shared);
    return target;
  }
  const { read: run } = transferCalls(queue, range.bytes, arrayBufferOf(target));
  run(handleOf(queue), handleOf(buffer), range.byteOffset, target, 0, range.bytes, true, waits);
  return target;
}

function plan(
  buffer: DeviceBuffer | SvmPointer,
  type: ElementType | undefined,
  given: SyncOptions,
  blocking: boolean,
): Plan {
  // Read the options first: their getters could detach the array's memory.
  const { into: target, offset, length: count, view: wantsView, waitFor } = given;
  const waits = waitHandles(waitFor);
  if (target === undefined) {
    const elements = buffer instanceof SvmPointer ? elementsOf(buffer, type) : chooseType(type, buffer);
    const range = elementsFrom(buffer, elements, offset, count);
    const view = checkBoolean(wantsView, "options.view", false) ? sharedView(buffer, elements, range) : undefined;
    return { type: elements, range, into: undefined, waits, view };
  }
  const into = checkTypedArray(target, "options.into");
  hostBytes(into, "options.into", blocking);
  if (type !== undefined) throw wrongValue("type cannot be combined with options.into, which determines the type");
  if (checkBoolean(wantsView, "options.view", false)) {
    throw wrongValue("options.view cannot be combined with options.into");
  }
  const room = lengthOf(into);
  const length = count ?? room;
  if (length > room) {
    throw outOfRange(`options.length must be at most the ${room} elements of options.into, received ${length}`);
  }
  const elements = elementTypeOf(into);
  return { type: elements, range: elementsFrom(buffer, elements, offset, length), into, waits, view: undefined };
}
