/** Selection, counting and searching. */
import type { Nested, TypedArray } from "@cl/core";
import type { SizeOptions, WaitOptions } from "../../indexing/index-types.js";
import type { DTypeName, TypedDType } from "../../types/dtype-name.js";
import type { PromotedDType } from "../../types/promoted-dtype.js";
import type { QuotientDType } from "../../types/promote.js";
import type { KernelParameter } from "../../user-kernels/kernel-parameter.js";
import { bincount, type BincountOptions } from "../../selection/bincount.js";
import { histogramdd, type HistogramDdOptions } from "../../selection/histogram-dd.js";
import type { BinRule } from "../../selection/bin-rules.js";
import {
  type BinRangeOptions,
  type Bins,
  edgesByRule,
  histogram,
  histogramBinEdges,
  histogramByRule,
  type HistogramOptions,
} from "../../selection/histogram.js";
import { copyIf, copyIfSync, partitionIf, partitionIfSync, type PredicateOptions } from "../../selection/copy-if.js";
import {
  digitize,
  type DigitizeOptions,
  interpolate,
  type InterpolateOptions,
  type SearchOptions,
  searchsorted,
  type SearchValues,
} from "../../selection/search.js";
import { isin, type IsinOptions, paired, setdiff1d, union1d } from "../../selection/set-operations.js";
import {
  type ConsecutiveOptions,
  uniqueConsecutive,
  uniqueConsecutiveSync,
} from "../../selection/unique-consecutive.js";
import { unique, type UniqueOptions } from "../../selection/unique.js";
import type { AnyArray, ArrayRef } from "../../storage/array-ref.js";
import { Arrays, asDeviceArray, type DeviceArray } from "../../array/arrays.js";
import { addComputations } from "../../array/add-methods.js";

/** Dtype of bin edges: that of the given edges, else that of the quotient of the elements. */
export type EdgeDType<D extends DTypeName, B> = B extends { readonly dtype: TypedDType<infer E> }
  ? E
  : B extends number
    ? QuotientDType<D>
    : DTypeName;

/** Options of `histogram` with a bin rule; rules do not support weights. */
export interface RuledHistogramOptions extends BinRangeOptions, WaitOptions {
  /** If true, returns the probability density instead of counts. */
  readonly density?: boolean | undefined;
}

/** Dtype of histogram values: int64 counts, or the floating-point dtype of densities and sums of weights. */
export type CountDType<O> = O extends { readonly density: true }
  ? "float32" | "float64"
  : O extends { readonly weights: { readonly dtype: TypedDType<infer W> } }
    ? W
    : "int64";

/**
 * A condition that selects elements: OpenCL C of `a[i]`, or a function of the array that applies operators, as for
 * `fuse`; it may capture other arrays and numbers.
 */
export type Predicate<D extends DTypeName> = string | ((a: DeviceArray<D>) => DeviceArray<"bool">);

/** A pair of arrays: the elements for which the predicate is true, and the others. */
export type Partitioned<D extends DTypeName> = [kept: DeviceArray<D>, others: DeviceArray<D>];

/** The unique values with the requested arrays. */
export type UniqueParts<D extends DTypeName, O> = {
  readonly values: DeviceArray<D>;
} & (O extends { readonly returnIndex: true } ? { readonly index: DeviceArray<"int64"> } : unknown) &
  (O extends { readonly returnInverse: true } ? { readonly inverse: DeviceArray<"int64"> } : unknown) &
  (O extends { readonly returnCounts: true } ? { readonly counts: DeviceArray<"int64"> } : unknown);

/** The unique values, or an object if options ask for more. */
export type UniqueResult<D extends DTypeName, O> = O extends
  | { readonly returnIndex: true }
  | { readonly returnInverse: true }
  | { readonly returnCounts: true }
  ? UniqueParts<D, O>
  : DeviceArray<D>;

/** Functions that select, count and search. */
class SelectionFunctions {
  /**
   * Returns the elements, in C order, for which a predicate is true. The predicate is OpenCL C of the element `a[i]`,
   * the index `i` and the `parameters`, which are declared as those of user kernels; or a function of the array, as for
   * `fuse`. No mask is stored. The number of elements is computed on the device, so the result is a promise; with `{
   * size }` it is an array.
   *
   * @example
   * ```ts
   * const xp = arrays(queue);
   * const a = xp.array([5, 100, 7, 300], { dtype: "int32" });
   * const above = await xp.copyIf(a, "a[i] > limit", { parameters: "int limit", args: [50] });
   * console.log(await above.data()); // Int32Array(2) [100, 300]
   * console.log(await (await xp.copyIf(a, (x) => x.remainder(2).equal(1))).data()); // Int32Array(2) [5, 7]
   * ```
   */
  copyIf<D extends DTypeName, const P extends string | readonly KernelParameter[] = "">(
    this: Arrays,
    array: DeviceArray<D>,
    predicate: Predicate<D>,
    options: PredicateOptions<P> & SizeOptions<D>,
  ): DeviceArray<D>;
  copyIf<D extends DTypeName, const P extends string | readonly KernelParameter[] = "">(
    this: Arrays,
    array: DeviceArray<D>,
    predicate: Predicate<D>,
    options?: PredicateOptions<P> & WaitOptions,
  ): Promise<DeviceArray<D>>;
  copyIf(this: Arrays, array: DeviceArray, predicate: unknown, options?: object): unknown {
    return copyIf(whole(this), array, predicate, options, false);
  }

  /** Returns the elements for which a predicate is false; see {@link copyIf}. */
  removeIf<D extends DTypeName, const P extends string | readonly KernelParameter[] = "">(
    this: Arrays,
    array: DeviceArray<D>,
    predicate: Predicate<D>,
    options: PredicateOptions<P> & SizeOptions<D>,
  ): DeviceArray<D>;
  removeIf<D extends DTypeName, const P extends string | readonly KernelParameter[] = "">(
    this: Arrays,
    array: DeviceArray<D>,
    predicate: Predicate<D>,
    options?: PredicateOptions<P> & WaitOptions,
  ): Promise<DeviceArray<D>>;
  removeIf(this: Arrays, array: DeviceArray, predicate: unknown, options?: object): unknown {
    return copyIf(whole(this), array, predicate, options, true);
  }

  /** Returns the results of {@link copyIf} and {@link removeIf}, computed together; both keep the order. */
  partitionIf<D extends DTypeName, const P extends string | readonly KernelParameter[] = "">(
    this: Arrays,
    array: DeviceArray<D>,
    predicate: Predicate<D>,
    options?: PredicateOptions<P> & WaitOptions,
  ): Promise<Partitioned<D>> {
    return partitionIf(whole(this), array, predicate, options as WaitOptions).then(bothOf);
  }

  /** Returns the elements as {@link copyIf} does; blocks the event loop until they are counted. */
  copyIfSync<D extends DTypeName, const P extends string | readonly KernelParameter[] = "">(
    this: Arrays,
    array: DeviceArray<D>,
    predicate: Predicate<D>,
    options?: PredicateOptions<P>,
  ): DeviceArray<D> {
    return asDeviceArray(copyIfSync(whole(this), array, predicate, options as object, false));
  }

  /** Returns the elements as {@link removeIf} does; blocks the event loop until they are counted. */
  removeIfSync<D extends DTypeName, const P extends string | readonly KernelParameter[] = "">(
    this: Arrays,
    array: DeviceArray<D>,
    predicate: Predicate<D>,
    options?: PredicateOptions<P>,
  ): DeviceArray<D> {
    return asDeviceArray(copyIfSync(whole(this), array, predicate, options as object, true));
  }

  /** Returns both parts as {@link partitionIf} does; blocks the event loop until they are counted. */
  partitionIfSync<D extends DTypeName, const P extends string | readonly KernelParameter[] = "">(
    this: Arrays,
    array: DeviceArray<D>,
    predicate: Predicate<D>,
    options?: PredicateOptions<P>,
  ): Partitioned<D> {
    return bothOf(partitionIfSync(whole(this), array, predicate, options as object));
  }

  /**
   * Returns the first element of each run of equal consecutive elements, as UNIX's `uniq`. Equality is OpenCL C of
   * adjacent elements `a` and `b`, with the options of {@link copyIf}. The result is a promise; with `{ size }` it is
   * an array.
   */
  uniqueConsecutive<D extends DTypeName, const P extends string | readonly KernelParameter[] = "">(
    this: Arrays,
    array: DeviceArray<D>,
    options: ConsecutiveOptions<P> & SizeOptions<D>,
  ): DeviceArray<D>;
  uniqueConsecutive<D extends DTypeName, const P extends string | readonly KernelParameter[] = "">(
    this: Arrays,
    array: DeviceArray<D>,
    options?: ConsecutiveOptions<P> & WaitOptions,
  ): Promise<DeviceArray<D>>;
  uniqueConsecutive(this: Arrays, array: DeviceArray, options?: object): unknown {
    return uniqueConsecutive(whole(this), array, options);
  }

  /** Returns the elements as {@link uniqueConsecutive} does; blocks the event loop until they are counted. */
  uniqueConsecutiveSync<D extends DTypeName, const P extends string | readonly KernelParameter[] = "">(
    this: Arrays,
    array: DeviceArray<D>,
    options?: ConsecutiveOptions<P>,
  ): DeviceArray<D> {
    return asDeviceArray(uniqueConsecutiveSync(whole(this), array, options as object));
  }

  /**
   * Resolves to the sorted unique values; or, if options ask for more, to an object that also has the index of each
   * value's first element, the index of each element's value (in the array's shape), or the count of each value.
   *
   * @example
   * ```ts
   * const xp = arrays(queue);
   * const a = xp.array([3, 1, 3, 2], { dtype: "int32" });
   * console.log(await (await xp.unique(a)).data()); // Int32Array(3) [1, 2, 3]
   * const { counts, inverse } = await xp.unique(a, { returnCounts: true, returnInverse: true });
   * console.log(await counts.data(), await inverse.data()); // BigInt64Array(3) [1n, 1n, 2n] BigInt64Array(4) [2n, 0n, 2n, 1n]
   * ```
   */
  unique<D extends DTypeName, const O extends UniqueOptions = object>(
    this: Arrays,
    array: DeviceArray<D>,
    options?: O,
  ): Promise<UniqueResult<D, O>> {
    return unique(whole(this), array, options) as never;
  }

  /** Returns a boolean array of the elements' shape: whether each element is among `values`. */
  isin(this: Arrays, elements: AnyArray, values: SearchValues, options?: IsinOptions): DeviceArray<"bool"> {
    return asDeviceArray(isin(whole(this), elements, values, options));
  }

  /** Resolves to the sorted unique values that are in either of two arrays. */
  union1d<const A extends AnyArray, const B extends AnyArray>(
    this: Arrays,
    one: A,
    other: B,
    options?: WaitOptions,
  ): Promise<DeviceArray<PromotedDType<[A, B]>>> {
    return union1d(whole(this), one, other, options) as never;
  }

  /** Resolves to the sorted unique values that are in both of two arrays. */
  intersect1d<const A extends AnyArray, const B extends AnyArray>(
    this: Arrays,
    one: A,
    other: B,
    options?: WaitOptions,
  ): Promise<DeviceArray<PromotedDType<[A, B]>>> {
    return paired(whole(this), one, other, "both", options) as never;
  }

  /** Resolves to the sorted unique values that are in exactly one of two arrays. */
  setxor1d<const A extends AnyArray, const B extends AnyArray>(
    this: Arrays,
    one: A,
    other: B,
    options?: WaitOptions,
  ): Promise<DeviceArray<PromotedDType<[A, B]>>> {
    return paired(whole(this), one, other, "single", options) as never;
  }

  /** Resolves to the sorted unique values of one array that are not in another. */
  setdiff1d<D extends DTypeName>(
    this: Arrays,
    one: DeviceArray<D>,
    other: AnyArray,
    options?: WaitOptions,
  ): Promise<DeviceArray<D>> {
    return setdiff1d(whole(this), one, other, options) as never;
  }

  /**
   * Returns the number of elements in each bin, and the bin edges. `bins` is the number of bins of equal width, 10 by
   * default, or increasing edges. Each bin includes its left edge, and the last both. The call does not wait, even if
   * the range is computed from the elements; if that is not finite, the next operation that waits throws.
   *
   * If `bins` is the name of one of NumPy's rules, such as `"auto"`, the number of bins depends on the elements, so the
   * result is a promise.
   *
   * Counts are int64. Weights are summed in double precision: in a fixed order on CPUs, in an unspecified order on
   * GPUs.
   *
   * @example
   * ```ts
   * const xp = arrays(queue);
   * const a = xp.array([1, 2, 1, 4, 5], { dtype: "float32" });
   * const [counts, edges] = xp.histogram(a, 2);
   * console.log(await counts.data(), await edges.data()); // BigInt64Array(2) [3n, 2n] Float32Array(3) [1, 3, 5]
   * ```
   */
  histogram<D extends DTypeName, const O extends RuledHistogramOptions = object>(
    this: Arrays,
    array: DeviceArray<D>,
    bins: BinRule,
    options?: O,
  ): Promise<[DeviceArray<CountDType<O>>, DeviceArray<QuotientDType<D>>]>;
  histogram<D extends DTypeName, B extends Bins = number, const O extends HistogramOptions = object>(
    this: Arrays,
    array: DeviceArray<D>,
    bins?: B,
    options?: O,
  ): [DeviceArray<CountDType<O>>, DeviceArray<EdgeDType<D, B>>];
  histogram(this: Arrays, array: DeviceArray, bins?: Bins | BinRule, options?: HistogramOptions): unknown {
    const make = typeof bins === "string" ? histogramByRule : histogram;
    return make(whole(this), array, bins as Bins, options);
  }

  /** Returns the edges that {@link histogram} uses for these arguments. */
  histogramBinEdges<D extends DTypeName>(
    this: Arrays,
    array: DeviceArray<D>,
    bins: BinRule,
    options?: BinRangeOptions & WaitOptions,
  ): Promise<DeviceArray<QuotientDType<D>>>;
  histogramBinEdges<D extends DTypeName, B extends Bins = number>(
    this: Arrays,
    array: DeviceArray<D>,
    bins?: B,
    options?: BinRangeOptions,
  ): DeviceArray<EdgeDType<D, B>>;
  histogramBinEdges(this: Arrays, array: DeviceArray, bins?: Bins | BinRule, options?: BinRangeOptions): unknown {
    const make = typeof bins === "string" ? edgesByRule : histogramBinEdges;
    return make(whole(this), array, bins as Bins, options);
  }

  /**
   * Returns the number of points in each bin of a plane, and the edges along both axes. `bins` is a number of bins for
   * both axes, or the bins of each. The counts are float64, as in NumPy.
   */
  histogram2d(
    this: Arrays,
    x: AnyArray,
    y: AnyArray,
    bins?: number | readonly [Bins, Bins],
    options?: HistogramDdOptions,
  ): [counts: WeightedCounts, xEdges: DeviceArray, yEdges: DeviceArray] {
    const [counts, [first, second]] = histogramdd(whole(this), [x, y], bins, options);
    return [counts as WeightedCounts, first as DeviceArray, second as DeviceArray];
  }

  /** Returns the histogram of points with any number of coordinates: `sample` has an array for each. */
  histogramdd(
    this: Arrays,
    sample: readonly AnyArray[],
    bins?: number | readonly Bins[],
    options?: HistogramDdOptions,
  ): [counts: WeightedCounts, edges: DeviceArray[]] {
    return histogramdd(whole(this), sample, bins, options) as never;
  }

  /**
   * Returns the number of occurrences of each integer from 0, or the sum of their weights. The length depends on the
   * largest element, so the result is a promise; with `{ size }` it is an array.
   *
   * @example
   * ```ts
   * const xp = arrays(queue);
   * const a = xp.array([0, 2, 2, 5], { dtype: "int32" });
   * console.log(await (await xp.bincount(a)).data()); // BigInt64Array(6) [1n, 0n, 2n, 0n, 0n, 1n]
   * console.log(await xp.bincount(a, { size: 8 }).data()); // BigInt64Array(8) [1n, 0n, 2n, 0n, 0n, 1n, 0n, 0n]
   * ```
   */
  bincount(
    this: Arrays,
    array: AnyArray,
    options: BincountOptions & { size: number; weights: AnyArray },
  ): WeightedCounts;
  bincount(
    this: Arrays,
    array: AnyArray,
    options: BincountOptions & { size: number; weights?: undefined },
  ): DeviceArray<"int64">;
  bincount(
    this: Arrays,
    array: AnyArray,
    options: BincountOptions & { size?: undefined; weights: AnyArray },
  ): Promise<WeightedCounts>;
  bincount(
    this: Arrays,
    array: AnyArray,
    options?: BincountOptions & { size?: undefined; weights?: undefined },
  ): Promise<DeviceArray<"int64">>;
  bincount(this: Arrays, array: AnyArray, options?: BincountOptions): unknown {
    return bincount(whole(this), array, options);
  }

  /**
   * Returns the indices where values would be inserted into a sorted array to keep it sorted: before elements that are
   * equal, or after them with `{ side: "right" }`. NaN sorts last.
   *
   * @example
   * ```ts
   * const xp = arrays(queue);
   * const sorted = xp.array([1, 2, 2, 5], { dtype: "float32" });
   * console.log(await xp.searchsorted(sorted, [2, 3]).data()); // BigInt64Array(2) [1n, 3n]
   * console.log(await xp.searchsorted(sorted, 2, { side: "right" }).item()); // 3n
   * ```
   */
  searchsorted(this: Arrays, sorted: AnyArray, values: SearchValues, options?: SearchOptions): DeviceArray<"int64"> {
    return asDeviceArray(searchsorted(whole(this), sorted, values, options));
  }

  /**
   * Returns the index of the bin of each value, for increasing or decreasing bin edges: 0 is before the first. A bin
   * includes its left edge, or its right one with `{ right: true }`. Host edges are checked; device edges must be
   * sorted.
   */
  digitize(
    this: Arrays,
    values: SearchValues,
    bins: AnyArray | Nested | TypedArray,
    options?: DigitizeOptions,
  ): DeviceArray<"int64"> {
    return asDeviceArray(digitize(whole(this), values, bins, options));
  }

  /**
   * Returns values interpolated linearly at `x`, given `values` at increasing `places`. Outside the range, returns the
   * first or the last value, or `left` and `right`. The dtype is the floating-point type to which all arguments
   * promote; NumPy's is float64.
   */
  interp(this: Arrays, x: SearchValues, places: AnyArray, values: AnyArray, options?: InterpolateOptions): DeviceArray {
    return asDeviceArray(interpolate(whole(this), x, places, values, options));
  }
}

declare module "../../array/arrays.js" {
  interface Arrays extends SelectionFunctions {}
}
addComputations(Arrays, SelectionFunctions);

/** The class that has all functions is at the end of the chain. */
function whole(part: unknown): Arrays {
  return part as Arrays;
}

/** Sums of weights: float64, or float32 on devices without double precision. */
export type WeightedCounts = DeviceArray<"float32" | "float64">;

function bothOf<D extends DTypeName>([kept, others]: readonly [ArrayRef<D>, ArrayRef<D>]): Partitioned<D> {
  return [asDeviceArray(kept), asDeviceArray(others)];
}
