/** One call for every copy between host memory and buffers, in lines and in boxes. */
import { arrayBufferOf, checkInteger, checkOptions, outOfRange, typeError, wrongValue } from "@cl/base";

import { type DeviceBuffer, type Place, placeOf } from "../memory/buffer.js";
import { type CopyEnd, type CopySide, copySides, orderHint } from "./copy-side.js";
import { copyBox, planBoxes } from "./copy-rectangle.js";
import { boxNames, copyNames, type CopyOptions, type CopyRange, rangeNames } from "./copy-options.js";
import { type CommandEvent, eventOf, waitHandles } from "../event/event.js";
import { type Handle, native } from "../binding/native.js";
import { holdUntil } from "../binding/pin.js";
import type { QueueBase } from "../queue/queue-base.js";
import { handleOf } from "../binding/resource.js";
import { waysFor } from "../queue/staging.js";
import { copySvmLine, throughBuffers } from "./svm-copy.js";
import { nothingTransferred, transferredSync } from "./transfer-end.js";

export type { CopyOptions, CopyRange } from "./copy-options.js";

/**
 * Copies between two buffers, or a buffer and host memory. The target comes first. It does not wait: host memory must
 * be left alone until the event has completed.
 */
export function enqueueCopy(queue: QueueBase, target: CopyEnd, source: CopyEnd, options?: CopyOptions): CommandEvent {
  return eventOf(copy(queue, target, source, options, false) as Handle, queue);
}

/** Copies as {@link enqueueCopy} does, and blocks the event loop until it is done. */
export function copySync(queue: QueueBase, target: CopyEnd, source: CopyEnd, options?: CopyOptions): void {
  const event = copy(queue, target, source, options, true);
  if (event !== undefined) transferredSync(event);
}

/** The copy's event; nothing if the native call has waited already. */
function copy(
  queue: QueueBase,
  target: CopyEnd,
  source: CopyEnd,
  options: CopyOptions | undefined,
  blocking: boolean,
): Handle | undefined {
  const [to, from] = copySides(target, source, blocking);
  const given = checkOptions(options, copyNames);
  const boxed = options !== undefined && isBoxed(given);
  const waits = waitHandles(given.waitFor);
  if (blocking) native.refuseToAwait(handleOf(queue), waits);
  const event = boxed
    ? throughBuffers(to, from, (t, f) => copyBox(queue, t, f, given, blocking, waits))
    : copyLine(queue, to, from, given, blocking, waits);
  const host = to.host ?? from.host;
  if (event !== undefined && host !== undefined) holdUntil(event, arrayBufferOf(host));
  return event;
}

/** True for a box. Options that would be ignored are mistakes. */
function isBoxed(options: CopyOptions): boolean {
  const box = boxNames.find((name) => options[name] !== undefined);
  if (box === undefined) return false;
  if (options.region === undefined) {
    throw typeError("options.region", `an array of numbers, since options.${box} is given`, undefined);
  }
  const line = rangeNames.find((name) => options[name] !== undefined);
  if (line !== undefined) {
    throw wrongValue(`options.${line} is for copies without options.region; use origins and region`);
  }
  return true;
}

function copyLine(
  queue: QueueBase,
  to: CopySide,
  from: CopySide,
  options: CopyOptions,
  blocking: boolean,
  waits: Int32Array | undefined,
): Handle | undefined {
  const { sourceOffset, targetOffset, bytes } = line(to, from, options);
  const q = handleOf(queue);
  if (to.svm !== undefined || from.svm !== undefined) {
    for (const { svm, buffer } of [to, from]) handleOf(svm ?? buffer ?? queue);
    if (bytes === 0) return nothingTransferred(queue, waits);
    if (to.buffer === undefined && from.buffer === undefined) {
      return copySvmLine(q, to, targetOffset, from, sourceOffset, bytes, blocking, waits);
    }
    return throughBuffers(to, from, (t, f) => copyLine(queue, t, f, { ...options, bytes }, blocking, waits));
  }
  const target = to.buffer === undefined ? 0 : handleOf(to.buffer);
  const source = from.buffer === undefined ? 0 : handleOf(from.buffer);
  if (bytes === 0) return nothingTransferred(queue, waits);
  if (to.host !== undefined) {
    const { read } = waysFor(queue, bytes, arrayBufferOf(to.host));
    return read(q, source, sourceOffset, to.host, targetOffset, bytes, blocking, waits);
  }
  if (from.host !== undefined) {
    const { write } = waysFor(queue, bytes, arrayBufferOf(from.host));
    return write(q, target, targetOffset, from.host, sourceOffset, bytes, blocking, waits);
  }
  return native.copyBuffer(q, source, target, sourceOffset, targetOffset, bytes, waits, true);
}

/** Throws what {@link enqueueCopy} would throw for memory and options, whatever the queue. */
export function checkCopyEnds(target: CopyEnd, source: CopyEnd, options?: CopyOptions): void {
  const [to, from] = copySides(target, source, false);
  const given = checkOptions(options, copyNames);
  const boxed = isBoxed(given);
  for (const { buffer, svm } of [to, from]) {
    const memory = buffer ?? svm;
    if (memory !== undefined) handleOf(memory);
  }
  if (boxed) throughBuffers(to, from, (t, f) => planBoxes(t, f, given));
  else line(to, from, given);
}

/** The bytes that a copy between buffers is about, checked; of the range only the names are not. */
export function copyRange(target: DeviceBuffer, source: DeviceBuffer, range: CopyRange): Required<CopyRange> {
  const [to, from] = copySides(target, source, false);
  return line(to, from, range);
}

function line(to: CopySide, from: CopySide, range: CopyRange): Required<CopyRange> {
  const targetOffset = checkInteger(range.targetOffset ?? 0, "options.targetOffset", 0, to.size);
  const sourceOffset = checkInteger(range.sourceOffset ?? 0, "options.sourceOffset", 0, from.size);
  const bytes = byteCount(to.size - targetOffset, from.size - sourceOffset, range.bytes);
  const [target, source] = [placeOfSide(to), placeOfSide(from)];
  if (target !== undefined && source !== undefined) checkApart(target, targetOffset, source, sourceOffset, bytes);
  return { targetOffset, sourceOffset, bytes };
}

function byteCount(room: number, available: number, bytes: number | undefined): number {
  if (bytes === undefined) {
    if (room !== available) {
      throw outOfRange(
        `the source has ${available} bytes to copy and the target room for ${room}: say how many with options.bytes (${orderHint})`,
      );
    }
    return room;
  }
  checkInteger(bytes, "options.bytes");
  const [less, what] = room < available ? [room, "the target has room for"] : [available, "the source has"];
  if (bytes > less) {
    throw outOfRange(`options.bytes is ${bytes}, but ${what} ${less} after its offset (${orderHint})`);
  }
  return bytes;
}

function placeOfSide({ buffer, svm }: CopySide): Place | undefined {
  if (svm !== undefined) return { store: svm.whole, start: svm.byteOffset };
  return buffer === undefined ? undefined : placeOf(buffer);
}

function checkApart(target: Place, targetOffset: number, source: Place, sourceOffset: number, bytes: number): void {
  if (target.store !== source.store) return;
  const distance = Math.abs(target.start + targetOffset - source.start - sourceOffset);
  if (distance >= bytes) return;
  throw outOfRange(
    `target and source are the same memory ${distance} bytes apart, so ${bytes} bytes would overlap; copy through another buffer`,
  );
}
