/** Copies of boxes. */
import { type DeviceBuffer, placeOf } from "./buffer.js";
import type { CopyOptions } from "./copy-options.js";
import { type CopySide, orderHint } from "./copy-side.js";
import { type Handle, native } from "./native.js";
import type { CommandQueue } from "./queue.js";
import { boxEnd, boxesOverlap, type BoxPlace, boxPlace, boxStart, type Triple, triple } from "./rectangle.js";
import { handleOf } from "./resource.js";
import { writeRectangle } from "./scratch.js";
import { nothingTransferred } from "./transfer-end.js";

/** Copies a box; the event, or nothing if the native call has waited already. */
export function copyBox(
  queue: CommandQueue,
  to: CopySide,
  from: CopySide,
  options: CopyOptions,
  blocking: boolean,
  waits: Int32Array | undefined,
): Handle | undefined {
  const region = triple(options.region, "options.region", 1);
  const q = handleOf(queue);
  const target = to.buffer === undefined ? 0 : handleOf(to.buffer);
  const source = from.buffer === undefined ? 0 : handleOf(from.buffer);
  if (region.includes(0)) return nothingTransferred(queue, waits);
  const targetBox = boxPlace(region, options.targetOrigin, options.targetPitches, "options.target");
  const sourceBox = boxPlace(region, options.sourceOrigin, options.sourcePitches, "options.source");
  checkInside(to, targetBox, region);
  checkInside(from, sourceBox, region);
  // The native calls take the buffer's side first; between buffers, the source's.
  const [first, second] = from.buffer === undefined ? [targetBox, sourceBox] : [sourceBox, targetBox];
  if (to.buffer !== undefined && from.buffer !== undefined) {
    checkApart(to.buffer, targetBox, from.buffer, sourceBox, region);
  }
  writeRectangle({
    first: first.origin,
    second: second.origin,
    region,
    firstPitches: first.pitches,
    secondPitches: second.pitches,
  });
  if (to.host !== undefined) return native.readRectangle(q, source, to.host, 0, blocking, waits);
  if (from.host !== undefined) return native.writeRectangle(q, target, from.host, 0, blocking, waits);
  return native.copyRectangle(q, source, target, waits, true);
}

function checkInside({ name, size }: CopySide, place: BoxPlace, region: Triple): void {
  const end = boxEnd(place, region);
  if (end <= size) return;
  throw new RangeError(
    `the box in the ${name} reaches from byte ${boxStart(place)} to ${end}, but the ${name} has ${size} bytes (${orderHint})`,
  );
}

function checkApart(to: DeviceBuffer, target: BoxPlace, from: DeviceBuffer, source: BoxPlace, region: Triple): void {
  const [targetPlace, sourcePlace] = [placeOf(to), placeOf(from)];
  if (targetPlace.store !== sourcePlace.store) return;
  if (target.pitches.some((pitch, i) => pitch !== source.pitches[i])) {
    throw new RangeError(
      `target and source are the same memory, so OpenCL wants the same pitches on both sides, but [${target.pitches.join()}] and [${source.pitches.join()}] came`,
    );
  }
  const distance = targetPlace.start + boxStart(target) - sourcePlace.start - boxStart(source);
  if (boxesOverlap(distance, region, target.pitches)) {
    throw new RangeError("target and source are the same memory and the boxes overlap; copy through another buffer");
  }
}
