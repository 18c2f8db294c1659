/** Kernels that work on rows need the axis last and contiguous. */
import type { DTypeName } from "../types/dtype-name.js";
import type { DeviceArray } from "./device-array.js";

/**
 * Returns the elements in C order with an axis moved to the end: a view if they are stored that way, else a copy. The
 * caller releases it.
 */
export function axisLast<D extends DTypeName>(array: DeviceArray<D>, axis: number): DeviceArray<D> {
  const moved = array.moveaxis(axis, -1);
  if (moved.isContiguous) return moved;
  using view = moved;
  return view.copy();
}

/** A view with the last axis where it was. Releases what it is given. */
export function axisBack<D extends DTypeName>(array: DeviceArray<D>, axis: number): DeviceArray<D> {
  using last = array;
  return last.moveaxis(-1, axis);
}
