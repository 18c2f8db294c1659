/** Sorting along an axis. */
import { checkBoolean, checkOptions } from "@cl/base";
import type { DTypeName } from "../types/dtype-name.js";
import { ArrayScans } from "../scan/array-scans.js";
import type { AnyArray } from "../array/any-array.js";
import { assign } from "../array/assign.js";
import { axisBack, axisLast } from "../array/axis-last.js";
import { checkOut } from "../array/check-array.js";
import { checkAxis } from "../array/check-axes.js";
import type { DeviceArray } from "../array/device-array.js";
import { filled } from "../array/filled.js";
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

/** The part of a `DeviceArray` that sorts. */
export abstract class ArraySorting<D extends DTypeName = DTypeName> extends ArrayScans<D> {
  /**
   * Returns a sorted copy of the array along an axis; unlike NumPy's method, does not sort in place unless `out` is the
   * array itself. The sort is stable, ascending and descending. NaN comes last, and complex numbers are ordered
   * lexicographically.
   *
   * @example
   * ```ts
   * const xp = arrays(queue);
   * const a = xp.array([[3, 1, 2], [9, NaN, 8]], { dtype: "float32" });
   * console.log(await a.sort().toNested()); // [ [ 1, 2, 3 ], [ 8, 9, NaN ] ]
   * console.log(await a.sort({ descending: true }).toNested()); // [ [ 3, 2, 1 ], [ 9, 8, NaN ] ]
   * ```
   */
  sort(options?: SortOptions & { readonly out?: AnyArray | undefined }): DeviceArray<D> {
    const { axis, descending, out } = checkOptions(options, ["axis", "descending", "out"]);
    const down = checkBoolean(descending, "options.descending", false);
    const along = sortedAxis(axis, this.ndim);
    const shape = along === undefined ? [this.size] : this.shape;
    const place = out === undefined ? undefined : checkOut(out, this.xp, shape, this.dtype.name, "sort");
    using lines = linesOf(this as unknown as DeviceArray<D>, along);
    const isLast = along === undefined || along === this.ndim - 1;
    if (place !== undefined && isLast && takesLines(place, lines)) {
      sortLines(lines, { descending: down, values: place });
      return place as DeviceArray<D>;
    }
    const values = filled(this.xp.empty(lines.shape, { dtype: this.dtype }), (target) => {
      sortLines(lines, { descending: down, values: target });
    });
    const result = along === undefined ? values : axisBack(values, along);
    if (place === undefined) return result;
    using own = result;
    assign(place, own);
    return place as DeviceArray<D>;
  }

  /**
   * Returns the indices that would sort the array along an axis, for {@link takeAlongAxis}. The sort is stable; the
   * order is that of {@link sort}.
   */
  argsort(options?: SortOptions): DeviceArray<"int64"> {
    const { axis, descending } = checkOptions(options, ["axis", "descending"]);
    const down = checkBoolean(descending, "options.descending", false);
    const along = sortedAxis(axis, this.ndim);
    using lines = linesOf(this as unknown as DeviceArray<D>, along);
    const indices = filled(this.xp.empty(lines.shape, { dtype: "int64" }), (target) => {
      sortLines(lines, { descending: down, indices: target });
    });
    return along === undefined ? indices : axisBack(indices, along);
  }
}

/** The axis to sort along; undefined to sort all elements as one row. */
function sortedAxis(axis: number | null | undefined, ndim: number): number | undefined {
  return axis === null ? undefined : checkAxis(axis ?? -1, ndim, "options.axis");
}

function linesOf<D extends DTypeName>(array: DeviceArray<D>, axis: number | undefined): DeviceArray<D> {
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
