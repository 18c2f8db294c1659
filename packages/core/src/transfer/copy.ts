/** Copies of byte ranges and boxes between host memory, buffers and SVM. */
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
import { transferCalls } from "../queue/staging.js";
import { copySvmRange, throughBuffers } from "./svm-copy.js";
import { enqueueEmptyTransfer, waitForTransferSync } from "./transfer-end.js";

export type { CopyOptions, CopyRange } from "./copy-options.js";

/**
 * Copies between two buffers, or between a buffer and host memory. The target comes first. Does not wait: host memory
 * must not be used until the event has completed.
 */
export function enqueueCopy(queue: QueueBase, target: CopyEnd, source: CopyEnd, options?: CopyOptions): CommandEvent {
  return eventOf(copy(queue, target, source, options, false) as Handle, queue);
}

/** Copies like {@link enqueueCopy}, but blocks the event loop until the copy has completed. */
export function copySync(queue: QueueBase, target: CopyEnd, source: CopyEnd, options?: CopyOptions): void {
  const event = copy(queue, target, source, options, true);
  if (event !== undefined) waitForTransferSync(event);
}

/** Returns the copy's event; `undefined` if the native call has already waited. */
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
    : copyRun(queue, to, from, given, blocking, waits);
  const host = to.host ?? from.host;
  if (event !== undefined && host !== undefined) holdUntil(event, arrayBufferOf(host));
  return event;
}

/** Returns whether the options select a box. Throws if some would be ignored. */
function isBoxed(options: CopyOptions): boolean {
  const box = boxNames.find((name) => options[name] !== undefined);
  if (box === undefined) return false;
  if (options.region === undefined) {
    throw typeError("options.region", `an array of numbers when options.${box} is given`, undefined);
  }
  const line = rangeNames.find((name) => options[name] !== undefined);
  if (line !== undefined) {
    throw wrongValue(`options.${line} cannot be combined with options.region; use origins and region`);
  }
  return true;
}

function copyRun(
  queue: QueueBase,
  to: CopySide,
  from: CopySide,
  options: CopyOptions,
  blocking: boolean,
  waits: Int32Array | undefined,
): Handle | undefined {
  const { sourceOffset, targetOffset, bytes } = checkRange(to, from, options);
  const q = handleOf(queue);
  if (to.svm !== undefined || from.svm !== undefined) {
    for (const { svm, buffer } of [to, from]) handleOf(svm ?? buffer ?? queue);
    if (bytes === 0) return enqueueEmptyTransfer(queue, waits);
    if (to.buffer === undefined && from.buffer === undefined) {
      return copySvmRange(q, to, targetOffset, from, sourceOffset, bytes, blocking, waits);
    }
    return throughBuffers(to, from, (t, f) => copyRun(queue, t, f, { ...options, bytes }, blocking, waits));
  }
  const target = to.buffer === undefined ? 0 : handleOf(to.buffer);
  const source = from.buffer === undefined ? 0 : handleOf(from.buffer);
  if (bytes === 0) return enqueueEmptyTransfer(queue, waits);
  if (to.host !== undefined) {
    const { read } = transferCalls(queue, bytes, arrayBufferOf(to.host));
    return read(q, source, sourceOffset, to.host, targetOffset, bytes, blocking, waits);
  }
  if (from.host !== undefined) {
    const { write } = transferCalls(queue, bytes, arrayBufferOf(from.host));
    return write(q, target, targetOffset, from.host, sourceOffset, bytes, blocking, waits);
  }
  return native.copyBuffer(q, source, target, sourceOffset, targetOffset, bytes, waits, true);
}

/** Throws if {@link enqueueCopy} would throw for the memory and options, independent of the queue. */
export function checkCopyEnds(target: CopyEnd, source: CopyEnd, options?: CopyOptions): void {
  const [to, from] = copySides(target, source, false);
  const given = checkOptions(options, copyNames);
  const boxed = isBoxed(given);
  for (const { buffer, svm } of [to, from]) {
    const memory = buffer ?? svm;
    if (memory !== undefined) handleOf(memory);
  }
  if (boxed) throughBuffers(to, from, (t, f) => planBoxes(t, f, given));
  else checkRange(to, from, given);
}

/** Returns the checked byte range of a copy between buffers. Does not check option names. */
export function copyRange(target: DeviceBuffer, source: DeviceBuffer, range: CopyRange): Required<CopyRange> {
  const [to, from] = copySides(target, source, false);
  return checkRange(to, from, range);
}

function checkRange(to: CopySide, from: CopySide, range: CopyRange): Required<CopyRange> {
  const targetOffset = checkInteger(range.targetOffset ?? 0, "options.targetOffset", 0, to.size);
  const sourceOffset = checkInteger(range.sourceOffset ?? 0, "options.sourceOffset", 0, from.size);
  const bytes = byteCount(to.size - targetOffset, from.size - sourceOffset, range.bytes);
  const [target, source] = [placeOfSide(to), placeOfSide(from)];
  if (target !== undefined && source !== undefined) checkOverlap(target, targetOffset, source, sourceOffset, bytes);
  return { targetOffset, sourceOffset, bytes };
}

function byteCount(room: number, available: number, bytes: number | undefined): number {
  if (bytes === undefined) {
    if (room !== available) {
      throw outOfRange(
        `the source has ${available} bytes and the target ${room} bytes after their offsets; pass options.bytes (${orderHint})`,
      );
    }
    return room;
  }
  checkInteger(bytes, "options.bytes");
  const [limit, side] = room < available ? [room, "target"] : [available, "source"];
  if (bytes > limit) {
    throw outOfRange(
      `options.bytes must be at most the ${limit} bytes after the ${side}'s offset, received ${bytes} (${orderHint})`,
    );
  }
  return bytes;
}

function placeOfSide({ buffer, svm }: CopySide): Place | undefined {
  if (svm !== undefined) return { store: svm.owner, start: svm.byteOffset };
  return buffer === undefined ? undefined : placeOf(buffer);
}

function checkOverlap(target: Place, targetOffset: number, source: Place, sourceOffset: number, bytes: number): void {
  if (target.store !== source.store) return;
  const distance = Math.abs(target.start + targetOffset - source.start - sourceOffset);
  if (distance >= bytes) return;
  throw outOfRange(
    `target and source overlap in the same memory: ${bytes} bytes, ${distance} bytes apart; copy through another buffer`,
  );
}
