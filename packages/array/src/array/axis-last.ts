/** What works on lines wants them side by side: the axis last, without gaps. */
import type { DTypeName } from "../types/dtype-name.js";
import type { DeviceArray } from "./device-array.js";

/** The elements in C order with an axis moved to the end: a view where they lie so already, else a copy. Release it. */
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
