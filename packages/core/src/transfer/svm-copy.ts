/** Copies between shared virtual memory and the host or other shared virtual memory. */
import { arrayBufferOf } from "@cl/base";

import { type Handle, native } from "../binding/native.js";
import { handleOf } from "../binding/resource.js";
import { holdUntil } from "../binding/pin.js";
import type { ElementRange } from "../memory/element-range.js";
import type { CopySide } from "./copy-side.js";
import type { TypedArray } from "../typed/index.js";
import type { SvmPointer } from "../svm/svm-pointer.js";

/** Copies a byte range. Returns the event; `undefined` for a blocking copy. */
export function copySvmRange(
  queue: Handle,
  to: CopySide,
  targetOffset: number,
  from: CopySide,
  sourceOffset: number,
  bytes: number,
  blocking: boolean,
  waits: Int32Array | undefined,
): Handle | undefined {
  const [target, targetPlace] = placeIn(to, targetOffset);
  const [source, sourcePlace] = placeIn(from, sourceOffset);
  return native.svmCopy(queue, target, targetPlace, source, sourcePlace, to.host ?? from.host, bytes, blocking, waits);
}

/** Returns the handle (0 for the host) and offset of one side. */
function placeIn({ svm }: CopySide, offset: number): [handle: Handle, offset: number] {
  return svm === undefined ? [0, offset] : [handleOf(svm), svm.byteOffset + offset];
}

/** Copies a range into a typed array. Returns the event; `undefined` for a blocking copy. */
export function readSvm(
  queue: Handle,
  svm: SvmPointer,
  range: ElementRange,
  into: TypedArray,
  blocking: boolean,
  waits: Int32Array | undefined,
): Handle | undefined {
  const source = svm.byteOffset + range.byteOffset;
  return holdMemory(native.svmCopy(queue, 0, 0, handleOf(svm), source, into, range.bytes, blocking, waits), into);
}

/** Copies a typed array into the memory at `byteOffset`. Returns the event; `undefined` for a blocking copy. */
export function writeSvm(
  queue: Handle,
  svm: SvmPointer,
  byteOffset: number,
  from: TypedArray,
  bytes: number,
  blocking: boolean,
  waits: Int32Array | undefined,
): Handle | undefined {
  const target = svm.byteOffset + byteOffset;
  return holdMemory(native.svmCopy(queue, handleOf(svm), target, 0, 0, from, bytes, blocking, waits), from);
}

function holdMemory(event: Handle | undefined, array: TypedArray): Handle | undefined {
  if (event !== undefined) holdUntil(event, arrayBufferOf(array));
  return event;
}

/**
 * Runs a copy that OpenCL supports only for buffers, on temporary buffers over shared virtual memory: boxes, and copies
 * between shared virtual memory and a buffer. The driver keeps the released buffers until the copy has completed.
 */
export function throughBuffers<R>(to: CopySide, from: CopySide, copy: (to: CopySide, from: CopySide) => R): R {
  const [target, source] = [asBufferSide(to), asBufferSide(from)];
  try {
    return copy(target, source);
  } finally {
    if (target !== to) target.buffer?.release();
    if (source !== from) source.buffer?.release();
  }
}

function asBufferSide(side: CopySide): CopySide {
  return side.svm === undefined ? side : { ...side, svm: undefined, buffer: side.svm.asBuffer() };
}
