/** New arrays of known layouts. */
import type { DTypeName, TypedDType } from "../types/dtype-name.js";
import type { ArrayLayout } from "./array-layout.js";
import type { ArrayRef, ArraySource } from "./array-ref.js";
import { Storage } from "./storage.js";

/** Returns an uninitialized array of a contiguous layout. */
export function newArray<D extends DTypeName>(xp: ArraySource, dtype: TypedDType<D>, layout: ArrayLayout): ArrayRef<D> {
  return xp.wrap(new Storage(xp.allocator, layout.size * dtype.itemSize), dtype, layout);
}
