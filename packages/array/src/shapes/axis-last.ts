/** Kernels that work on rows need the axis last and contiguous. */
import type { DTypeName } from "../types/dtype-name.js";
import type { ArrayRef } from "../storage/array-ref.js";

/**
 * Returns the elements in C order with an axis moved to the end: a view if they are stored that way, else a copy. The
 * caller releases it.
 */
export function axisLast<D extends DTypeName>(array: ArrayRef<D>, axis: number): ArrayRef<D> {
  const moved = array.moveaxis(axis, -1);
  if (moved.isContiguous) return moved;
  using view = moved;
  return view.copy();
}

/** Returns the elements in C order with the last axis where it was. Releases what it is given. */
export function axisBack<D extends DTypeName>(array: ArrayRef<D>, axis: number): ArrayRef<D> {
  using last = array;
  const moved = last.moveaxis(-1, axis);
  if (moved.isContiguous) return moved;
  using view = moved;
  return view.copy();
}
