/** Reductions as methods: sums, means, extremes, norms and products. */
import { checkOptions } from "@cl/base";
import { average, type AverageOptions } from "../../reductions/average.js";
import { dot, vdot } from "../../linear-algebra/dot.js";
import * as reductions from "../../reductions/reduce.js";
import type {
  ArgReductionOptions,
  ExtremeOptions,
  MeanOptions,
  NormOptions,
  SumOptions,
  VarianceOptions,
} from "../../reductions/reduce.js";
import type { SumDType, VarianceDType } from "../../reductions/result-types.js";
import { apply } from "../../elementwise/elementwise.js";
import { isArray } from "../../storage/check-array.js";
import type { OperandLike, OutOptions } from "../../storage/operand-like.js";
import type { DTypeName } from "../../types/dtype-name.js";
import type { Promote, QuotientDType } from "../../types/promote.js";
import type { ResultWith } from "../../types/results.js";
import { ArrayMethods } from "../../array/array-methods.js";
import { asDeviceArray, DeviceArray } from "../../array/arrays.js";
import type { ReduceOptions, WhereOptions } from "../../expression/passes.js";
import { addComputations } from "../../array/add-methods.js";

/** Methods for reductions. */
class ReductionMethods<D extends DTypeName> extends ArrayMethods<D> {
  /**
   * Returns the sum over all or the given axes. Integers are accumulated as int64 or uint64, float16 as float32. Floats
   * are summed pairwise in blocks, which keeps rounding errors small.
   */
  sum<E extends DTypeName = SumDType<D>>(options?: SumOptions<E>): DeviceArray<E> {
    return asDeviceArray(reductions.sum(this, options));
  }

  /** Returns the product over all or the given axes. */
  prod<E extends DTypeName = SumDType<D>>(options?: SumOptions<E>): DeviceArray<E> {
    return asDeviceArray(reductions.prod(this, options));
  }

  /** Returns the arithmetic mean. The mean of integers is float64. */
  mean<E extends DTypeName = QuotientDType<D>>(options?: MeanOptions<E>): DeviceArray<E> {
    return asDeviceArray(reductions.mean(this, options));
  }

  /**
   * Returns the weighted mean: the sum of `a * weights` divided by the sum of the weights. The result is NaN where the
   * weights sum to 0; NumPy throws.
   */
  average<W extends DTypeName = D>(options?: AverageOptions<W>): DeviceArray<QuotientDType<Promote<D, W>>> {
    return asDeviceArray(average(this, checkOptions(options, ["weights", "axis", "keepDims"])));
  }

  /** Returns the variance: the mean of squared deviations from the mean. It is real for complex arrays, too. */
  var<E extends DTypeName = VarianceDType<D>>(options?: VarianceOptions<E>): DeviceArray<E> {
    return asDeviceArray(reductions.variance(this, options));
  }

  /** Returns the standard deviation: the square root of {@link var}. */
  std<E extends DTypeName = VarianceDType<D>>(options?: VarianceOptions<E>): DeviceArray<E> {
    return asDeviceArray(reductions.std(this, options));
  }

  /** Returns the minimum; NaN if any element is NaN. */
  min(options?: ExtremeOptions): DeviceArray<D> {
    return asDeviceArray(reductions.min(this, options));
  }

  /** Returns the maximum; NaN if any element is NaN. */
  max(options?: ExtremeOptions): DeviceArray<D> {
    return asDeviceArray(reductions.max(this, options));
  }

  /**
   * Returns the index of the minimum along an axis, or in C order over all elements: the first one if there are
   * several.
   */
  argmin(options?: ArgReductionOptions): DeviceArray<"int64"> {
    return asDeviceArray(reductions.argmin(this, options));
  }

  /**
   * Returns the index of the maximum along an axis, or in C order over all elements: the first one if there are
   * several.
   */
  argmax(options?: ArgReductionOptions): DeviceArray<"int64"> {
    return asDeviceArray(reductions.argmax(this, options));
  }

  /** Returns the range of values: maximum minus minimum ("peak to peak"). */
  ptp(options?: ReduceOptions): DeviceArray<D> {
    return asDeviceArray(reductions.ptp(this, options));
  }

  /**
   * Returns a vector norm: the square root of the sum of squares, or the norm of order `ord`. Without axes the whole
   * array is one vector; `ord` needs a single axis.
   */
  norm(options?: NormOptions): DeviceArray<VarianceDType<D>> {
    return asDeviceArray(reductions.norm(this, options));
  }

  /**
   * Returns the dot product of two vectors; for arrays with more axes, the sum of products over the last axis of this
   * array and the second-to-last of the other, as for two matrices. float16 is computed in float32; integers keep their
   * dtype and wrap around. Scalars and arrays without axes multiply, as in NumPy.
   */
  dot<const V extends OperandLike>(other: V, options?: OutOptions): DeviceArray<ResultWith<"same", D, V>> {
    if (!isArray(other) || other.ndim === 0 || this.ndim === 0) {
      return asDeviceArray(apply("multiply", [this, other], options));
    }
    return asDeviceArray(dot(this, other, checkOptions(options, ["out"]).out));
  }

  /** Returns the dot product of all elements, in C order; the elements of this array are conjugated if complex. */
  vdot<B extends DTypeName>(other: DeviceArray<B>, options?: OutOptions): DeviceArray<Promote<D, B>> {
    return asDeviceArray(vdot(this, other, checkOptions(options, ["out"]).out));
  }

  /** Returns whether any element is true, that is not 0. */
  any(options?: ReduceOptions & WhereOptions): DeviceArray<"bool"> {
    return asDeviceArray(reductions.any(this, options));
  }

  /** Returns whether all elements are true, that is not 0. */
  all(options?: ReduceOptions & WhereOptions): DeviceArray<"bool"> {
    return asDeviceArray(reductions.all(this, options));
  }

  /** Returns the number of nonzero elements. */
  countNonzero(options?: ReduceOptions & WhereOptions): DeviceArray<"int64"> {
    return asDeviceArray(reductions.countNonzero(this, options));
  }

  /** Returns the minimum, ignoring NaN. */
  nanmin(options?: ExtremeOptions): DeviceArray<D> {
    return asDeviceArray(reductions.nanmin(this, options));
  }

  /** Returns the maximum, ignoring NaN. */
  nanmax(options?: ExtremeOptions): DeviceArray<D> {
    return asDeviceArray(reductions.nanmax(this, options));
  }

  /**
   * Returns the index of the minimum along an axis, or in C order over all elements, ignoring NaN. If all elements are
   * NaN, the next operation that waits throws.
   */
  nanargmin(options?: ArgReductionOptions): DeviceArray<"int64"> {
    return asDeviceArray(reductions.nanargmin(this, options));
  }

  /**
   * Returns the index of the maximum along an axis, or in C order over all elements, ignoring NaN. If all elements are
   * NaN, the next operation that waits throws.
   *
   * @example
   * ```ts
   * const xp = arrays(queue);
   * const a = xp.array([[NaN, 4], [2, 3]], { dtype: "float32" });
   * console.log(await a.nanargmax({ axis: 1 }).data()); // BigInt64Array(2) [1n, 1n]
   * console.log(await a.nanargmin().item()); // 2n
   * ```
   */
  nanargmax(options?: ArgReductionOptions): DeviceArray<"int64"> {
    return asDeviceArray(reductions.nanargmax(this, options));
  }

  /** Returns the sum, with NaN counted as 0. */
  nansum<E extends DTypeName = SumDType<D>>(options?: SumOptions<E>): DeviceArray<E> {
    return asDeviceArray(reductions.nansum(this, options));
  }

  /** Returns the product, with NaN counted as 1. */
  nanprod<E extends DTypeName = SumDType<D>>(options?: SumOptions<E>): DeviceArray<E> {
    return asDeviceArray(reductions.nanprod(this, options));
  }

  /** Returns the mean, ignoring NaN. */
  nanmean<E extends DTypeName = QuotientDType<D>>(options?: MeanOptions<E>): DeviceArray<E> {
    return asDeviceArray(reductions.nanmean(this, options));
  }

  /** Returns the variance, ignoring NaN; NaN if at most `ddof` elements are left. */
  nanvar<E extends DTypeName = VarianceDType<D>>(options?: VarianceOptions<E>): DeviceArray<E> {
    return asDeviceArray(reductions.nanvar(this, options));
  }

  /** Returns the standard deviation, ignoring NaN: the square root of {@link nanvar}. */
  nanstd<E extends DTypeName = VarianceDType<D>>(options?: VarianceOptions<E>): DeviceArray<E> {
    return asDeviceArray(reductions.nanstd(this, options));
  }
}

declare module "../../array/arrays.js" {
  interface DeviceArray<D extends DTypeName> extends ReductionMethods<D> {}
}
addComputations(DeviceArray, ReductionMethods);
