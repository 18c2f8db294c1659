/** Arguments by value that are not one number: vectors, structs, and the bytes that objects give for themselves. */
import { byteLengthOf, bytesOver, isView, lengthOf } from "@cl/base";

import type { DType } from "../dtype/dtype.js";
import { arrayOver, elementTypeOf } from "../dtype/host-array.js";
import type { TypedArray } from "../typed/index.js";

/** Bytes that an object of the kernel-argument protocol gave for itself: taken as they are, whatever array they lie in. */
export class StandInBytes {
  readonly view: ArrayBufferView;
  readonly dtype: DType | undefined;

  constructor(view: ArrayBufferView, dtype?: DType) {
    this.view = view;
    this.dtype = dtype;
  }
}

/** The bytes of a view; undefined if it has none, or its memory has been transferred away or has shrunk under it. */
export function viewBytes(view: ArrayBufferView): Uint8Array | undefined {
  try {
    return byteLengthOf(view) === 0 ? undefined : bytesOver(view);
  } catch {
    // A DataView whose memory is gone throws even when it is asked for its length.
    return undefined;
  }
}

/** What a value is now, where its owner could change it later. */
export function captured(value: unknown): unknown {
  if (value instanceof StandInBytes) return new StandInBytes(copied(value.view), value.dtype);
  if (isView(value)) return copied(value);
  return Array.isArray(value) ? [...(value as readonly unknown[])] : value;
}

function copied(view: ArrayBufferView): ArrayBufferView {
  const { buffer } = bytesOver(view).slice();
  const type = elementTypeOf(view);
  return type === undefined ? new DataView(buffer) : arrayOver(type, buffer, lengthOf(view as TypedArray));
}
