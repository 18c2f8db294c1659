/** What device views do on queues; `DeviceView` has a method for each of these functions, which take it first. */
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

/** Waits for a transfer and gives its event back. */
export async function settled(event: CommandEvent, signal: AbortSignal | undefined): Promise<void> {
  try {
    await event.wait(signal === undefined ? undefined : { signal });
  } finally {
    event.release();
  }
}

/** Blocks until a transfer has ended, and gives its event back. */
export function settledSync(event: CommandEvent): void {
  try {
    event.waitSync();
  } finally {
    event.release();
  }
}

/** Resolves to the elements side by side. */
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
    return readPiece(view, queue, options);
  }
  const target = into ?? landing(view);
  await settled(enqueueRead(view, queue, target, rest), signal);
  return target;
}

/** One piece, which a queue reads without a copy into memory that it made before. */
async function readPiece(
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

/** Reads as {@link read} does, and blocks the event loop until it is done. */
export function readSync(view: DevicePart, queue: CommandQueue, options?: ReadOptions): TypedArray {
  const { into, ...rest } = checkOptions(options, ["order", "waitFor", "into"]);
  const target = into ?? landing(view);
  settledSync(enqueueRead(view, queue, target, rest));
  return target;
}

/** A new array for the elements. */
function landing({ type, itemSize, size }: DevicePart): TypedArray {
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
  const way = checkOrder(order, "options.order");
  const bytes = hostBytes(into, "into", false);
  checkElements(into, view.type, "into");
  checkBytes(view, bytes, "into");
  if (view.size === 0) return queue.enqueueMarker(waitFor);
  return enqueueGather(queue, view, bytes, way, { waitFor });
}

/** Resolves when the values have been written. */
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

/** Writes as {@link write} does, and blocks the event loop until it is done. */
export function writeSync(
  view: DevicePart,
  queue: CommandQueue,
  values: HostValues,
  options?: ViewTransferOptions,
): void {
  settledSync(enqueueWrite(view, queue, values, options));
}

/** Writes values of the host. */
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
  if (!packed.own && String(packed.shape) !== String(view.layout.shape)) {
    throw outOfRange(`values have the shape [${packed.shape.join()}], but the view [${view.layout.shape.join()}]`);
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
      `source has the shape [${source.layout.shape.join()}], but the view [${view.layout.shape.join()}] (source.broadcastTo(shape) repeats elements)`,
    );
  }
  if (view.size === 0) return queue.enqueueMarker(waitFor);
  return enqueueElements(queue, view, source, { waitFor });
}

/** Resolves to the value of the only element. */
export async function item(
  view: DevicePart,
  queue: CommandQueue,
  options?: ViewTransferOptions & SignalOptions,
): Promise<DTypeValue> {
  checkSingle(view);
  return valueOf(view, await read(view, queue, checkOptions(options, ["waitFor", "signal"])));
}

/** The value of the only element, at once. */
export function itemSync(view: DevicePart, queue: CommandQueue, options?: ViewTransferOptions): DTypeValue {
  checkSingle(view);
  return valueOf(view, readSync(view, queue, checkOptions(options, ["waitFor"])));
}

function checkSingle({ buffer, size, layout: { shape } }: DevicePart): void {
  handleOf(buffer);
  if (size === 1) return;
  throw outOfRange(`an item is the value of a view of one element, but this one's shape is [${shape.join()}]`);
}

function valueOf({ type }: DevicePart, array: TypedArray): DTypeValue {
  return type.get(new DataView(arrayBufferOf(array), byteOffsetOf(array), byteLengthOf(array)), 0);
}

/** Maps the memory in which the elements are. */
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

/** Maps as {@link map} does, and blocks the event loop until it is done. */
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

/** Also for transfers of nothing, of which no driver is asked. */
function checkReachable(queue: CommandQueue, view: DevicePart): void {
  checkInstance(queue, CommandQueue, "queue");
  handleOf(queue);
  handleOf(view.buffer);
  if (queue.context !== view.buffer.context && !queue.context.equals(view.buffer.context)) {
    throw wrongValue("this memory belongs to another context");
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
