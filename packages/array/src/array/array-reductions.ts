/** Reductions as methods: sums, extremes and what else makes few values of many. */
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
import { type Measured, type Summed, summed } from "../reductions/result-types.js";
import { checkArrayType, type DTypeName, type TypedDType } from "../types/dtype-name.js";
import { type Divided, divided, kindOf, type Promote, realOf } from "../types/promote.js";
import type { ResultWith } from "../types/results.js";
import type { OperandLike, OutOptions } from "./array-operators.js";
import { checkOut, isArray } from "./check-array.js";
import type { AnyArray } from "./any-array.js";
import type { DeviceArray } from "./device-array.js";

/** In which type elements are summed. */
export interface SumTypeOptions<E extends DTypeName> {
  /** The type in which is computed, and of the result. */
  readonly dtype?: E | TypedDType<E> | undefined;
}

/** How a mean is made. */
export interface MeanOptions<E extends DTypeName> extends ReduceOptions, WhereOptions, SumTypeOptions<E> {}

/** How a sum or product is made. */
export interface SumOptions<E extends DTypeName> extends MeanOptions<E>, InitialOptions {}

/** How an extreme is found. */
export interface ExtremeOptions extends ReduceOptions, WhereOptions, InitialOptions {}

/** How a weighted mean is made. */
export interface AverageOptions<W extends DTypeName> extends Omit<ReduceOptions, "out"> {
  /** How much each element counts: an array of the same shape, or of one axis, for the axis that is averaged over. */
  readonly weights?: DeviceArray<W> | undefined;
}

/** How a variance is made. */
export interface VarianceOptions<E extends DTypeName> extends ReduceOptions, SumTypeOptions<E> {
  /** What is taken from the number of elements before the division by it: 0, or 1 for the variance of a sample. */
  readonly ddof?: number | undefined;
}

/** Which norm. */
export interface NormOptions extends ReduceOptions {
  /**
   * The exponent of the norm: 2 if not said. 1 is the sum of distances from 0, `Infinity` and `-Infinity` are the largest and
   * the smallest of them, and 0 is how many are not 0.
   */
  readonly ord?: number | undefined;
}

/** Where the place of an extreme is looked for. */
export interface PlaceOptions extends Omit<ReduceOptions, "axis"> {
  /** One axis; all elements in C order if not said. */
  readonly axis?: number | undefined;
}

/** The part of a `DeviceArray` that reduces it. */
export abstract class ArrayReductions<D extends DTypeName = DTypeName> extends ArraySelecting<D> {
  /**
   * The sum over all axes, or some. Integers are added as int64 or uint64; halves as floats, and sums of floats are made of
   * sums of few of them, so that they lose few digits.
   */
  sum<E extends DTypeName = Summed<D>>(options?: SumOptions<E>): DeviceArray<E> {
    return inType(this, options, summed(this.dtype.name), sums.sum);
  }

  /** The product over all axes, or some. */
  prod<E extends DTypeName = Summed<D>>(options?: SumOptions<E>): DeviceArray<E> {
    return inType(this, options, summed(this.dtype.name), sums.prod);
  }

  /** The arithmetic mean. That of integers is a float64. */
  mean<E extends DTypeName = Divided<D>>(options?: MeanOptions<E>): DeviceArray<E> {
    const by = (type: DTypeName): Reduction =>
      options?.where === undefined ? sums.mean(type) : sums.counted(type, false);
    return inType(this, options, divided(this.dtype.name), by);
  }

  /**
   * The mean of elements that count by their weights: the sum of products with them, divided by the sum of weights. Where that
   * is 0 the mean is not a number; NumPy throws.
   */
  average<W extends DTypeName = D>(options?: AverageOptions<W>): DeviceArray<Divided<Promote<D, W>>> {
    return average(this, checkOptions(options, ["weights", "axis", "keepDims"]));
  }

  /** The mean of squared distances from the mean; of complex numbers, too, it is real. */
  var<E extends DTypeName = Measured<D>>(options?: VarianceOptions<E>): DeviceArray<E> {
    return spread(this, options, false);
  }

  /** The root of {@link var}. */
  std<E extends DTypeName = Measured<D>>(options?: VarianceOptions<E>): DeviceArray<E> {
    return spread(this, options, true);
  }

  /** The smallest element; NaN if one is. */
  min(options?: ExtremeOptions): DeviceArray<D> {
    return whole(this, options, extreme("min", this.dtype.name), true);
  }

  /** The largest element; NaN if one is. */
  max(options?: ExtremeOptions): DeviceArray<D> {
    return whole(this, options, extreme("max", this.dtype.name), true);
  }

  /** The place of the smallest element along an axis, or in C order: that of the first if there are several. */
  argmin(options?: PlaceOptions): DeviceArray<"int64"> {
    return place(this, options, extremePlace("min", this.dtype.name));
  }

  /** The place of the largest element along an axis, or in C order: that of the first if there are several. */
  argmax(options?: PlaceOptions): DeviceArray<"int64"> {
    return place(this, options, extremePlace("max", this.dtype.name));
  }

  /** The largest element less the smallest. */
  ptp(options?: ReduceOptions): DeviceArray<D> {
    if (this.dtype.name === "bool") throw wrongType("ptp is not there for bool: astype() it to integers before");
    return whole(this, options, range(this.dtype.name), true);
  }

  /**
   * The length of vectors: the root of the sum of squares, or what `ord` says. Without axes it is that of all elements as one
   * vector, for which there is no `ord` but along one axis.
   */
  norm(options?: NormOptions): DeviceArray<Measured<D>> {
    const checked = checkOptions(options, ["ord", "axis", "keepDims", "out"]);
    const { ord, axis } = checked;
    if (ord !== undefined) checkOrder(ord, reducedAxes(axis, this.ndim).length);
    const type = divided(this.dtype.name);
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
   * The sum of products of two vectors; of arrays with more axes those over the last axis of this one and the last but one of
   * the other, which is the product of two matrices. Halves are multiplied and added as floats; integers keep their type, and
   * wrap around. Values of the host and arrays without axes multiply, as in NumPy.
   */
  dot<const V extends OperandLike>(other: V, options?: OutOptions): DeviceArray<ResultWith<"same", D, V>> {
    if (!isArray(other) || other.ndim === 0 || this.ndim === 0) return this.mul(other, options);
    return dot(this, other, checkOptions(options, ["out"]).out);
  }

  /** The sum of products of all elements, in C order; of complex numbers, those of this array are conjugated. */
  vdot<B extends DTypeName>(other: DeviceArray<B>, options?: OutOptions): DeviceArray<Promote<D, B>> {
    return vdot(this, other, checkOptions(options, ["out"]).out);
  }

  /** Whether an element is true, which all but 0 is. */
  any(options?: ReduceOptions & WhereOptions): DeviceArray<"bool"> {
    return whole(this, options, any(this.dtype.name), false);
  }

  /** Whether all elements are true. */
  all(options?: ReduceOptions & WhereOptions): DeviceArray<"bool"> {
    return whole(this, options, all(this.dtype.name), false);
  }

  /** How many elements are not 0. */
  countNonzero(options?: ReduceOptions & WhereOptions): DeviceArray<"int64"> {
    return whole(this, options, countNonzero(this.dtype.name), false);
  }

  /** The smallest of those elements that are numbers. */
  nanmin(options?: ExtremeOptions): DeviceArray<D> {
    return whole(this, options, nanExtreme("min", this.dtype.name), true);
  }

  /** The largest of those elements that are numbers. */
  nanmax(options?: ExtremeOptions): DeviceArray<D> {
    return whole(this, options, nanExtreme("max", this.dtype.name), true);
  }

  /** The sum of those elements that are numbers. */
  nansum<E extends DTypeName = Summed<D>>(options?: SumOptions<E>): DeviceArray<E> {
    return inType(this, options, summed(this.dtype.name), sums.nansum);
  }

  /** The product of those elements that are numbers. */
  nanprod<E extends DTypeName = Summed<D>>(options?: SumOptions<E>): DeviceArray<E> {
    return inType(this, options, summed(this.dtype.name), sums.nanprod);
  }

  /** The mean of those elements that are numbers. */
  nanmean<E extends DTypeName = Divided<D>>(options?: MeanOptions<E>): DeviceArray<E> {
    return inType(this, options, divided(this.dtype.name), (type) => sums.counted(type, true));
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

function place(array: AnyArray, options: PlaceOptions | undefined, reduction: Reduction): DeviceArray<"int64"> {
  const checked = checkOptions(options, ["axis", "out", "keepDims"]);
  if (checked.axis !== undefined) checkInteger(checked.axis, "options.axis", -Math.max(1, array.ndim));
  return whole(array, checked, reduction, true);
}

/** The mean first, and then squared distances from it, as NumPy does it: in one pass digits would be lost. */
function spread<E extends DTypeName>(
  array: AnyArray,
  options: VarianceOptions<E> | undefined,
  root: boolean,
): DeviceArray<E> {
  const checked = checkOptions(options, ["ddof", "axis", "keepDims", "out", "dtype"]);
  const { ddof = 0, axis } = checked;
  if (typeof ddof !== "number" || !Number.isFinite(ddof)) {
    throw outOfRange(`options.ddof must be a finite number, received ${String(ddof)}`);
  }
  const type = typeOf(checked.dtype, divided(array.dtype.name), array.dtype.name);
  if (kindOf(type) < 3) throw wrongType(`options.dtype must be a floating-point or complex type, but it is ${type}`);
  const keep = checkBoolean(checked.keepDims, "options.keepDims", false);
  if (checked.out !== undefined) {
    // Before the mean is enqueued.
    const axes = reducedAxes(axis, array.ndim);
    const shape = array.shape.flatMap((extent, one) => (axes.includes(one) ? (keep ? [1] : []) : [extent]));
    checkOut(checked.out, array.xp, shape, realOf(type), root ? "std" : "var");
  }
  const own = cast(input(0, array.dtype.name), type);
  const count = sizeOf(reducedAxes(axis, array.ndim).map((one) => array.shape[one] as number));
  const scalars: ScalarValue[] = [realScalar(type, Math.max(count - ddof, 0))];
  // Halves are summed up as floats, and so is their mean kept.
  const meanType = type === "float16" ? "float32" : type;
  using mean = reduceArray(
    { reduction: sums.mean(type), value: own, inputs: [array], dtype: meanType },
    { axis, keepDims: true },
  );
  const wide = cast(own, meanType);
  const value = operation("subtract", [wide, input(1, meanType)], scalars);
  const reduction = sums.squares(meanType, root);
  return reduceArray(
    { reduction, value, inputs: [array, mean], scalars, dtype: realOf(type) },
    checked as ReduceOptions,
  );
}

function checkOrder(ord: number, axes: number): void {
  if (typeof ord !== "number" || Number.isNaN(ord)) throw rangeError("options.ord", "a number", ord);
  if (axes === 1) return;
  throw outOfRange(`norm of order ${ord} is along one axis, but ${axes} are asked for: give options.axis, or ravel()`);
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
    throw wrongType(`options.dtype is ${name}, but the elements are ${from}: the imaginary part would be lost`);
  }
  return name;
}

function realScalar(type: DTypeName, value: number): ScalarValue {
  const dtype = realOf(type) === "float64" ? "float64" : "float32";
  return { dtype, value };
}
