/**
 * Copies of views, each by the cheapest way that honours its layout: one piece, one rectangle, or a kernel that gathers
 * into (or scatters from) packed memory of its own.
 */
import type { CommandEvent, WaitFor } from "../event/event.js";
import { DeviceBuffer, placeOf } from "../memory/buffer.js";
import { MemFlags } from "../constants.js";
import type { CommandQueue } from "../queue/queue.js";
import type { TypedArray } from "../typed/index.js";
import { boxCopy, type StridedCopy, stridedCopy } from "./layout-copy.js";
import { layoutsOverlap } from "./layout-overlap.js";
import { contiguousLayout, type Layout, type Order, sizeOf } from "./layout.js";
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
  return withPacked(queue, sizeOf(layout.shape) * itemSize, (packed) => {
    const gathered = enqueueStrided(queue, buffer, packed, copy, options.waitFor);
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
  return withPacked(queue, sizeOf(layout.shape) * itemSize, (packed) => {
    const written = queue.enqueueCopy(packed, from, { bytes: packed.size, waitFor: options.waitFor });
    return enqueueStrided(queue, packed, buffer, copy, written);
  });
}

/** Copies elements to others of the same shape. Where both share bytes, all are read before any is written. */
export function enqueueElements(queue: CommandQueue, to: Elements, from: Elements, options: Options): CommandEvent {
  const { itemSize } = to;
  if (overlap(to, from)) {
    return withPacked(queue, sizeOf(to.layout.shape) * itemSize, (buffer) => {
      const packed = { buffer, layout: contiguousLayout(to.layout.shape, itemSize), itemSize };
      const copied = enqueueElements(queue, packed, from, options);
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
  if (box === undefined) return undefined;
  return queue.enqueueCopy(target, source, {
    region: box.region,
    sourceOrigin: box.from.origin,
    sourcePitches: box.from.pitches,
    targetOrigin: box.to.origin,
    targetPitches: box.to.pitches,
    waitFor,
  });
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

/** The driver would say so of the commands that are not used here. */
function checkHostMay(buffer: DeviceBuffer, forbidden: number, verb: string): void {
  if ((buffer.flags & (forbidden | MemFlags.HOST_NO_ACCESS)) === 0) return;
  throw new TypeError(`the memory may not be ${verb} by the host: it was made with another hostAccess`);
}
