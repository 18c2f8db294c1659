/** Cumulative sums, products, minima and maxima. */
import { checkOptions, wrongType } from "@cl/base";
import { cast, input } from "../expression/expression.js";
import { extreme } from "../reductions/reducers/extremes.js";
import * as sums from "../reductions/reducers/sums.js";
import type { Reduction } from "../reductions/reduction.js";
import { type SumDType, sumDType } from "../reductions/result-types.js";
import type { SumDTypeOptions } from "../array/array-reductions.js";
import { ArrayExports } from "../array/array-exports.js";
import type { AnyArray } from "../array/any-array.js";
import type { DeviceArray } from "../array/device-array.js";
import { checkArrayType, type DTypeName } from "../types/dtype-name.js";
import { kindOf } from "../types/promote.js";
import { scanArray, type ScanOptions } from "./scan-array.js";

/** Options of `cumsum` and `cumprod`. */
export interface CumulativeOptions<E extends DTypeName> extends ScanOptions, SumDTypeOptions<E> {}

/** The part of a `DeviceArray` with cumulative operations. */
export abstract class ArrayScans<D extends DTypeName = DTypeName> extends ArrayExports<D> {
  /**
   * Returns the cumulative sum along an axis, or of the flattened array. Dtypes are those of `sum`; floats are summed
   * in blocks, which keeps rounding errors small.
   *
   * @example
   * ```ts
   * const xp = arrays(queue);
   * const a = xp.array([1, 2, 3, 4, 5], { dtype: "float32" });
   * console.log(await a.cumsum().toNested()); // [ 1, 3, 6, 10, 15 ]
   * console.log(await a.cumsum({ exclusive: true }).toNested()); // [ 0, 1, 3, 6, 10 ]
   * const starts = xp.array([false, false, true, false, false]);
   * console.log(await a.cumsum({ starts }).toNested()); // [ 1, 3, 3, 7, 12 ]
   * ```
   */
  cumsum<E extends DTypeName = SumDType<D>>(options?: CumulativeOptions<E>): DeviceArray<E> {
    return inType(this, options, sums.sum);
  }

  /** Returns the cumulative product. Dtypes are those of `prod`. */
  cumprod<E extends DTypeName = SumDType<D>>(options?: CumulativeOptions<E>): DeviceArray<E> {
    return inType(this, options, sums.prod);
  }

  /**
   * Returns the cumulative maximum; NaN from the first NaN on. With `exclusive`, the first result is the lowest value
   * of the dtype.
   */
  cummax(options?: ScanOptions): DeviceArray<D> {
    return ofElements(this, options, extreme("max", this.dtype.name));
  }

  /**
   * Returns the cumulative minimum; NaN from the first NaN on. With `exclusive`, the first result is the highest value
   * of the dtype.
   */
  cummin(options?: ScanOptions): DeviceArray<D> {
    return ofElements(this, options, extreme("min", this.dtype.name));
  }

  /** Returns the {@link cumsum}, with NaN counted as 0. */
  nancumsum<E extends DTypeName = SumDType<D>>(options?: CumulativeOptions<E>): DeviceArray<E> {
    return inType(this, options, sums.nansum);
  }

  /** Returns the {@link cumprod}, with NaN counted as 1. */
  nancumprod<E extends DTypeName = SumDType<D>>(options?: CumulativeOptions<E>): DeviceArray<E> {
    return inType(this, options, sums.nanprod);
  }
}

/** Elements are converted, and then scanned in that type. */
function inType<E extends DTypeName>(
  array: AnyArray,
  options: CumulativeOptions<E> | undefined,
  reductionOf: (type: DTypeName) => Reduction,
): DeviceArray<E> {
  const checked = checkOptions(options, ["axis", "out", "exclusive", "reverse", "starts", "dtype"]);
  const from = array.dtype.name;
  const type = checked.dtype === undefined ? sumDType(from) : checkArrayType(checked.dtype, "options.dtype").name;
  if (kindOf(from) === 4 && kindOf(type) !== 4 && type !== "bool") {
    throw wrongType(
      `options.dtype must be complex for ${from} elements, received ${type}; the imaginary part would be lost`,
    );
  }
  return scanArray({ reduction: reductionOf(type), value: cast(input(0, from), type), inputs: [array] }, checked);
}

function ofElements<D extends DTypeName>(
  array: AnyArray,
  options: ScanOptions | undefined,
  reduction: Reduction,
): DeviceArray<D> {
  return scanArray(
    { reduction, value: input(0, array.dtype.name), inputs: [array] },
    checkOptions(options, ["axis", "out", "exclusive", "reverse", "starts"]),
  );
}
