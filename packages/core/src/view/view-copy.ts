/**
 * Copies of views, each by the cheapest way that honours its layout: one piece, one rectangle, or a kernel that gathers
 * into (or scatters from) packed memory of its own.
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

/** Elements in a buffer. */
export interface Elements {
  readonly buffer: DeviceBuffer;
  readonly layout: Layout;
  readonly itemSize: number;
}

interface Options {
  readonly waitFor: WaitFor;
}

/** Reads elements side by side into host memory. */
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
  checkHostMay(buffer, MemFlags.HOST_WRITE_ONLY, "read");
  if (worksInHostMemory(queue)) {
    return inHostMemory(queue, into, "write-only", (packed) =>
      showHost(queue, packed, enqueueStrided(queue, buffer, packed, copy, options.waitFor)),
    );
  }
  return withPacked(queue, sizeOf(layout.shape) * itemSize, (packed) => {
    using gathered = enqueueStrided(queue, buffer, packed, copy, options.waitFor);
    return queue.enqueueCopy(into, packed, { bytes: packed.size, waitFor: gathered });
  });
}

/** Writes elements that are side by side in host memory. */
export function enqueueScatter(
  queue: CommandQueue,
  { buffer, layout, itemSize }: Elements,
  from: TypedArray,
  options: Options,
): CommandEvent {
  const copy = stridedCopy(contiguousLayout(layout.shape, itemSize), layout, itemSize, "from");
  const direct = byCommand(queue, buffer, from, copy, options);
  if (direct !== undefined) return direct;
  checkHostMay(buffer, MemFlags.HOST_READ_ONLY, "written");
  if (worksInHostMemory(queue)) {
    return inHostMemory(queue, from, "read-only", (packed) =>
      enqueueStrided(queue, packed, buffer, copy, options.waitFor),
    );
  }
  return withPacked(queue, sizeOf(layout.shape) * itemSize, (packed) => {
    using written = queue.enqueueCopy(packed, from, { bytes: packed.size, waitFor: options.waitFor });
    return enqueueStrided(queue, packed, buffer, copy, written);
  });
}

/** Copies elements to others of the same shape. Where both share bytes, all are read before any is written. */
export function enqueueElements(queue: CommandQueue, to: Elements, from: Elements, options: Options): CommandEvent {
  const { itemSize } = to;
  if (overlap(to, from)) {
    return withPacked(queue, sizeOf(to.layout.shape) * itemSize, (buffer) => {
      const packed = { buffer, layout: contiguousLayout(to.layout.shape, itemSize), itemSize };
      using copied = enqueueElements(queue, packed, from, options);
      return enqueueElements(queue, to, packed, { waitFor: copied });
    });
  }
  const copy = stridedCopy(from.layout, to.layout, itemSize);
  // Whether boxes in the same memory overlap is judged by each driver in its own way.
  const shared = placeOf(to.buffer).store === placeOf(from.buffer).store;
  const direct = byCommand(queue, to.buffer, from.buffer, copy, options, shared);
  return direct ?? enqueueStrided(queue, from.buffer, to.buffer, copy, options.waitFor);
}

/** True if elements of both share bytes. */
function overlap(one: Elements, other: Elements): boolean {
  const [place, otherPlace] = [placeOf(one.buffer), placeOf(other.buffer)];
  if (place.store !== otherPlace.store) return false;
  const moved = (layout: Layout, by: number): Layout => ({ ...layout, offset: layout.offset + by });
  return layoutsOverlap(moved(one.layout, place.start), moved(other.layout, otherPlace.start), one.itemSize);
}

/** The copy by a command of OpenCL's; undefined where there is none for it. */
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
  if (box === undefined || (isFinelyDivided(queue, copy) && [target, source].every(isOpen))) return undefined;
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
 * True where the kernel is faster than the rectangle that would do. On PoCL with runs of 4 to 16 bytes that lie close
 * together: 32 MiB take 4 to 7 ms, and as a rectangle 4 to 13; runs that are longer or further apart take as long or
 * longer. Devices on a bus fetch the rows of a rectangle one by one, so for them the bound is higher (a guess).
 */
function isFinelyDivided(queue: CommandQueue, { run, shape, from, to }: StridedCopy): boolean {
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

/** True for memory with which a kernel may do what a command would. */
function isOpen(end: DeviceBuffer | TypedArray): boolean {
  return !(end instanceof DeviceBuffer) || (end.flags & restrictions) === 0;
}

/** Gives memory for the time that commands need it: drivers keep it until they have completed. */
function withPacked(queue: CommandQueue, bytes: number, use: (packed: DeviceBuffer) => CommandEvent): CommandEvent {
  const packed = new DeviceBuffer(queue.context, bytes);
  try {
    return use(packed);
  } finally {
    packed.release();
  }
}

/** Buffers over host memory keep it, even when they are released, until no command uses it: where it can be pinned. */
function worksInHostMemory({ device }: CommandQueue): boolean {
  return device.hostUnifiedMemory && native.canPin();
}

/**
 * Where the device works in the host's memory, the kernel gathers right into it: 32 MiB take 3 to 7 ms on PoCL then, and 60
 * to 90 by way of memory of its own, most of which goes into the making of that.
 */
function inHostMemory(
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

/** Lets the host see what a kernel has written into its memory: that is what a map does, whatever is done with it. */
function showHost(queue: CommandQueue, packed: DeviceBuffer, written: CommandEvent): CommandEvent {
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

/** The driver would say so of the commands that are not used here. */
function checkHostMay(buffer: DeviceBuffer, forbidden: number, verb: string): void {
  if ((buffer.flags & (forbidden | MemFlags.HOST_NO_ACCESS)) === 0) return;
  throw wrongValue(`the memory may not be ${verb} by the host: it was made with another hostAccess`);
}
