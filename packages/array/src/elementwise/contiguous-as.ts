/** Conversion of arrays for kernels that require contiguous input. */
import type { DTypeName } from "../types/dtype-name.js";
import type { AnyArray, ArrayRef } from "../storage/array-ref.js";

/** Returns contiguous elements of a dtype: a view if they are stored that way, else a copy. The caller releases it. */
export function contiguousAs<D extends DTypeName>(array: AnyArray, dtype: D): ArrayRef<D> {
  const own = array;
  if (own.dtype.name === dtype && own.isContiguous) return own.slice() as ArrayRef<D>;
  return own.astype(dtype);
}

/** Where the first element is in its memory, counted in elements: an argument of kernels. */
export function firstOf(array: AnyArray): bigint {
  return BigInt(array.operand().layout.offset / array.dtype.itemSize);
}
