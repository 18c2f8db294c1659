/** Copies of shared virtual memory, within it and from and to the host. */
import { arrayBufferOf } from "@cl/base";

import { type Handle, native } from "../binding/native.js";
import { handleOf } from "../binding/resource.js";
import { holdUntil } from "../binding/pin.js";
import type { ElementRange } from "../memory/element-range.js";
import type { CopySide } from "./copy-side.js";
import type { TypedArray } from "../typed/index.js";
import type { SvmPointer } from "../svm/svm-pointer.js";

/** Copies a run of bytes; nothing is returned if it has been waited for. */
export function copySvmLine(
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

/** The host has no handle. */
function placeIn({ svm }: CopySide, offset: number): [handle: Handle, offset: number] {
  return svm === undefined ? [0, offset] : [handleOf(svm), svm.byteOffset + offset];
}

/** Copies a part into an array, from its start on; nothing is returned if it has been waited for. */
export function readSvm(
  queue: Handle,
  svm: SvmPointer,
  range: ElementRange,
  into: TypedArray,
  blocking: boolean,
  waits: Int32Array | undefined,
): Handle | undefined {
  const source = svm.byteOffset + range.byteOffset;
  return pinned(native.svmCopy(queue, 0, 0, handleOf(svm), source, into, range.bytes, blocking, waits), into);
}

/** Copies all of an array to so many bytes into the memory; nothing is returned if it has been waited for. */
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
  return pinned(native.svmCopy(queue, handleOf(svm), target, 0, 0, from, bytes, blocking, waits), from);
}

function pinned(event: Handle | undefined, array: TypedArray): Handle | undefined {
  if (event !== undefined) holdUntil(event, arrayBufferOf(array));
  return event;
}

/**
 * Copies where OpenCL knows only buffers: boxes, and between shared virtual memory and a buffer. The buffers over the
 * memory last until the copy has been done.
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
