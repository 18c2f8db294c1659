/** Cumulative operations by dtype. */
import { checkOptions, wrongType } from "@cl/base";
import { cast, input } from "../expression/expression.js";
import type { SumDTypeOptions } from "../reductions/reduce.js";
import * as extremes from "../reductions/reducers/extremes.js";
import * as sums from "../reductions/reducers/sums.js";
import type { ReductionOf } from "../reductions/reducers/known.js";
import { type SumDType, sumDType } from "../reductions/result-types.js";
import type { AnyArray, ArrayRef } from "../storage/array-ref.js";
import { checkArrayType, type DTypeName } from "../types/dtype-name.js";
import { kindOf } from "../types/promote.js";
import { scanBy } from "./scan-array.js";
import type { ScanOptions } from "../expression/passes.js";

/** Options of `cumsum` and `cumprod`. */
export interface CumulativeOptions<E extends DTypeName> extends ScanOptions, SumDTypeOptions<E> {}

/**
 * Returns the cumulative sum along an axis, or of the flattened array. Dtypes are those of `sum`; floats are summed
 * in blocks, which keeps rounding errors small.
 *
 */
export function cumsum<D extends DTypeName, E extends DTypeName = SumDType<D>>(
  array: ArrayRef<D>,
  options?: CumulativeOptions<E>,
): ArrayRef<E> {
  return inType(array, options, sums.sum);
}

/** Returns the cumulative product. Dtypes are those of `prod`. */
export function cumprod<D extends DTypeName, E extends DTypeName = SumDType<D>>(
  array: ArrayRef<D>,
  options?: CumulativeOptions<E>,
): ArrayRef<E> {
  return inType(array, options, sums.prod);
}

/**
 * Returns the cumulative maximum; NaN from the first NaN on. With `exclusive`, the first result is the lowest value
 * of the dtype.
 */
export function cummax<D extends DTypeName>(array: ArrayRef<D>, options?: ScanOptions): ArrayRef<D> {
  return ofElements(array, options, extremes.max);
}

/**
 * Returns the cumulative minimum; NaN from the first NaN on. With `exclusive`, the first result is the highest value
 * of the dtype.
 */
export function cummin<D extends DTypeName>(array: ArrayRef<D>, options?: ScanOptions): ArrayRef<D> {
  return ofElements(array, options, extremes.min);
}

/** Returns the {@link cumsum}, with NaN counted as 0. */
export function nancumsum<D extends DTypeName, E extends DTypeName = SumDType<D>>(
  array: ArrayRef<D>,
  options?: CumulativeOptions<E>,
): ArrayRef<E> {
  return inType(array, options, sums.nansum);
}

/** Returns the {@link cumprod}, with NaN counted as 1. */
export function nancumprod<D extends DTypeName, E extends DTypeName = SumDType<D>>(
  array: ArrayRef<D>,
  options?: CumulativeOptions<E>,
): ArrayRef<E> {
  return inType(array, options, sums.nanprod);
}

/** Returns the scan of elements converted to a type. */
function inType<E extends DTypeName>(
  array: AnyArray,
  options: CumulativeOptions<E> | undefined,
  reductionOf: ReductionOf,
): ArrayRef<E> {
  const checked = checkOptions(options, ["axis", "out", "exclusive", "reverse", "starts", "dtype"]);
  const inputs = [array] as const;
  return scanBy([reductionOf, checked.dtype], inputs, checked, () => {
    const from = array.dtype.name;
    const type = checked.dtype === undefined ? sumDType(from) : checkArrayType(checked.dtype, "options.dtype").name;
    if (kindOf(from) === 4 && kindOf(type) !== 4 && type !== "bool") {
      throw wrongType(
        `options.dtype must be complex for ${from} elements, received ${type}; the imaginary part would be lost`,
      );
    }
    return { reduction: reductionOf(type), value: cast(input(0, from), type), inputs };
  });
}

/** Returns the scan of elements in their own type. */
function ofElements<D extends DTypeName>(
  array: AnyArray,
  options: ScanOptions | undefined,
  reductionOf: ReductionOf,
): ArrayRef<D> {
  const checked = checkOptions(options, ["axis", "out", "exclusive", "reverse", "starts"]);
  const inputs = [array] as const;
  return scanBy([reductionOf], inputs, checked, () => {
    const { name } = array.dtype;
    return { reduction: reductionOf(name), value: input(0, name), inputs };
  });
}
