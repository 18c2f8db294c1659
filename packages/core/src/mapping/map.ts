/** Mapping buffers into host memory. */
import {
  byteRange,
  checkInteger,
  checkOptions,
  checkSignal,
  contiguousLayout,
  type Layout,
  listenToAbort,
  type Order,
  outOfRange,
  overlapsItself,
  planLayout,
  type Shape,
  sizeOf,
  typeError,
  unlistenToAbort,
} from "@cl/base";

import type { DeviceBuffer } from "../memory/buffer.js";
import { expectOnce, waitObserver } from "../binding/completion.js";
import { CommandStatus, MapFlags } from "../binding/constants.js";
import type { DType } from "../dtype/dtype.js";
import { checkDType, type DTypeLike } from "../dtype/registry.js";
import { checkBuffer, chooseType, elementRange, type ElementRangeOptions, splitType } from "../memory/element-range.js";
import { driverError } from "../binding/errors.js";
import { type WaitFor, waitHandles } from "../event/event.js";
import type { ElementType } from "../dtype/host-array.js";
import { MappedBuffer } from "./mapped-buffer.js";
import { type Handle, native } from "../binding/native.js";
import type { QueueBase } from "../queue/queue-base.js";
import { handleOf } from "../binding/resource.js";
import type { TypedArray } from "../typed/index.js";

/** Host access to mapped memory. With `"write-invalidate"` its initial contents are undefined. */
export type MapAccess = "read" | "write" | "write-invalidate" | "read-write";

/** Options for mapping a range of a buffer; `offset` and `length` count elements of the mapped type. */
export interface MapOptions extends ElementRangeOptions {
  /**
   * Host access to the memory.
   * @defaultValue `"read-write"`
   */
  readonly access?: MapAccess;
  /** Events that the map waits for. */
  readonly waitFor?: WaitFor;
}

/** Options for mapping a range of a buffer asynchronously. */
export interface AsyncMapOptions extends MapOptions {
  /** Cancels the wait; the memory is unmapped as soon as the map has completed. */
  readonly signal?: AbortSignal;
}

/** Options for mapping a buffer as a multidimensional array: `view` has this shape, `data` covers all mapped memory. */
export interface ShapedMapOptions {
  /**
   * Element type.
   * @defaultValue the buffer's element type
   */
  readonly dtype?: DTypeLike;
  /** Shape of the array. */
  readonly shape: Shape;
  /**
   * Which axis is contiguous: the last (`"C"`) or the first (`"F"`).
   * @defaultValue `"C"`
   */
  readonly order?: Order;
  /** Strides in bytes, instead of `order`. */
  readonly strides?: readonly number[];
  /**
   * Offset of the first element, in elements.
   * @defaultValue 0
   */
  readonly offset?: number;
  /**
   * Host access to the memory.
   * @defaultValue `"read-write"`
   */
  readonly access?: MapAccess;
  /** Events that the map waits for. */
  readonly waitFor?: WaitFor;
}

/** Options for mapping a buffer as a multidimensional array asynchronously. */
export interface AsyncShapedMapOptions extends ShapedMapOptions {
  /** Cancels the wait; the memory is unmapped as soon as the map has completed. */
  readonly signal?: AbortSignal;
}

const accessFlags = {
  read: MapFlags.READ,
  write: MapFlags.WRITE,
  "write-invalidate": MapFlags.WRITE_INVALIDATE_REGION,
  "read-write": MapFlags.READ | MapFlags.WRITE,
} as const;

/** Maps a buffer or a range of it; for reading and writing by default. */
export function map<T extends TypedArray>(
  queue: QueueBase,
  buffer: DeviceBuffer<T>,
  options?: AsyncMapOptions,
): Promise<MappedBuffer<T>>;
export function map<T extends TypedArray>(
  queue: QueueBase,
  buffer: DeviceBuffer,
  type: ElementType<T>,
  options?: AsyncMapOptions,
): Promise<MappedBuffer<T>>;
export function map(queue: QueueBase, buffer: DeviceBuffer, options: AsyncShapedMapOptions): Promise<MappedBuffer>;
export async function map(
  queue: QueueBase,
  buffer: DeviceBuffer,
  typeOrOptions?: ElementType | AsyncMapOptions | AsyncShapedMapOptions,
  maybeOptions?: AsyncMapOptions,
): Promise<MappedBuffer> {
  const [type, options] = splitType<AsyncMapOptions | AsyncShapedMapOptions>(typeOrOptions, maybeOptions);
  handleOf(checkBuffer(buffer, "buffer"));
  const given = checkOptions(options, [...optionNames, "signal"]);
  return mapElements(queue, plan(buffer, type, given), given);
}

/** Maps like {@link map}, but blocks the event loop until the map has completed. */
export function mapSync<T extends TypedArray>(
  queue: QueueBase,
  buffer: DeviceBuffer<T>,
  options?: MapOptions,
): MappedBuffer<T>;
export function mapSync<T extends TypedArray>(
  queue: QueueBase,
  buffer: DeviceBuffer,
  type: ElementType<T>,
  options?: MapOptions,
): MappedBuffer<T>;
export function mapSync(queue: QueueBase, buffer: DeviceBuffer, options: ShapedMapOptions): MappedBuffer;
export function mapSync(
  queue: QueueBase,
  buffer: DeviceBuffer,
  typeOrOptions?: ElementType | MapOptions | ShapedMapOptions,
  maybeOptions?: MapOptions,
): MappedBuffer {
  const [type, options] = splitType<MapOptions | ShapedMapOptions>(typeOrOptions, maybeOptions);
  handleOf(checkBuffer(buffer, "buffer"));
  const given = checkOptions(options, optionNames);
  return mapElementsSync(queue, plan(buffer, type, given), given);
}

/** Elements of a buffer to map. */
export interface MapPlan {
  readonly buffer: DeviceBuffer;
  readonly type: DType;
  readonly itemSize: number;
  readonly layout: Layout;
  readonly access: MapAccess;
  /**
   * Typed array class of `data`.
   * @defaultValue that of `type`
   */
  readonly array?: ElementType;
}

interface WaitingOptions {
  readonly waitFor?: WaitFor;
  readonly signal?: AbortSignal;
}

/** Maps the memory range that contains the elements. */
export async function mapElements(
  queue: QueueBase,
  elements: MapPlan,
  options: WaitingOptions | undefined,
): Promise<MappedBuffer> {
  const { start, bytes, flags } = range(elements);
  const waits = waitHandles(options?.waitFor);
  const signal = checkSignal(options?.signal);
  signal?.throwIfAborted();
  const { buffer } = elements;
  const [mapping, event] = native.mapBuffer(handleOf(queue), handleOf(buffer), flags, start, bytes, false, waits);
  await mapCompletion(queue, mapping, event, signal, "clEnqueueMapBuffer");
  return wrap(mapping, queue, elements, start);
}

/** Maps like {@link mapElements}, but blocks the event loop until the map has completed. */
export function mapElementsSync(
  queue: QueueBase,
  elements: MapPlan,
  options: WaitingOptions | undefined,
): MappedBuffer {
  const { start, bytes, flags } = range(elements);
  const waits = waitHandles(options?.waitFor);
  const { buffer } = elements;
  const [mapping] = native.mapBuffer(handleOf(queue), handleOf(buffer), flags, start, bytes, true, waits);
  return wrap(mapping, queue, elements, start);
}

/** Returns the byte range from the lowest element to the highest. */
function range({ itemSize, layout, access }: MapPlan): { start: number; bytes: number; flags: number } {
  mapAccessFlags(access);
  const [start, end] = byteRange(layout, itemSize);
  if (start === end) {
    throw outOfRange(
      layout.shape.length === 1
        ? "options.length must be at least 1; an empty range cannot be mapped"
        : `the shape [${layout.shape.join()}] has no elements; an empty range cannot be mapped`,
    );
  }
  // Bytes between the elements must keep their contents.
  const gaps = end - start !== sizeOf(layout.shape) * itemSize || overlapsItself(layout, itemSize);
  const flags = mapAccessFlags(access === "write-invalidate" && gaps ? "write" : access);
  return { start, bytes: end - start, flags };
}

/** Returns the `MapFlags` for an access. */
export function mapAccessFlags(access: unknown = "read-write"): number {
  if (typeof access !== "string" || !Object.hasOwn(accessFlags, access)) {
    throw typeError("options.access", '"read", "write", "write-invalidate" or "read-write"', access);
  }
  return accessFlags[access as MapAccess];
}

const optionNames = ["offset", "length", "access", "waitFor", "dtype", "shape", "order", "strides"] as const;

function plan(
  buffer: DeviceBuffer,
  type: ElementType | undefined,
  given: MapOptions & Partial<ShapedMapOptions>,
): MapPlan {
  const { access = "read-write" } = given;
  const shaped = ["dtype", "shape", "order", "strides"].filter(
    (name) => given[name as keyof typeof given] !== undefined,
  );
  if (shaped.length === 0) {
    const elements = chooseType(type, buffer);
    const { length, byteOffset } = elementRange(buffer, elements, given);
    const itemType = checkDType(elements, "type");
    const { itemSize } = itemType;
    const layout = contiguousLayout([length], itemSize, "C", byteOffset);
    return { buffer, type: itemType, itemSize, layout, access, array: elements };
  }
  return { ...shapedPlan(buffer, type, given as ShapedMapOptions), access };
}

function shapedPlan(
  buffer: DeviceBuffer,
  type: ElementType | undefined,
  given: ShapedMapOptions & Pick<MapOptions, "length">,
): Omit<MapPlan, "access"> {
  if (given.length !== undefined) {
    throw typeError("options.length", "omitted when options.shape is given", given.length);
  }
  if (type !== undefined && given.dtype !== undefined) {
    throw typeError("options.dtype", "omitted when a type is given", given.dtype);
  }
  if (given.shape === undefined) throw typeError("options.shape", "a number or an array of numbers", given.shape);
  const itemType = checkDType(type ?? given.dtype ?? chooseType(undefined, buffer), "options.dtype");
  const { itemSize } = itemType;
  const offset = checkInteger(given.offset ?? 0, "options.offset") * itemSize;
  const layout = planLayout({ ...given, offset }, itemSize, buffer.size, "the buffer");
  return { buffer, type: itemType, itemSize, layout };
}

function wrap(mapping: Handle, queue: QueueBase, elements: MapPlan, start: number): MappedBuffer {
  const { buffer, type, itemSize, access, array = type.arrayType } = elements;
  const layout = { ...elements.layout, offset: elements.layout.offset - start };
  try {
    return new MappedBuffer(mapping, queue, buffer, { type, itemSize, layout, array, readonly: access === "read" });
  } catch (error) {
    native.recycle(mapping);
    throw error;
  }
}

/** Waits for the map command. If the wait is aborted, the memory is unmapped once the command has completed. */
export function mapCompletion(
  queue: QueueBase,
  mapping: Handle,
  event: Handle,
  signal: AbortSignal | undefined,
  routine: string,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let aborted = false;
    const stop = (reason: Error): void => {
      aborted = true;
      reject(reason);
    };
    const abort = (): void => stop(signal?.reason as Error);
    const ended = (status: number): void => {
      if (signal !== undefined) unlistenToAbort(signal, abort);
      native.recycle(event);
      if (status >= 0 && !aborted) {
        resolve();
        return;
      }
      native.recycle(mapping);
      if (!aborted) reject(driverError(routine, status));
    };
    try {
      expectOnce(
        ended,
        (id) => native.watchEvent(event, CommandStatus.COMPLETE, id),
        true,
        event,
        waitObserver.listener && stop,
      );
    } catch (error) {
      abandonMap(mapping, event);
      throw error;
    }
    if (signal !== undefined) listenToAbort(signal, abort);
    queue.flushSoon();
  });
}

/** Waits for a map whose completion cannot be watched, then unmaps it. */
function abandonMap(mapping: Handle, event: Handle): void {
  try {
    native.waitSync(Int32Array.of(event));
  } catch {
    // The map failed: there is nothing to wait for.
  }
  native.recycle(event);
  native.recycle(mapping);
}
