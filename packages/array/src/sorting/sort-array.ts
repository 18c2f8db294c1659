/** Sorting of an array along an axis. */
import { checkBoolean, checkOptions } from "@cl/base";
import { assign } from "../elementwise/assign.js";
import { axisBack, axisLast } from "../shapes/axis-last.js";
import { checkAxis } from "../shapes/check-axes.js";
import type { AnyArray, ArrayRef } from "../storage/array-ref.js";
import { checkOut } from "../storage/check-array.js";
import { filled } from "../storage/filled.js";
import type { DTypeName } from "../types/dtype-name.js";
import { sortLines } from "./sort-lines.js";

/** Options of `sort` and `argsort`. */
export interface SortOptions {
  /**
   * The axis to sort along; `null` flattens the array in C order first.
   * @defaultValue the last
   */
  readonly axis?: number | null | undefined;
  /**
   * If true, sorts in descending order. NaN is last in either order.
   * @defaultValue false
   */
  readonly descending?: boolean | undefined;
}

/** Returns a sorted copy of the array along an axis, or stores it in `out`. */
export function sortArray<D extends DTypeName>(
  array: ArrayRef<D>,
  options?: SortOptions & { readonly out?: AnyArray | undefined },
): AnyArray {
  const { axis, descending, out } = checkOptions(options, ["axis", "descending", "out"]);
  const down = checkBoolean(descending, "options.descending", false);
  const along = sortedAxis(axis, array.ndim);
  const shape = along === undefined ? [array.size] : array.shape;
  const place = out === undefined ? undefined : checkOut(out, array.xp, shape, array.dtype.name, "sort");
  using lines = linesOf(array, along);
  const isLast = along === undefined || along === array.ndim - 1;
  if (place !== undefined && isLast && takesLines(place, lines)) {
    sortLines(lines, { descending: down, values: place });
    return place;
  }
  const values = filled(array.xp.empty(lines.shape, { dtype: array.dtype }), (target) => {
    sortLines(lines, { descending: down, values: target });
  });
  if (place === undefined) return along === undefined ? values : axisBack(values, along);
  using own = values;
  using view = along === undefined ? own.slice() : own.moveaxis(-1, along);
  assign(place, view);
  return place;
}

/** Returns the indices that would sort the array along an axis. */
export function argsortArray(array: AnyArray, options?: SortOptions): ArrayRef<"int64"> {
  const { axis, descending } = checkOptions(options, ["axis", "descending"]);
  const down = checkBoolean(descending, "options.descending", false);
  const along = sortedAxis(axis, array.ndim);
  using lines = linesOf(array, along);
  const indices = filled(array.xp.empty(lines.shape, { dtype: "int64" }), (target) => {
    sortLines(lines, { descending: down, indices: target });
  });
  return along === undefined ? indices : axisBack(indices, along);
}

/** The axis to sort along; undefined to sort all elements as one row. */
function sortedAxis(axis: number | null | undefined, ndim: number): number | undefined {
  return axis === null ? undefined : checkAxis(axis ?? -1, ndim, "options.axis");
}

function linesOf<D extends DTypeName>(array: ArrayRef<D>, axis: number | undefined): ArrayRef<D> {
  if (axis !== undefined) return axisLast(array, axis);
  const line = array.ravel();
  if (line.isContiguous) return line;
  // Elements that are evenly spaced make a view.
  using view = line;
  return view.copy();
}

/** True if lines can be sorted right into an array. */
function takesLines(place: AnyArray, lines: AnyArray): boolean {
  return (
    place.isDense &&
    place.dtype === lines.dtype &&
    String(place.shape) === String(lines.shape) &&
    !place.operand().storage.meets(lines.operand().storage) &&
    place.xp === lines.xp
  );
}
