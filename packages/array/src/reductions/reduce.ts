/** The reductions of arrays: sums, means, extremes, norms and truths. */
import { checkBoolean, checkInteger, checkOptions, outOfRange, rangeError, sizeOf, wrongType } from "@cl/base";
import { operation } from "../expression/build.js";
import { cast, input, type ScalarValue } from "../expression/expression.js";
import type { AnyArray, ArrayRef } from "../storage/array-ref.js";
import { checkOut } from "../storage/check-array.js";
import { checkArrayType, type DTypeName, type TypedDType } from "../types/dtype-name.js";
import { kindOf, type QuotientDType, quotientDType, realOf } from "../types/promote.js";
import { reduceArray, reduceBy, reducedAxes } from "./reduce-array.js";
import { checkPlaces } from "./all-nan-check.js";
import { repeatLast } from "./repeat-reduction.js";
import type { ReductionRoutine } from "../faults/reduction-faults.js";
import * as extremes from "./reducers/extremes.js";
import type { ReductionOf } from "./reducers/known.js";
import * as sums from "./reducers/sums.js";
import * as truths from "./reducers/truths.js";
import type { Reduction } from "../expression/reduction.js";
import { type SumDType, sumDType, type VarianceDType } from "./result-types.js";
import type { InitialOptions, ReduceOptions, WhereOptions } from "../expression/passes.js";

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

/**
 * Returns the sum over all or the given axes. Integers are accumulated as int64 or uint64, float16 as float32. Floats
 * are summed pairwise in blocks, which keeps rounding errors small.
 */
export function sum<D extends DTypeName, E extends DTypeName = SumDType<D>>(
  array: ArrayRef<D>,
  options?: SumOptions<E>,
): ArrayRef<E> {
  return inType(array, options, sumDType, sums.sum);
}

/** Returns the product over all or the given axes. */
export function prod<D extends DTypeName, E extends DTypeName = SumDType<D>>(
  array: ArrayRef<D>,
  options?: SumOptions<E>,
): ArrayRef<E> {
  return inType(array, options, sumDType, sums.prod);
}

/** Returns the arithmetic mean. The mean of integers is float64. */
export function mean<D extends DTypeName, E extends DTypeName = QuotientDType<D>>(
  array: ArrayRef<D>,
  options?: MeanOptions<E>,
): ArrayRef<E> {
  return inType(array, options, quotientDType, options?.where === undefined ? sums.mean : sums.meanWhere);
}

/** Returns the variance: the mean of squared deviations from the mean. It is real for complex arrays, too. */
export function variance<D extends DTypeName, E extends DTypeName = VarianceDType<D>>(
  array: ArrayRef<D>,
  options?: VarianceOptions<E>,
): ArrayRef<E> {
  return spread(array, options, { root: false, nan: false });
}

/** Returns the standard deviation: the square root of {@link var}. */
export function std<D extends DTypeName, E extends DTypeName = VarianceDType<D>>(
  array: ArrayRef<D>,
  options?: VarianceOptions<E>,
): ArrayRef<E> {
  return spread(array, options, { root: true, nan: false });
}

/** Returns the minimum; NaN if any element is NaN. */
export function min<D extends DTypeName>(array: ArrayRef<D>, options?: ExtremeOptions): ArrayRef<D> {
  return whole(array, options, extremes.min, true);
}

/** Returns the maximum; NaN if any element is NaN. */
export function max<D extends DTypeName>(array: ArrayRef<D>, options?: ExtremeOptions): ArrayRef<D> {
  return whole(array, options, extremes.max, true);
}

/**
 * Returns the index of the minimum along an axis, or in C order over all elements: the first one if there are
 * several.
 */
export function argmin<D extends DTypeName>(array: ArrayRef<D>, options?: ArgReductionOptions): ArrayRef<"int64"> {
  return place(array, options, extremes.argmin);
}

/**
 * Returns the index of the maximum along an axis, or in C order over all elements: the first one if there are
 * several.
 */
export function argmax<D extends DTypeName>(array: ArrayRef<D>, options?: ArgReductionOptions): ArrayRef<"int64"> {
  return place(array, options, extremes.argmax);
}

/** Returns the range of values: maximum minus minimum ("peak to peak"). */
export function ptp<D extends DTypeName>(array: ArrayRef<D>, options?: ReduceOptions): ArrayRef<D> {
  if (array.dtype.name === "bool") throw wrongType("ptp does not support bool; convert with astype()");
  return whole(array, options, extremes.range, true);
}

/**
 * Returns a vector norm: the square root of the sum of squares, or the norm of order `ord`. Without axes the whole
 * array is one vector; `ord` needs a single axis.
 */
export function norm<D extends DTypeName>(array: ArrayRef<D>, options?: NormOptions): ArrayRef<VarianceDType<D>> {
  const checked = checkOptions(options, ["ord", "axis", "keepDims", "out"]);
  const { ord, axis } = checked;
  if (ord !== undefined) checkOrder(ord, reducedAxes(axis, array.ndim).length);
  const type = quotientDType(array.dtype.name);
  const value = cast(input(0, array.dtype.name), type);
  const needsElements = ord === -Infinity;
  const { reduction, scalars = [] } = normOf(type, ord);
  const dtype = reduction.result === "int64" ? realOf(type) : undefined;
  return reduceArray(
    { reduction, value, inputs: [array], scalars, needsElements, ...(dtype === undefined ? {} : { dtype }) },
    checked,
  );
}

/** Returns whether any element is true, that is not 0. */
export function any<D extends DTypeName>(array: ArrayRef<D>, options?: ReduceOptions & WhereOptions): ArrayRef<"bool"> {
  return whole(array, options, truths.any, false);
}

/** Returns whether all elements are true, that is not 0. */
export function all<D extends DTypeName>(array: ArrayRef<D>, options?: ReduceOptions & WhereOptions): ArrayRef<"bool"> {
  return whole(array, options, truths.all, false);
}

/** Returns the number of nonzero elements. */
export function countNonzero<D extends DTypeName>(
  array: ArrayRef<D>,
  options?: ReduceOptions & WhereOptions,
): ArrayRef<"int64"> {
  return whole(array, options, truths.countNonzero, false);
}

/** Returns the minimum, ignoring NaN. */
export function nanmin<D extends DTypeName>(array: ArrayRef<D>, options?: ExtremeOptions): ArrayRef<D> {
  return whole(array, options, extremes.nanmin, true);
}

/** Returns the maximum, ignoring NaN. */
export function nanmax<D extends DTypeName>(array: ArrayRef<D>, options?: ExtremeOptions): ArrayRef<D> {
  return whole(array, options, extremes.nanmax, true);
}

/** Returns the index of the minimum, ignoring NaN. If all elements are NaN, the next operation that waits throws. */
export function nanargmin<D extends DTypeName>(array: ArrayRef<D>, options?: ArgReductionOptions): ArrayRef<"int64"> {
  return checkedPlace(array, options, extremes.nanargmin, "nanargmin");
}

/** Returns the index of the maximum, ignoring NaN. If all elements are NaN, the next operation that waits throws. */
export function nanargmax<D extends DTypeName>(array: ArrayRef<D>, options?: ArgReductionOptions): ArrayRef<"int64"> {
  return checkedPlace(array, options, extremes.nanargmax, "nanargmax");
}

/** Returns the sum, with NaN counted as 0. */
export function nansum<D extends DTypeName, E extends DTypeName = SumDType<D>>(
  array: ArrayRef<D>,
  options?: SumOptions<E>,
): ArrayRef<E> {
  return inType(array, options, sumDType, sums.nansum);
}

/** Returns the product, with NaN counted as 1. */
export function nanprod<D extends DTypeName, E extends DTypeName = SumDType<D>>(
  array: ArrayRef<D>,
  options?: SumOptions<E>,
): ArrayRef<E> {
  return inType(array, options, sumDType, sums.nanprod);
}

/** Returns the mean, ignoring NaN. */
export function nanmean<D extends DTypeName, E extends DTypeName = QuotientDType<D>>(
  array: ArrayRef<D>,
  options?: MeanOptions<E>,
): ArrayRef<E> {
  return inType(array, options, quotientDType, sums.nanmean);
}

/** Returns the variance, ignoring NaN; NaN if at most `ddof` elements are left. */
export function nanvar<D extends DTypeName, E extends DTypeName = VarianceDType<D>>(
  array: ArrayRef<D>,
  options?: VarianceOptions<E>,
): ArrayRef<E> {
  return spread(array, options, { root: false, nan: true });
}

/** Returns the standard deviation, ignoring NaN: the square root of {@link nanvar}. */
export function nanstd<D extends DTypeName, E extends DTypeName = VarianceDType<D>>(
  array: ArrayRef<D>,
  options?: VarianceOptions<E>,
): ArrayRef<E> {
  return spread(array, options, { root: true, nan: true });
}

/** Elements are converted, and then reduced in that type. */
function inType<E extends DTypeName>(
  array: AnyArray,
  options: SumOptions<E> | undefined,
  defaultType: (from: DTypeName) => DTypeName,
  reductionOf: ReductionOf,
): ArrayRef<E> {
  const repeated = options === undefined ? repeatLast(reductionOf, array) : undefined;
  if (repeated !== undefined) return repeated as ArrayRef<E>;
  const checked = checkOptions(options, ["axis", "keepDims", "out", "where", "dtype", "initial"]);
  const inputs = [array] as const;
  return reduceBy([reductionOf, checked.dtype], inputs, checked, () => {
    const from = array.dtype.name;
    const type = typeOf(checked.dtype, defaultType(from), from);
    return { reduction: reductionOf(type), value: cast(input(0, from), type), inputs };
  });
}

function whole<R extends DTypeName>(
  array: AnyArray,
  options: (ReduceOptions & WhereOptions & InitialOptions) | undefined,
  reductionOf: ReductionOf,
  needsElements: boolean,
): ArrayRef<R> {
  const repeated = options === undefined ? repeatLast(reductionOf, array) : undefined;
  if (repeated !== undefined) return repeated as ArrayRef<R>;
  const checked = checkOptions(options, ["axis", "keepDims", "out", "where", "initial"]);
  const inputs = [array] as const;
  return reduceBy([reductionOf], inputs, checked, () => {
    const { name } = array.dtype;
    return { reduction: reductionOf(name), value: input(0, name), inputs, needsElements };
  });
}

function place(array: AnyArray, options: ArgReductionOptions | undefined, reductionOf: ReductionOf): ArrayRef<"int64"> {
  const checked = checkOptions(options, ["axis", "out", "keepDims"]);
  if (checked.axis !== undefined) checkInteger(checked.axis, "options.axis", -Math.max(1, array.ndim));
  return whole(array, checked, reductionOf, true);
}

function checkedPlace(
  array: AnyArray,
  options: ArgReductionOptions | undefined,
  reductionOf: ReductionOf,
  name: ReductionRoutine,
): ArrayRef<"int64"> {
  const result = place(array, options, reductionOf);
  if (kindOf(array.dtype.name) > 2) checkPlaces(result, name);
  return result;
}

/** The mean first, and then squared distances from it, as NumPy does it: in one pass digits would be lost. */
function spread<E extends DTypeName>(
  array: AnyArray,
  options: VarianceOptions<E> | undefined,
  { root, nan }: { readonly root: boolean; readonly nan: boolean },
): ArrayRef<E> {
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
    { reduction: skipsNan ? sums.nanmean(type) : sums.mean(type), value: own, inputs: [array], dtype: meanType },
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
  if (ord === 0) return { reduction: truths.countNonzero(type) };
  if (ord === Infinity) return { reduction: extremes.extremeAbsolute("max", type) };
  if (ord === -Infinity) return { reduction: extremes.extremeAbsolute("min", type) };
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
