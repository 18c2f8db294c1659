/** Arguments passed by value that are not a single number: vectors, structs and raw bytes. */
import { byteLengthOf, bytesOver, isView, lengthOf } from "@cl/base";

import type { DType } from "../dtype/dtype.js";
import { arrayOver, elementTypeOf } from "../dtype/host-array.js";
import type { TypedArray } from "../typed/index.js";

/**
 * Bytes returned by an object's kernel-argument protocol. They are copied without conversion, whatever their array
 * type.
 */
export class StandInBytes {
  readonly view: ArrayBufferView;
  readonly dtype: DType | undefined;

  constructor(view: ArrayBufferView, dtype?: DType) {
    this.view = view;
    this.dtype = dtype;
  }
}

/** Returns the bytes of a view; `undefined` if it is empty, detached or out of bounds. */
export function viewBytes(view: ArrayBufferView): Uint8Array | undefined {
  try {
    return byteLengthOf(view) === 0 ? undefined : bytesOver(view);
  } catch {
    // The length of a detached DataView throws.
    return undefined;
  }
}

/** Returns a copy of a mutable value, and other values unchanged. */
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
