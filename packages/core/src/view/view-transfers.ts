/** Transfers of device views; `DeviceView` has a method for each of these functions. */
import {
  arrayBufferOf,
  byteLengthOf,
  byteOffsetOf,
  checkInstance,
  checkOptions,
  checkOrder,
  checkSignal,
  isContiguous,
  outOfRange,
  typeError,
  wrongValue,
} from "@cl/base";

import { handleOf } from "../binding/resource.js";
import type { DTypeValue } from "../dtype/dtype.js";
import type { CommandEvent } from "../event/event.js";
import { arrayOver, hostBytes, type HostMemory, uninitializedArray } from "../dtype/host-array.js";
import { CommandQueue } from "../command-queue/command-queue.js";
import { mapElements, mapElementsSync, type MapPlan } from "../mapping/map.js";
import type { MappedBuffer } from "../mapping/mapped-buffer.js";
import type { TypedArray } from "../typed/index.js";
import { checkWritable } from "../host-view/array-view.js";
import type { DevicePart } from "./device-part.js";
import type {
  SignalOptions,
  ViewMapOptions,
  ViewReadInto,
  ViewReadOptions,
  ViewTransferOptions,
} from "./device-view-options.js";
import { enqueueElements, enqueueGather, enqueueScatter } from "./view-copy.js";
import { checkElements, type HostValues, packValues } from "./view-source.js";

type ReadOptions = ViewReadOptions & Partial<ViewReadInto<TypedArray>>;

/** Waits for a transfer and releases its event. */
export async function settled(event: CommandEvent, signal: AbortSignal | undefined): Promise<void> {
  try {
    await event.wait(signal === undefined ? undefined : { signal });
  } finally {
    event.release();
  }
}

/** Blocks until a transfer has completed and releases its event. */
export function settledSync(event: CommandEvent): void {
  try {
    event.waitSync();
  } finally {
    event.release();
  }
}

/** Reads the elements into a contiguous typed array. */
export async function read(
  view: DevicePart,
  queue: CommandQueue,
  options?: ReadOptions & SignalOptions,
): Promise<TypedArray> {
  const { into, signal, ...rest } = checkOptions(options, ["order", "waitFor", "into", "signal"]);
  checkSignal(signal)?.throwIfAborted();
  if (
    into === undefined &&
    view.size > 0 &&
    isContiguous(view.layout, view.itemSize, checkOrder(rest.order, "options.order"))
  ) {
    return readContiguous(view, queue, options);
  }
  const target = into ?? newArrayFor(view);
  await settled(enqueueRead(view, queue, target, rest), signal);
  return target;
}

/** Reads a contiguous view, for which the queue needs no array allocated in advance. */
async function readContiguous(
  view: DevicePart,
  queue: CommandQueue,
  { waitFor, signal }: ViewReadOptions & SignalOptions = {},
): Promise<TypedArray> {
  checkReachable(queue, view);
  const { arrayType } = view.type;
  const length = view.size * view.itemSize;
  const wait = signal === undefined ? { waitFor } : { waitFor, signal };
  const { buffer } = await queue.read(view.buffer, Uint8Array, { ...wait, offset: view.layout.offset, length });
  return arrayOver(arrayType, buffer, length / arrayType.BYTES_PER_ELEMENT);
}

/** Reads like {@link read}, but blocks the event loop until the read has completed. */
export function readSync(view: DevicePart, queue: CommandQueue, options?: ReadOptions): TypedArray {
  const { into, ...rest } = checkOptions(options, ["order", "waitFor", "into"]);
  const target = into ?? newArrayFor(view);
  settledSync(enqueueRead(view, queue, target, rest));
  return target;
}

/** Returns a new array for the elements. */
function newArrayFor({ type, itemSize, size }: DevicePart): TypedArray {
  return uninitializedArray(type.arrayType, (size * itemSize) / type.arrayType.BYTES_PER_ELEMENT);
}

/** Reads into host memory. */
export function enqueueRead(
  view: DevicePart,
  queue: CommandQueue,
  into: HostMemory,
  options?: ViewReadOptions,
): CommandEvent {
  checkReachable(queue, view);
  const { order, waitFor } = checkOptions(options, ["order", "waitFor"]);
  const arrayOrder = checkOrder(order, "options.order");
  const bytes = hostBytes(into, "into", false);
  checkElements(into, view.type, "into");
  checkBytes(view, bytes, "into");
  if (view.size === 0) return queue.enqueueMarker(waitFor);
  return enqueueGather(queue, view, bytes, arrayOrder, { waitFor });
}

/** Writes host values; resolves when they have been written. */
export async function write(
  view: DevicePart,
  queue: CommandQueue,
  values: HostValues,
  options?: ViewTransferOptions & SignalOptions,
): Promise<void> {
  const { signal, ...rest } = checkOptions(options, ["waitFor", "signal"]);
  checkSignal(signal)?.throwIfAborted();
  await settled(enqueueWrite(view, queue, values, rest), signal);
}

/** Writes like {@link write}, but blocks the event loop until the write has completed. */
export function writeSync(
  view: DevicePart,
  queue: CommandQueue,
  values: HostValues,
  options?: ViewTransferOptions,
): void {
  settledSync(enqueueWrite(view, queue, values, options));
}

/** Writes host values. */
export function enqueueWrite(
  view: DevicePart,
  queue: CommandQueue,
  values: HostValues,
  options?: ViewTransferOptions,
): CommandEvent {
  checkReachable(queue, view);
  checkWritable(view);
  const { waitFor } = checkOptions(options, ["waitFor"]);
  const packed = packValues(values, view.type, undefined, "values", false);
  if (!packed.isCallerMemory && String(packed.shape) !== String(view.layout.shape)) {
    throw outOfRange(
      `values must have the view's shape [${view.layout.shape.join()}], received [${packed.shape.join()}]`,
    );
  }
  checkBytes(view, packed.bytes, "values");
  if (view.size === 0) return queue.enqueueMarker(waitFor);
  return enqueueScatter(queue, view, packed.bytes, { waitFor });
}

/** Copies from another view. */
export function enqueueCopyFrom(
  view: DevicePart,
  queue: CommandQueue,
  source: DevicePart,
  options?: ViewTransferOptions,
): CommandEvent {
  checkReachable(queue, view);
  checkReachable(queue, source);
  checkWritable(view);
  const { waitFor } = checkOptions(options, ["waitFor"]);
  if (!source.type.equals(view.type)) throw typeError("source", `a view of ${view.type.name} elements`, source);
  if (String(source.layout.shape) !== String(view.layout.shape)) {
    throw outOfRange(
      `source must have the view's shape [${view.layout.shape.join()}], received [${source.layout.shape.join()}]; source.broadcastTo(shape) repeats elements`,
    );
  }
  if (view.size === 0) return queue.enqueueMarker(waitFor);
  return enqueueElements(queue, view, source, { waitFor });
}

/** Reads the value of a view with one element. */
export async function item(
  view: DevicePart,
  queue: CommandQueue,
  options?: ViewTransferOptions & SignalOptions,
): Promise<DTypeValue> {
  checkSingle(view);
  return valueOf(view, await read(view, queue, checkOptions(options, ["waitFor", "signal"])));
}

/** Reads the value like {@link item}, but blocks the event loop until the read has completed. */
export function itemSync(view: DevicePart, queue: CommandQueue, options?: ViewTransferOptions): DTypeValue {
  checkSingle(view);
  return valueOf(view, readSync(view, queue, checkOptions(options, ["waitFor"])));
}

function checkSingle({ buffer, size, layout: { shape } }: DevicePart): void {
  handleOf(buffer);
  if (size === 1) return;
  throw outOfRange(`item() requires a view with exactly one element, but the shape is [${shape.join()}]`);
}

function valueOf({ type }: DevicePart, array: TypedArray): DTypeValue {
  return type.get(new DataView(arrayBufferOf(array), byteOffsetOf(array), byteLengthOf(array)), 0);
}

/** Maps the memory range of the elements. */
export async function map<T extends TypedArray>(
  view: DevicePart,
  queue: CommandQueue,
  options?: ViewMapOptions & SignalOptions,
): Promise<MappedBuffer<T>> {
  return (await mapElements(
    queue,
    mapPlan(view, queue, checkOptions(options, [...mapNames, "signal"])),
    options,
  )) as MappedBuffer<T>;
}

/** Maps like {@link map}, but blocks the event loop until the map has completed. */
export function mapSync<T extends TypedArray>(
  view: DevicePart,
  queue: CommandQueue,
  options?: ViewMapOptions,
): MappedBuffer<T> {
  return mapElementsSync(queue, mapPlan(view, queue, checkOptions(options, mapNames)), options) as MappedBuffer<T>;
}

const mapNames = ["access", "waitFor"] as const;

function mapPlan(view: DevicePart, queue: CommandQueue, options: ViewMapOptions): MapPlan {
  checkReachable(queue, view);
  const { access = view.readonly ? "read" : "read-write" } = options;
  if (access !== "read") checkWritable(view);
  const { buffer, type, itemSize, layout } = view;
  return { buffer, type, itemSize, layout, access };
}

/**
 * Throws if the view's memory is released or from another context. Also for empty transfers, which do not reach the
 * driver.
 */
function checkReachable(queue: CommandQueue, view: DevicePart): void {
  checkInstance(queue, CommandQueue, "queue");
  handleOf(queue);
  handleOf(view.buffer);
  if (queue.context !== view.buffer.context && !queue.context.equals(view.buffer.context)) {
    throw wrongValue("the view's memory must be in the queue's context");
  }
}

function checkBytes({ size, itemSize, type, layout }: DevicePart, array: ArrayBufferView, name: string): void {
  const bytes = size * itemSize;
  const byteLength = byteLengthOf(array);
  if (byteLength === bytes) return;
  throw outOfRange(
    `${name} must have the ${bytes} bytes of the view's ${size} ${type.name} elements ([${layout.shape.join()}]), received ${byteLength} bytes`,
  );
}
