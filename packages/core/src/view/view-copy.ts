/**
 * Copies of views by the cheapest suitable method: a contiguous copy, a rectangular copy, or a kernel that gathers into
 * (or scatters from) temporary contiguous memory.
 */
import {
  boxCopy,
  bytesOver,
  contiguousLayout,
  type Layout,
  layoutsOverlap,
  type Order,
  sizeOf,
  type StridedCopy,
  stridedCopy,
  wrongValue,
} from "@cl/base";

import { native } from "../binding/native.js";
import { handleOf } from "../binding/resource.js";
import { MapFlags, MemFlags } from "../binding/constants.js";
import { type CommandEvent, eventOf, type WaitFor } from "../event/event.js";
import { DeviceBuffer, placeOf } from "../memory/buffer.js";
import type { BufferAccess } from "../memory/buffer-options.js";
import type { CommandQueue } from "../command-queue/command-queue.js";
import type { TypedArray } from "../typed/index.js";
import { enqueueStrided } from "./strided-kernel.js";

/** Elements of a buffer. */
export interface Elements {
  readonly buffer: DeviceBuffer;
  readonly layout: Layout;
  readonly itemSize: number;
}

interface Options {
  readonly waitFor: WaitFor;
}

/** Reads elements into contiguous host memory. */
export function enqueueGather(
  queue: CommandQueue,
  { buffer, layout, itemSize }: Elements,
  into: TypedArray,
  order: Order,
  options: Options,
): CommandEvent {
  const copy = stridedCopy(layout, contiguousLayout(layout.shape, itemSize, order), itemSize);
  const direct = byCommand(queue, into, buffer, copy, options);
  if (direct !== undefined) return direct;
  checkHostAccess(buffer, MemFlags.HOST_WRITE_ONLY, "read");
  if (sharesHostMemory(queue)) {
    return withHostMemory(queue, into, "write-only", (packed) =>
      syncToHost(queue, packed, enqueueStrided(queue, buffer, packed, copy, options.waitFor)),
    );
  }
  return withTemporaryBuffer(queue, sizeOf(layout.shape) * itemSize, (packed) => {
    using gathered = enqueueStrided(queue, buffer, packed, copy, options.waitFor);
    return queue.enqueueCopy(into, packed, { bytes: packed.size, waitFor: gathered });
  });
}

/** Writes elements from contiguous host memory. */
export function enqueueScatter(
  queue: CommandQueue,
  { buffer, layout, itemSize }: Elements,
  from: TypedArray,
  options: Options,
): CommandEvent {
  const copy = stridedCopy(contiguousLayout(layout.shape, itemSize), layout, itemSize, "from");
  const direct = byCommand(queue, buffer, from, copy, options);
  if (direct !== undefined) return direct;
  checkHostAccess(buffer, MemFlags.HOST_READ_ONLY, "write");
  if (sharesHostMemory(queue)) {
    return withHostMemory(queue, from, "read-only", (packed) =>
      enqueueStrided(queue, packed, buffer, copy, options.waitFor),
    );
  }
  return withTemporaryBuffer(queue, sizeOf(layout.shape) * itemSize, (packed) => {
    using written = queue.enqueueCopy(packed, from, { bytes: packed.size, waitFor: options.waitFor });
    return enqueueStrided(queue, packed, buffer, copy, written);
  });
}

/** Copies elements to others of the same shape. If they overlap, reads all of them before writing any. */
export function enqueueElements(queue: CommandQueue, to: Elements, from: Elements, options: Options): CommandEvent {
  const { itemSize } = to;
  if (overlap(to, from)) {
    return withTemporaryBuffer(queue, sizeOf(to.layout.shape) * itemSize, (buffer) => {
      const packed = { buffer, layout: contiguousLayout(to.layout.shape, itemSize), itemSize };
      using copied = enqueueElements(queue, packed, from, options);
      return enqueueElements(queue, to, packed, { waitFor: copied });
    });
  }
  const copy = stridedCopy(from.layout, to.layout, itemSize);
  // Drivers differ in how they detect overlapping boxes in the same memory.
  const shared = placeOf(to.buffer).store === placeOf(from.buffer).store;
  const direct = byCommand(queue, to.buffer, from.buffer, copy, options, shared);
  return direct ?? enqueueStrided(queue, from.buffer, to.buffer, copy, options.waitFor);
}

/** Returns whether elements of both overlap. */
function overlap(first: Elements, second: Elements): boolean {
  const [firstPlace, secondPlace] = [placeOf(first.buffer), placeOf(second.buffer)];
  if (firstPlace.store !== secondPlace.store) return false;
  const shifted = (layout: Layout, by: number): Layout => ({ ...layout, offset: layout.offset + by });
  return layoutsOverlap(
    shifted(first.layout, firstPlace.start),
    shifted(second.layout, secondPlace.start),
    first.itemSize,
  );
}

/** Enqueues the copy as one OpenCL command; returns `undefined` if no command supports it or a kernel is faster. */
function byCommand(
  queue: CommandQueue,
  target: DeviceBuffer | TypedArray,
  source: DeviceBuffer | TypedArray,
  copy: StridedCopy,
  { waitFor }: Options,
  shared = false,
): CommandEvent | undefined {
  if (copy.shape.length === 0) {
    const { run, from, to } = copy;
    return queue.enqueueCopy(target, source, {
      bytes: run,
      sourceOffset: from.offset,
      targetOffset: to.offset,
      waitFor,
    });
  }
  const box = shared ? undefined : boxCopy(copy);
  if (box === undefined || (kernelIsFaster(queue, copy) && [target, source].every(isUnrestricted))) return undefined;
  return queue.enqueueCopy(target, source, {
    region: box.region,
    sourceOrigin: box.from.origin,
    sourcePitches: box.from.pitches,
    targetOrigin: box.to.origin,
    targetPitches: box.to.pitches,
    waitFor,
  });
}

/**
 * Returns whether a kernel is faster than a rectangular copy. On PoCL 3.1 this holds for runs of 4 to 16 bytes with small
 * gaps: 32 MiB take 4 to 7 ms, as a rectangle 4 to 13; for longer runs or larger gaps the kernel is not faster.
 * Discrete devices transfer the rows of a rectangle one by one, so their bound is higher (an estimate).
 */
function kernelIsFaster(queue: CommandQueue, { run, shape, from, to }: StridedCopy): boolean {
  const { device } = queue;
  const bytes = shape.reduce((product, extent) => product * extent, run);
  if (!device.compilerAvailable || bytes < 2 ** 20) return false;
  if (!device.hostUnifiedMemory) return run <= 64;
  const pitch = Math.max(from.strides.at(-1) as number, to.strides.at(-1) as number);
  return shape.length === 1 && run <= 16 && pitch <= 4 * run;
}

const restrictions =
  MemFlags.READ_ONLY |
  MemFlags.WRITE_ONLY |
  MemFlags.HOST_READ_ONLY |
  MemFlags.HOST_WRITE_ONLY |
  MemFlags.HOST_NO_ACCESS;

/** Returns whether memory has no access restrictions. */
function isUnrestricted(end: DeviceBuffer | TypedArray): boolean {
  return !(end instanceof DeviceBuffer) || (end.flags & restrictions) === 0;
}

/** Calls `use` with temporary memory, which drivers keep until the commands that use it have completed. */
function withTemporaryBuffer(
  queue: CommandQueue,
  bytes: number,
  use: (packed: DeviceBuffer) => CommandEvent,
): CommandEvent {
  const packed = new DeviceBuffer(queue.context, bytes);
  try {
    return use(packed);
  } finally {
    packed.release();
  }
}

/** Returns whether the device shares the host's memory and buffers can pin it until no command uses it. */
function sharesHostMemory({ device }: CommandQueue): boolean {
  return device.hostUnifiedMemory && native.canPin();
}

/**
 * Calls `use` with a buffer over host memory, so that a kernel accesses it directly: 32 MiB take 3 to 7 ms on PoCL 3.1,
 * compared with 60 to 90 ms through temporary memory, mostly for its allocation.
 */
function withHostMemory(
  queue: CommandQueue,
  host: TypedArray,
  access: BufferAccess,
  use: (packed: DeviceBuffer) => CommandEvent,
): CommandEvent {
  const bytes = bytesOver(host);
  const packed = new DeviceBuffer(queue.context, { host: bytes, hostPointer: "use", access });
  try {
    return use(packed);
  } finally {
    packed.release();
  }
}

/** Makes a kernel's writes to host memory visible to the host, with a map and unmap. */
function syncToHost(queue: CommandQueue, packed: DeviceBuffer, written: CommandEvent): CommandEvent {
  const [queueHandle, memory] = [handleOf(queue), handleOf(packed)];
  const waits = Int32Array.of(handleOf(written));
  const [mapping, event] = native.mapBuffer(queueHandle, memory, MapFlags.READ, 0, packed.size, false, waits);
  try {
    return eventOf(native.unmap(mapping, undefined, Int32Array.of(event)), queue);
  } finally {
    native.recycle(event);
    native.recycle(mapping);
    written.release();
  }
}

/** Throws if the host may not access the memory, as the driver would for a read or write command. */
function checkHostAccess(buffer: DeviceBuffer, forbidden: number, verb: string): void {
  if ((buffer.flags & (forbidden | MemFlags.HOST_NO_ACCESS)) === 0) return;
  throw wrongValue(`the host cannot ${verb} the memory; create the buffer with another hostAccess`);
}
