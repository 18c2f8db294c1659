/** Running sums, products and extremes. */
import { checkOptions, wrongType } from "@cl/base";
import { cast, input } from "../expression/expression.js";
import { extreme } from "../reductions/reducers/extremes.js";
import * as sums from "../reductions/reducers/sums.js";
import type { Reduction } from "../reductions/reduction.js";
import { type Summed, summed } from "../reductions/result-types.js";
import type { SumTypeOptions } from "../array/array-reductions.js";
import { ArrayExports } from "../array/array-exports.js";
import type { AnyArray } from "../array/any-array.js";
import type { DeviceArray } from "../array/device-array.js";
import { checkArrayType, type DTypeName } from "../types/dtype-name.js";
import { kindOf } from "../types/promote.js";
import { scanArray, type ScanOptions } from "./scan-array.js";

/** How elements are added or multiplied up. */
export interface CumulativeOptions<E extends DTypeName> extends ScanOptions, SumTypeOptions<E> {}

/** The part of a `DeviceArray` that has what runs along an axis. */
export abstract class ArrayScans<D extends DTypeName = DTypeName> extends ArrayExports<D> {
  /**
   * The sums up to each element, along an axis or of all elements in C order. Types are those of `sum`; what is carried from one
   * part of a line to the next loses fewer digits than one long sum.
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
  cumsum<E extends DTypeName = Summed<D>>(options?: CumulativeOptions<E>): DeviceArray<E> {
    return inType(this, options, sums.sum);
  }

  /** The products up to each element. Types are those of `prod`. */
  cumprod<E extends DTypeName = Summed<D>>(options?: CumulativeOptions<E>): DeviceArray<E> {
    return inType(this, options, sums.prod);
  }

  /** The largest element up to each; NaN from the first one on. Before all elements is the smallest value of the type. */
  cummax(options?: ScanOptions): DeviceArray<D> {
    return ofElements(this, options, extreme("max", this.dtype.name));
  }

  /** The smallest element up to each; NaN from the first one on. Before all elements is the largest value of the type. */
  cummin(options?: ScanOptions): DeviceArray<D> {
    return ofElements(this, options, extreme("min", this.dtype.name));
  }

  /** {@link cumsum} without those elements that are not numbers. */
  nancumsum<E extends DTypeName = Summed<D>>(options?: CumulativeOptions<E>): DeviceArray<E> {
    return inType(this, options, sums.nansum);
  }

  /** {@link cumprod} without those elements that are not numbers. */
  nancumprod<E extends DTypeName = Summed<D>>(options?: CumulativeOptions<E>): DeviceArray<E> {
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
  const type = checked.dtype === undefined ? summed(from) : checkArrayType(checked.dtype, "options.dtype").name;
  if (kindOf(from) === 4 && kindOf(type) !== 4 && type !== "bool") {
    throw wrongType(`options.dtype is ${type}, but the elements are ${from}: the imaginary part would be lost`);
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
