/** Mapping buffers into host memory. */
import type { DeviceBuffer } from "../memory/buffer.js";
import { checkOptions, checkSignal, typeError } from "../check.js";
import { expectOnce } from "../binding/completion.js";
import { CommandStatus, MapFlags } from "../constants.js";
import {
  checkBuffer,
  chooseType,
  type ElementRange,
  elementRange,
  type ElementRangeOptions,
  splitType,
} from "../memory/element-range.js";
import { driverError } from "../errors.js";
import { type WaitFor, waitHandles } from "../event/event.js";
import type { ElementType } from "../memory/host-array.js";
import { MappedBuffer } from "./mapped-buffer.js";
import { type Handle, native } from "../binding/native.js";
import type { CommandQueue } from "../queue/queue.js";
import { handleOf } from "../binding/resource.js";
import type { TypedArray } from "../typed/index.js";

/** What is done with mapped memory. With `"write-invalidate"` it starts with undefined contents. */
export type MapAccess = "read" | "write" | "write-invalidate" | "read-write";

/** What to map; offset and length count elements of the type that is mapped. */
export interface MapOptions extends ElementRangeOptions {
  /** What will be done with the memory. With `"write-invalidate"` it starts with undefined contents. */
  readonly access?: MapAccess;
  /** What the map waits for. */
  readonly waitFor?: WaitFor;
}

/** What to map, and how to stop waiting for it. */
export interface AsyncMapOptions extends MapOptions {
  /** Ends the wait; the memory is unmapped as soon as it has been mapped. */
  readonly signal?: AbortSignal;
}

const accessFlags = {
  read: MapFlags.READ,
  write: MapFlags.WRITE,
  "write-invalidate": MapFlags.WRITE_INVALIDATE_REGION,
  "read-write": MapFlags.READ | MapFlags.WRITE,
} as const;

/** Maps a buffer, or the elements that the options name; for reading and writing if they say nothing else. */
export function map<T extends TypedArray>(
  queue: CommandQueue,
  buffer: DeviceBuffer<T>,
  options?: AsyncMapOptions,
): Promise<MappedBuffer<T>>;
export function map<T extends TypedArray>(
  queue: CommandQueue,
  buffer: DeviceBuffer,
  type: ElementType<T>,
  options?: AsyncMapOptions,
): Promise<MappedBuffer<T>>;
export async function map(
  queue: CommandQueue,
  buffer: DeviceBuffer,
  typeOrOptions?: ElementType | AsyncMapOptions,
  maybeOptions?: AsyncMapOptions,
): Promise<MappedBuffer> {
  const [type, options] = splitType(typeOrOptions, maybeOptions);
  const { elements, range, flags, waits } = plan(buffer, type, options);
  const signal = checkSignal(options?.signal);
  signal?.throwIfAborted();
  const [mapping, event] = native.mapBuffer(
    handleOf(queue),
    handleOf(buffer),
    flags,
    range.byteOffset,
    range.bytes,
    false,
    waits,
  );
  await mapped(queue, mapping, event, signal, "clEnqueueMapBuffer");
  return wrap(mapping, queue, buffer, elements, range);
}

/** Maps as {@link map} does, and blocks the event loop until it is done. */
export function mapSync<T extends TypedArray>(
  queue: CommandQueue,
  buffer: DeviceBuffer<T>,
  options?: MapOptions,
): MappedBuffer<T>;
export function mapSync<T extends TypedArray>(
  queue: CommandQueue,
  buffer: DeviceBuffer,
  type: ElementType<T>,
  options?: MapOptions,
): MappedBuffer<T>;
export function mapSync(
  queue: CommandQueue,
  buffer: DeviceBuffer,
  typeOrOptions?: ElementType | MapOptions,
  maybeOptions?: MapOptions,
): MappedBuffer {
  const [type, options] = splitType(typeOrOptions, maybeOptions);
  const { elements, range, flags, waits } = plan(buffer, type, options);
  const [mapping] = native.mapBuffer(
    handleOf(queue),
    handleOf(buffer),
    flags,
    range.byteOffset,
    range.bytes,
    true,
    waits,
  );
  return wrap(mapping, queue, buffer, elements, range);
}

function plan(
  buffer: DeviceBuffer,
  type: ElementType | undefined,
  options: MapOptions | undefined,
): { elements: ElementType; range: ElementRange; flags: number; waits: Int32Array | undefined } {
  handleOf(checkBuffer(buffer, "buffer"));
  const given = checkOptions(options);
  const flags = mapAccessFlags(given.access);
  const elements = chooseType(type, buffer);
  const range = elementRange(buffer, elements, given);
  if (range.length === 0) throw new RangeError("options.length must be at least 1, since nothing cannot be mapped");
  return { elements, range, flags, waits: waitHandles(given.waitFor) };
}

/** The flags of `MapFlags` for what is to be done. */
export function mapAccessFlags(access: unknown = "read-write"): number {
  if (typeof access !== "string" || !Object.hasOwn(accessFlags, access)) {
    throw typeError("options.access", '"read", "write", "write-invalidate" or "read-write"', access);
  }
  return accessFlags[access as MapAccess];
}

function wrap(
  mapping: Handle,
  queue: CommandQueue,
  buffer: DeviceBuffer,
  type: ElementType,
  range: ElementRange,
): MappedBuffer {
  try {
    return new MappedBuffer(mapping, queue, buffer, type, range.length);
  } catch (error) {
    native.recycle(mapping);
    throw error;
  }
}

/** Waits for the map command. Memory may be unmapped only after it, so an aborted wait ends the map later. */
export function mapped(
  queue: CommandQueue,
  mapping: Handle,
  event: Handle,
  signal: AbortSignal | undefined,
  routine: string,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let aborted = false;
    const abort = (): void => {
      aborted = true;
      reject(signal?.reason as Error);
    };
    const ended = (status: number): void => {
      signal?.removeEventListener("abort", abort);
      native.recycle(event);
      if (status >= 0 && !aborted) {
        resolve();
        return;
      }
      native.recycle(mapping);
      if (!aborted) reject(driverError(routine, status));
    };
    try {
      expectOnce(ended, (id) => native.watchEvent(event, CommandStatus.COMPLETE, id), true, event);
    } catch (error) {
      giveUp(mapping, event);
      throw error;
    }
    signal?.addEventListener("abort", abort, { once: true });
    queue.flushSoon();
  });
}

/** Ends a map of whose completion nobody would be told. */
function giveUp(mapping: Handle, event: Handle): void {
  try {
    native.waitSync(Int32Array.of(event));
  } catch {
    // A map that failed need not be waited for.
  }
  native.recycle(event);
  native.recycle(mapping);
}
