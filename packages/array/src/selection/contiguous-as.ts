/** Conversion of arrays for kernels that require contiguous input. */
import type { AnyArray } from "../array/any-array.js";
import type { DeviceArray } from "../array/device-array.js";
import type { DTypeName } from "../types/dtype-name.js";

/** Returns contiguous elements of a dtype: a view if they are stored that way, else a copy. The caller releases it. */
export function contiguousAs<D extends DTypeName>(array: AnyArray, dtype: D): DeviceArray<D> {
  const own = array as DeviceArray;
  if (own.dtype.name === dtype && own.isContiguous) return own.slice() as AnyArray as DeviceArray<D>;
  return own.astype(dtype);
}

/** Where the first element is in its memory, counted in elements: an argument of kernels. */
export function firstOf(array: AnyArray): bigint {
  return BigInt(array.operand().layout.offset / array.dtype.itemSize);
}
