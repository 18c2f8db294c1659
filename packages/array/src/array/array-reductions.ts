/** Reductions as methods: sums, means, extremes, norms and products. */
import { checkBoolean, checkInteger, checkOptions, outOfRange, rangeError, sizeOf, wrongType } from "@cl/base";
import { ArraySelecting } from "../indexing/array-selecting.js";
import { operation } from "../expression/build.js";
import { cast, input, type ScalarValue } from "../expression/expression.js";
import { average } from "../reductions/average.js";
import { dot, vdot } from "../reductions/dot.js";
import {
  type InitialOptions,
  reduceArray,
  reducedAxes,
  type ReduceOptions,
  type WhereOptions,
} from "../reductions/reduce-array.js";
import type { Reduction } from "../reductions/reduction.js";
import { extreme, extremeAbsolute, extremePlace, nanExtreme, range } from "../reductions/reducers/extremes.js";
import * as sums from "../reductions/reducers/sums.js";
import { all, any, countNonzero } from "../reductions/reducers/truths.js";
import { type SumDType, sumDType, type VarianceDType } from "../reductions/result-types.js";
import { checkArrayType, type DTypeName, type TypedDType } from "../types/dtype-name.js";
import { kindOf, type Promote, type QuotientDType, quotientDType, realOf } from "../types/promote.js";
import type { ResultWith } from "../types/results.js";
import type { OperandLike, OutOptions } from "./array-operators.js";
import { checkOut, isArray } from "./check-array.js";
import type { AnyArray } from "./any-array.js";
import type { DeviceArray } from "./device-array.js";

/** The dtype of a sum. */
export interface SumDTypeOptions<E extends DTypeName> {
  /** Dtype of the accumulator and of the result. */
  readonly dtype?: E | TypedDType<E> | undefined;
}

/** Options of means. */
export interface MeanOptions<E extends DTypeName> extends ReduceOptions, WhereOptions, SumDTypeOptions<E> {}

/** Options of sums and products. */
export interface SumOptions<E extends DTypeName> extends MeanOptions<E>, InitialOptions {}

/** Options of minima and maxima. */
export interface ExtremeOptions extends ReduceOptions, WhereOptions, InitialOptions {}

/** Options of weighted means. */
export interface AverageOptions<W extends DTypeName> extends Omit<ReduceOptions, "out"> {
  /** Weight of each element: an array of the same shape, or of one axis for the axis that is averaged over. */
  readonly weights?: DeviceArray<W> | undefined;
}

/** Options of variances and standard deviations. */
export interface VarianceOptions<E extends DTypeName> extends ReduceOptions, SumDTypeOptions<E> {
  /**
   * Delta degrees of freedom: the divisor is `n - ddof`. Use 1 for the sample variance.
   * @defaultValue 0
   */
  readonly ddof?: number | undefined;
}

/** Options of norms. */
export interface NormOptions extends ReduceOptions {
  /**
   * Order of the norm: 1 is the sum of absolute values, `Infinity` and `-Infinity` are the largest and smallest
   * absolute value, 0 is the number of nonzero elements.
   * @defaultValue 2
   */
  readonly ord?: number | undefined;
}

/** Options of `argmin` and `argmax`. */
export interface ArgReductionOptions extends Omit<ReduceOptions, "axis"> {
  /**
   * The axis to search along.
   * @defaultValue all elements in C order
   */
  readonly axis?: number | undefined;
}

/** The part of a `DeviceArray` with reductions. */
export abstract class ArrayReductions<D extends DTypeName = DTypeName> extends ArraySelecting<D> {
  /**
   * Returns the sum over all or the given axes. Integers are accumulated as int64 or uint64, float16 as float32. Floats
   * are summed pairwise in blocks, which keeps rounding errors small.
   */
  sum<E extends DTypeName = SumDType<D>>(options?: SumOptions<E>): DeviceArray<E> {
    return inType(this, options, sumDType(this.dtype.name), sums.sum);
  }

  /** Returns the product over all or the given axes. */
  prod<E extends DTypeName = SumDType<D>>(options?: SumOptions<E>): DeviceArray<E> {
    return inType(this, options, sumDType(this.dtype.name), sums.prod);
  }

  /** Returns the arithmetic mean. The mean of integers is float64. */
  mean<E extends DTypeName = QuotientDType<D>>(options?: MeanOptions<E>): DeviceArray<E> {
    const by = (type: DTypeName): Reduction =>
      options?.where === undefined ? sums.mean(type) : sums.counted(type, false);
    return inType(this, options, quotientDType(this.dtype.name), by);
  }

  /**
   * Returns the weighted mean: the sum of `a * weights` divided by the sum of the weights. The result is NaN where the
   * weights sum to 0; NumPy throws.
   */
  average<W extends DTypeName = D>(options?: AverageOptions<W>): DeviceArray<QuotientDType<Promote<D, W>>> {
    return average(this, checkOptions(options, ["weights", "axis", "keepDims"]));
  }

  /** Returns the variance: the mean of squared deviations from the mean. It is real for complex arrays, too. */
  var<E extends DTypeName = VarianceDType<D>>(options?: VarianceOptions<E>): DeviceArray<E> {
    return spread(this, options, { root: false, nan: false });
  }

  /** Returns the standard deviation: the square root of {@link var}. */
  std<E extends DTypeName = VarianceDType<D>>(options?: VarianceOptions<E>): DeviceArray<E> {
    return spread(this, options, { root: true, nan: false });
  }

  /** Returns the minimum; NaN if any element is NaN. */
  min(options?: ExtremeOptions): DeviceArray<D> {
    return whole(this, options, extreme("min", this.dtype.name), true);
  }

  /** Returns the maximum; NaN if any element is NaN. */
  max(options?: ExtremeOptions): DeviceArray<D> {
    return whole(this, options, extreme("max", this.dtype.name), true);
  }

  /**
   * Returns the index of the minimum along an axis, or in C order over all elements: the first one if there are
   * several.
   */
  argmin(options?: ArgReductionOptions): DeviceArray<"int64"> {
    return place(this, options, extremePlace("min", this.dtype.name));
  }

  /**
   * Returns the index of the maximum along an axis, or in C order over all elements: the first one if there are
   * several.
   */
  argmax(options?: ArgReductionOptions): DeviceArray<"int64"> {
    return place(this, options, extremePlace("max", this.dtype.name));
  }

  /** Returns the range of values: maximum minus minimum ("peak to peak"). */
  ptp(options?: ReduceOptions): DeviceArray<D> {
    if (this.dtype.name === "bool") throw wrongType("ptp does not support bool; convert with astype()");
    return whole(this, options, range(this.dtype.name), true);
  }

  /**
   * Returns a vector norm: the square root of the sum of squares, or the norm of order `ord`. Without axes the whole
   * array is one vector; `ord` needs a single axis.
   */
  norm(options?: NormOptions): DeviceArray<VarianceDType<D>> {
    const checked = checkOptions(options, ["ord", "axis", "keepDims", "out"]);
    const { ord, axis } = checked;
    if (ord !== undefined) checkOrder(ord, reducedAxes(axis, this.ndim).length);
    const type = quotientDType(this.dtype.name);
    const value = cast(input(0, this.dtype.name), type);
    const needsElements = ord === -Infinity;
    const { reduction, scalars = [] } = normOf(type, ord);
    const dtype = reduction.result === "int64" ? realOf(type) : undefined;
    return reduceArray(
      { reduction, value, inputs: [this], scalars, needsElements, ...(dtype === undefined ? {} : { dtype }) },
      checked,
    );
  }

  /**
   * Returns the dot product of two vectors; for arrays with more axes, the sum of products over the last axis of this
   * array and the second-to-last of the other, as for two matrices. float16 is computed in float32; integers keep their
   * dtype and wrap around. Scalars and arrays without axes multiply, as in NumPy.
   */
  dot<const V extends OperandLike>(other: V, options?: OutOptions): DeviceArray<ResultWith<"same", D, V>> {
    if (!isArray(other) || other.ndim === 0 || this.ndim === 0) return this.mul(other, options);
    return dot(this, other, checkOptions(options, ["out"]).out);
  }

  /** Returns the dot product of all elements, in C order; the elements of this array are conjugated if complex. */
  vdot<B extends DTypeName>(other: DeviceArray<B>, options?: OutOptions): DeviceArray<Promote<D, B>> {
    return vdot(this, other, checkOptions(options, ["out"]).out);
  }

  /** Returns whether any element is true, that is not 0. */
  any(options?: ReduceOptions & WhereOptions): DeviceArray<"bool"> {
    return whole(this, options, any(this.dtype.name), false);
  }

  /** Returns whether all elements are true, that is not 0. */
  all(options?: ReduceOptions & WhereOptions): DeviceArray<"bool"> {
    return whole(this, options, all(this.dtype.name), false);
  }

  /** Returns the number of nonzero elements. */
  countNonzero(options?: ReduceOptions & WhereOptions): DeviceArray<"int64"> {
    return whole(this, options, countNonzero(this.dtype.name), false);
  }

  /** Returns the minimum, ignoring NaN. */
  nanmin(options?: ExtremeOptions): DeviceArray<D> {
    return whole(this, options, nanExtreme("min", this.dtype.name), true);
  }

  /** Returns the maximum, ignoring NaN. */
  nanmax(options?: ExtremeOptions): DeviceArray<D> {
    return whole(this, options, nanExtreme("max", this.dtype.name), true);
  }

  /** Returns the sum, with NaN counted as 0. */
  nansum<E extends DTypeName = SumDType<D>>(options?: SumOptions<E>): DeviceArray<E> {
    return inType(this, options, sumDType(this.dtype.name), sums.nansum);
  }

  /** Returns the product, with NaN counted as 1. */
  nanprod<E extends DTypeName = SumDType<D>>(options?: SumOptions<E>): DeviceArray<E> {
    return inType(this, options, sumDType(this.dtype.name), sums.nanprod);
  }

  /** Returns the mean, ignoring NaN. */
  nanmean<E extends DTypeName = QuotientDType<D>>(options?: MeanOptions<E>): DeviceArray<E> {
    return inType(this, options, quotientDType(this.dtype.name), (type) => sums.counted(type, true));
  }

  /** Returns the variance, ignoring NaN; NaN if at most `ddof` elements are left. */
  nanvar<E extends DTypeName = VarianceDType<D>>(options?: VarianceOptions<E>): DeviceArray<E> {
    return spread(this, options, { root: false, nan: true });
  }

  /** Returns the standard deviation, ignoring NaN: the square root of {@link nanvar}. */
  nanstd<E extends DTypeName = VarianceDType<D>>(options?: VarianceOptions<E>): DeviceArray<E> {
    return spread(this, options, { root: true, nan: true });
  }
}

/** Elements are converted, and then reduced in that type. */
function inType<E extends DTypeName>(
  array: AnyArray,
  options: SumOptions<E> | undefined,
  missing: DTypeName,
  reductionOf: (type: DTypeName) => Reduction,
): DeviceArray<E> {
  const checked = checkOptions(options, ["axis", "keepDims", "out", "where", "dtype", "initial"]);
  const type = typeOf(checked.dtype, missing, array.dtype.name);
  const value = cast(input(0, array.dtype.name), type);
  return reduceArray({ reduction: reductionOf(type), value, inputs: [array] }, checked);
}

function whole<R extends DTypeName>(
  array: AnyArray,
  options: (ReduceOptions & WhereOptions & InitialOptions) | undefined,
  reduction: Reduction,
  needsElements: boolean,
): DeviceArray<R> {
  const value = input(0, array.dtype.name);
  return reduceArray(
    { reduction, value, inputs: [array], needsElements },
    checkOptions(options, ["axis", "keepDims", "out", "where", "initial"]),
  );
}

function place(array: AnyArray, options: ArgReductionOptions | undefined, reduction: Reduction): DeviceArray<"int64"> {
  const checked = checkOptions(options, ["axis", "out", "keepDims"]);
  if (checked.axis !== undefined) checkInteger(checked.axis, "options.axis", -Math.max(1, array.ndim));
  return whole(array, checked, reduction, true);
}

/** The mean first, and then squared distances from it, as NumPy does it: in one pass digits would be lost. */
function spread<E extends DTypeName>(
  array: AnyArray,
  options: VarianceOptions<E> | undefined,
  { root, nan }: { readonly root: boolean; readonly nan: boolean },
): DeviceArray<E> {
  const checked = checkOptions(options, ["ddof", "axis", "keepDims", "out", "dtype"]);
  const { ddof = 0, axis } = checked;
  if (typeof ddof !== "number" || !Number.isFinite(ddof)) {
    throw outOfRange(`options.ddof must be a finite number, received ${String(ddof)}`);
  }
  const type = typeOf(checked.dtype, quotientDType(array.dtype.name), array.dtype.name);
  if (kindOf(type) < 3) throw wrongType(`options.dtype must be a floating-point or complex type, received ${type}`);
  const keep = checkBoolean(checked.keepDims, "options.keepDims", false);
  if (checked.out !== undefined) {
    // Before the mean is enqueued.
    const axes = reducedAxes(axis, array.ndim);
    const shape = array.shape.flatMap((extent, one) => (axes.includes(one) ? (keep ? [1] : []) : [extent]));
    checkOut(checked.out, array.xp, shape, realOf(type), `${nan ? "nan" : ""}${root ? "std" : "var"}`);
  }
  // As in NumPy: integers have no NaN, so their nanvar is var, also if ddof is too large.
  const skipsNan = nan && kindOf(array.dtype.name) > 2;
  const own = cast(input(0, array.dtype.name), type);
  const count = sizeOf(reducedAxes(axis, array.ndim).map((one) => array.shape[one] as number));
  const scalars: ScalarValue[] = [realScalar(type, skipsNan ? ddof : Math.max(count - ddof, 0))];
  // Halves are summed up as floats, and so is their mean kept.
  const meanType = type === "float16" ? "float32" : type;
  using mean = reduceArray(
    { reduction: skipsNan ? sums.counted(type, true) : sums.mean(type), value: own, inputs: [array], dtype: meanType },
    { axis, keepDims: true },
  );
  const wide = cast(own, meanType);
  const value = operation("subtract", [wide, input(1, meanType)], scalars);
  const reduction = skipsNan ? sums.countedSquares(meanType, root) : sums.squares(meanType, root);
  return reduceArray(
    { reduction, value, inputs: [array, mean], scalars, dtype: realOf(type) },
    checked as ReduceOptions,
  );
}

function checkOrder(ord: number, axes: number): void {
  if (typeof ord !== "number" || Number.isNaN(ord)) throw rangeError("options.ord", "a number", ord);
  if (axes === 1) return;
  throw outOfRange(
    `the norm of order ${ord} needs a single axis, received ${axes} axes; set options.axis or use ravel()`,
  );
}

/** The reduction for an order, and its exponent. */
function normOf(
  type: DTypeName,
  ord: number | undefined,
): { readonly reduction: Reduction; readonly scalars?: readonly ScalarValue[] } {
  if (ord === undefined || ord === 2) return { reduction: sums.euclidean(type) };
  if (ord === 1) return { reduction: sums.sumOfAbsolutes(type) };
  if (ord === 0) return { reduction: countNonzero(type) };
  if (ord === Infinity) return { reduction: extremeAbsolute("max", type) };
  if (ord === -Infinity) return { reduction: extremeAbsolute("min", type) };
  return { reduction: sums.powers(type), scalars: [realScalar(type, ord)] };
}

function typeOf(dtype: DTypeName | TypedDType<DTypeName> | undefined, missing: DTypeName, from: DTypeName): DTypeName {
  if (dtype === undefined) return missing;
  const { name } = checkArrayType(dtype, "options.dtype");
  if (kindOf(from) === 4 && kindOf(name) !== 4 && name !== "bool") {
    throw wrongType(
      `options.dtype must be complex for ${from} elements, received ${name}; the imaginary part would be lost`,
    );
  }
  return name;
}

function realScalar(type: DTypeName, value: number): ScalarValue {
  const dtype = realOf(type) === "float64" ? "float64" : "float32";
  return { dtype, value };
}
