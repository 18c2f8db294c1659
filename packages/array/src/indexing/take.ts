/** Elements at indices along an axis. */
import { checkOptions } from "@cl/base";
import { checkAxis } from "../shapes/check-axes.js";
import type { AnyArray, ArrayRef } from "../storage/array-ref.js";
import { checkOut } from "../storage/check-array.js";
import type { DTypeName } from "../types/dtype-name.js";
import { checkMode, indexArray, type OutOfRangeMode, selectAlong, selectPaired } from "./along-axis.js";
import { gather, into } from "./gather.js";
import type { HostIndices, IntegerArray } from "./index-types.js";
/** Options of `take`. */
export interface TakeOptions {
  /**
   * The axis to index.
   * @defaultValue the array is flattened
   */
  readonly axis?: number;
  /**
   * How out-of-range indices are handled: throw (`"raise"`), wrap around (`"wrap"`), or clip to the range (`"clip"`).
   * @defaultValue "raise"
   */
  readonly mode?: OutOfRangeMode;
  /**
   * An existing array of the result's shape to store the result in.
   * @defaultValue a new array
   */
  readonly out?: AnyArray;
}

/** Returns the elements at indices along an axis, or of the flattened array. */
export function take<D extends DTypeName>(
  array: ArrayRef<D>,
  indices: number | HostIndices | IntegerArray,
  options?: TakeOptions,
): ArrayRef<D> {
  const { axis, mode, out } = checkOptions(options, ["axis", "mode", "out"]);
  const along = axis === undefined ? undefined : checkAxis(axis, array.ndim, "options.axis");
  using list = indexArray(
    array,
    indices,
    along === undefined ? array.size : (array.shape[along] as number),
    along ?? 0,
    checkMode(mode),
  );
  const selection = selectAlong(array, list, along);
  const place = out === undefined ? undefined : checkOut(out, array.xp, selection.shape, array.dtype.name, "take");
  return into(gather(array, selection), place);
}

/** Returns the elements at one-dimensional slices of indices along an axis, one slice for each slice of the array. */
export function takeAlongAxis<D extends DTypeName>(
  array: ArrayRef<D>,
  indices: HostIndices | IntegerArray,
  axis = -1,
): ArrayRef<D> {
  const along = checkAxis(axis, array.ndim, "options.axis");
  using list = indexArray(array, indices, array.shape[along] as number, along, "raise");
  return gather(array, selectPaired(array, list, along));
}
