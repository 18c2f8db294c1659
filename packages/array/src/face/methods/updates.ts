/** Unbuffered in-place updates, in which repeated indices accumulate. */
import type { DTypeName } from "../../types/dtype-name.js";
import type { StoredValues } from "./indexing.js";
import type { StoredIndices } from "../../indexing/index-types.js";
import { updateAt } from "../../indexing/update.js";
import { ArrayMethods } from "../../array/array-methods.js";
import { DeviceArray } from "../../array/arrays.js";
import { addComputations } from "../../array/add-methods.js";

/** Methods that update elements at indices. */
class UpdateMethods<D extends DTypeName> extends ArrayMethods<D> {
  /**
   * Adds values at the elements that {@link at} would read. Values at repeated indices accumulate, as with NumPy's
   * `add.at`; the order of floating-point additions is unspecified, so rounding may vary between runs.
   *
   * @example
   * ```ts
   * const xp = arrays(queue);
   * const counts = xp.zeros([3], { dtype: "int32" });
   * counts.addAt([[0, 2, 2, 2]], 1);
   * console.log(await counts.data()); // Int32Array(3) [1, 0, 3]
   * ```
   */
  addAt(indices: StoredIndices, values: StoredValues<D>): this {
    return updateAt(this, indices, values, "add");
  }

  /** Subtracts values at indices; see {@link addAt}. */
  subtractAt(indices: StoredIndices, values: StoredValues<D>): this {
    return updateAt(this, indices, values, "subtract");
  }

  /** Multiplies by values at indices; see {@link addAt}. */
  multiplyAt(indices: StoredIndices, values: StoredValues<D>): this {
    return updateAt(this, indices, values, "multiply");
  }

  /** Stores the maximum of each element and its values; NaN if any is NaN. See {@link addAt}. */
  maximumAt(indices: StoredIndices, values: StoredValues<D>): this {
    return updateAt(this, indices, values, "maximum");
  }

  /** Stores the minimum of each element and its values; NaN if any is NaN. See {@link addAt}. */
  minimumAt(indices: StoredIndices, values: StoredValues<D>): this {
    return updateAt(this, indices, values, "minimum");
  }
}

declare module "../../array/arrays.js" {
  interface DeviceArray<D extends DTypeName> extends UpdateMethods<D> {}
}
addComputations(DeviceArray, UpdateMethods);
