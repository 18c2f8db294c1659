/** Elements combined with values where they are, for places that come several times. */
import type { DTypeName } from "../types/dtype-name.js";
import { ArrayIndexing, type StoredValues } from "./array-indexing.js";
import type { StoredIndices } from "./index-types.js";
import { updateAt } from "./update.js";

/** The part of a `DeviceArray` that updates elements at indices. */
export abstract class ArrayUpdates<D extends DTypeName = DTypeName> extends ArrayIndexing<D> {
  /**
   * Adds values at the places that {@link at} would read. A place that comes several times gets all its values, which
   * NumPy's `add.at` does; in floating-point numbers the last digits depend on their order, which is not the same each time.
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

  /** Subtracts values as {@link addAt} adds them. */
  subtractAt(indices: StoredIndices, values: StoredValues<D>): this {
    return updateAt(this, indices, values, "subtract");
  }

  /** Multiplies by values as {@link addAt} adds them. */
  multiplyAt(indices: StoredIndices, values: StoredValues<D>): this {
    return updateAt(this, indices, values, "multiply");
  }

  /** Keeps the largest of an element and all its values; NaN if one is. */
  maximumAt(indices: StoredIndices, values: StoredValues<D>): this {
    return updateAt(this, indices, values, "maximum");
  }

  /** Keeps the smallest of an element and all its values; NaN if one is. */
  minimumAt(indices: StoredIndices, values: StoredValues<D>): this {
    return updateAt(this, indices, values, "minimum");
  }
}
