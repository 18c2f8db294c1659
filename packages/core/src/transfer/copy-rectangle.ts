/** Rectangular copies. */
import { outOfRange } from "@cl/base";

import { type DeviceBuffer, placeOf } from "../memory/buffer.js";
import type { CopyOptions } from "./copy-options.js";
import { type CopySide, orderHint } from "./copy-side.js";
import { OpenCLError } from "../binding/errors.js";
import { type Handle, native } from "../binding/native.js";
import type { QueueBase } from "../queue/queue-base.js";
import { boxEnd, boxesOverlap, type BoxPlace, boxPlace, boxStart, type Triple, triple } from "./rectangle.js";
import { handleOf } from "../binding/resource.js";
import { writeRectangle } from "../binding/scratch.js";
import { enqueueEmptyTransfer } from "./transfer-end.js";

/** Copies a box. Returns the event; `undefined` if the native call has already waited. */
export function copyBox(
  queue: QueueBase,
  to: CopySide,
  from: CopySide,
  options: CopyOptions,
  blocking: boolean,
  waits: Int32Array | undefined,
): Handle | undefined {
  const q = handleOf(queue);
  const target = to.buffer === undefined ? 0 : handleOf(to.buffer);
  const source = from.buffer === undefined ? 0 : handleOf(from.buffer);
  const boxes = planBoxes(to, from, options);
  if (boxes === undefined) return enqueueEmptyTransfer(queue, waits);
  const { region, targetBox, sourceBox } = boxes;
  const { host } = to.host === undefined ? from : to;
  // The next native call reads the scratch block: the buffer's side first; between buffers, the source's.
  const [first, second] = from.buffer === undefined ? [targetBox, sourceBox] : [sourceBox, targetBox];
  return copyOrSplit(queue, { first, second, region }, blocking, (part) => {
    const [firstStart, secondStart] = [boxStart(part.first), boxStart(part.second)];
    if (part.region[1] === 1 && part.region[2] === 1) {
      const [bytes] = part.region;
      if (host === undefined) return native.copyBuffer(q, source, target, firstStart, secondStart, bytes, waits, true);
      if (to.host === undefined) {
        return native.writeBuffer(q, target, firstStart, host, secondStart, bytes, blocking, waits);
      }
      return native.readBuffer(q, source, firstStart, host, secondStart, bytes, blocking, waits);
    }
    writeRectangle({
      first: part.first.origin,
      second: part.second.origin,
      region: part.region,
      firstPitches: part.first.pitches,
      secondPitches: part.second.pitches,
    });
    if (host === undefined) return native.copyRectangle(q, source, target, waits, true);
    if (to.host === undefined) return native.writeRectangle(q, target, host, 0, blocking, waits);
    return native.readRectangle(q, source, host, 0, blocking, waits);
  });
}

/** Returns the checked boxes on both sides; `undefined` if they are empty. */
export function planBoxes(
  to: CopySide,
  from: CopySide,
  options: CopyOptions,
): { readonly region: Triple; readonly targetBox: BoxPlace; readonly sourceBox: BoxPlace } | undefined {
  const region = triple(options.region, "options.region", 1);
  if (region.includes(0)) return undefined;
  const targetBox = boxPlace(region, options.targetOrigin, options.targetPitches, "options.target");
  const sourceBox = boxPlace(region, options.sourceOrigin, options.sourcePitches, "options.source");
  checkInside(to, targetBox, region);
  checkInside(from, sourceBox, region);
  if (to.buffer !== undefined && from.buffer !== undefined) {
    checkOverlap(to.buffer, targetBox, from.buffer, sourceBox, region);
  }
  return { region, targetBox, sourceBox };
}

/** A copy in the form of the native calls. */
interface BoxCopy {
  readonly first: BoxPlace;
  readonly second: BoxPlace;
  readonly region: Triple;
}

/**
 * Copies a box or, if the driver rejects it, everything but its last slice (or row), and then that. OpenCL requires
 * only the copied bytes to be inside the buffer; NVIDIA's driver also requires the gaps after the last row and slice,
 * counted from the buffer's start: (z + slices) * slice pitch and (z + slices - 1) * slice pitch + (y + rows) * row
 * pitch.
 */
function copyOrSplit(
  queue: QueueBase,
  box: BoxCopy,
  blocking: boolean,
  copy: (part: BoxCopy) => Handle | undefined,
): Handle | undefined {
  const axis = box.region[2] > 1 ? 2 : 1;
  const copyTight = (part: BoxCopy): Handle | undefined => copy(part.region[2] > 1 ? part : oneSlice(part));
  try {
    return copyTight(box);
  } catch (error) {
    const rejected = error instanceof OpenCLError && error.code === "CL_INVALID_VALUE";
    if (!rejected || box.region[axis] === 1) throw error;
  }
  const [leading, last] = splitLast(axis === 2 ? box : oneSlice(box), axis);
  const parts = [copyTight(leading), copyOrSplit(queue, last, blocking, copy)];
  if (blocking) return undefined;
  const events = Int32Array.from(parts as Handle[]);
  try {
    return native.marker(handleOf(queue), events, true);
  } finally {
    for (const event of events) native.recycle(event);
  }
}

function splitLast({ first, second, region }: BoxCopy, axis: 1 | 2): readonly [BoxCopy, BoxCopy] {
  const last = region[axis] - 1;
  const leading = region.with(axis, last) as unknown as Triple;
  const advance = ({ origin, pitches }: BoxPlace): BoxPlace => ({
    origin: origin.with(axis, origin[axis] + last) as unknown as Triple,
    pitches,
  });
  return [
    { first, second, region: leading },
    { first: advance(first), second: advance(second), region: region.with(axis, 1) as unknown as Triple },
  ];
}

/** Returns the copy of one slice without slice pitches; these are multiples of the row pitch. */
function oneSlice({ first, second, region }: BoxCopy): BoxCopy {
  const flat = ({ origin: [x, y, z], pitches: [row, slice] }: BoxPlace): BoxPlace => ({
    origin: [x, y + z * (slice / row), 0],
    pitches: [row, row * region[1]],
  });
  return { first: flat(first), second: flat(second), region };
}

function checkInside({ name, size }: CopySide, place: BoxPlace, region: Triple): void {
  const end = boxEnd(place, region);
  if (end <= size) return;
  throw outOfRange(
    `the box in the ${name} spans bytes ${boxStart(place)} to ${end}, but the ${name} has ${size} bytes (${orderHint})`,
  );
}

function checkOverlap(to: DeviceBuffer, target: BoxPlace, from: DeviceBuffer, source: BoxPlace, region: Triple): void {
  const [targetPlace, sourcePlace] = [placeOf(to), placeOf(from)];
  if (targetPlace.store !== sourcePlace.store) return;
  if (target.pitches.some((pitch, i) => pitch !== source.pitches[i])) {
    throw outOfRange(
      `target and source are the same memory, so both sides must have the same pitches, received [${target.pitches.join()}] and [${source.pitches.join()}]`,
    );
  }
  const distance = targetPlace.start + boxStart(target) - sourcePlace.start - boxStart(source);
  if (boxesOverlap(distance, region, target.pitches)) {
    throw outOfRange("target and source overlap in the same memory; copy through another buffer");
  }
}
