/** Sorting along an axis. */
import { argsortArray, sortArray, type SortOptions } from "../../sorting/sort-array.js";
import type { AnyArray } from "../../storage/array-ref.js";
import type { DTypeName } from "../../types/dtype-name.js";
import { ArrayMethods } from "../../array/array-methods.js";
import { asDeviceArray, DeviceArray } from "../../array/arrays.js";
import { addComputations } from "../../array/add-methods.js";

/** Methods that sort. */
class SortingMethods<D extends DTypeName> extends ArrayMethods<D> {
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
    return asDeviceArray(sortArray(this, options)) as DeviceArray<D>;
  }

  /**
   * Returns the indices that would sort the array along an axis, for {@link takeAlongAxis}. The sort is stable; the
   * order is that of {@link sort}.
   */
  argsort(options?: SortOptions): DeviceArray<"int64"> {
    return asDeviceArray(argsortArray(this, options));
  }
}

declare module "../../array/arrays.js" {
  interface DeviceArray<D extends DTypeName> extends SortingMethods<D> {}
}
addComputations(DeviceArray, SortingMethods);
