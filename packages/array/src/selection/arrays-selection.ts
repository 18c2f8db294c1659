/** Picking, counting and searching. */
import type { Nested, TypedArray } from "@cl/core";
import type { AnyArray } from "../array/any-array.js";
import type { Arrays } from "../array/arrays.js";
import type { DeviceArray } from "../array/device-array.js";
import type { SizeOptions, WaitOptions } from "../indexing/index-types.js";
import { ArraysSorting } from "../sorting/arrays-sorting.js";
import type { DTypeName, TypedDType } from "../types/dtype-name.js";
import type { Joined } from "../types/joined.js";
import type { Divided } from "../types/promote.js";
import type { KernelParameter } from "../user-kernels/kernel-parameter.js";
import { bincount, type BincountOptions } from "./bincount.js";
import { histogramdd, type HistogramDdOptions } from "./histogram-dd.js";
import type { BinRule } from "./bin-rules.js";
import {
  type BinRangeOptions,
  type Bins,
  edgesByRule,
  histogram,
  histogramBinEdges,
  histogramByRule,
  type HistogramOptions,
} from "./histogram.js";
import {
  copyIf,
  copyIfSync,
  type Partitioned,
  partitionIf,
  partitionIfSync,
  type Predicate,
  type PredicateOptions,
} from "./copy-if.js";
import {
  digitize,
  type DigitizeOptions,
  interpolate,
  type InterpolateOptions,
  type SearchOptions,
  searchsorted,
  type SearchValues,
} from "./search.js";
import { isin, type IsinOptions, paired, setdiff1d, union1d } from "./set-operations.js";
import { type ConsecutiveOptions, uniqueConsecutive, uniqueConsecutiveSync } from "./unique-consecutive.js";
import { unique, type UniqueOptions, type UniqueResult } from "./unique.js";

/** The types of edges: those of an array that has them, else what elements are divided as. */
export type EdgesOf<D extends DTypeName, B> = B extends { readonly dtype: TypedDType<infer E> }
  ? E
  : B extends number
    ? Divided<D>
    : DTypeName;

/** How `histogram` counts with a rule for bins, which knows nothing of weights. */
export interface RuledHistogramOptions extends BinRangeOptions, WaitOptions {
  /** True for a density. */
  readonly density?: boolean | undefined;
}

/** What counts are: weights come to their own type. */
export type CountsOf<O> = O extends { readonly density: true }
  ? "float32" | "float64"
  : O extends { readonly weights: { readonly dtype: TypedDType<infer W> } }
    ? W
    : "int64";

/** The part of `Arrays` that picks, counts and searches. */
export abstract class ArraysSelection extends ArraysSorting {
  /**
   * The elements, in C order, for which a predicate is true: OpenCL C of the array's element `a[i]`, the index `i`, and what
   * `parameters` declare, as those of kernels of one's own do; or a function of the array, as those that `fuse` takes. There is
   * no mask in memory. How many they are is for the device
   * to say, so that the result is promised; with `{ size }` it is there at once.
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
    array: DeviceArray<D>,
    predicate: Predicate<D>,
    options: PredicateOptions<P> & SizeOptions<D>,
  ): DeviceArray<D>;
  copyIf<D extends DTypeName, const P extends string | readonly KernelParameter[] = "">(
    array: DeviceArray<D>,
    predicate: Predicate<D>,
    options?: PredicateOptions<P> & WaitOptions,
  ): Promise<DeviceArray<D>>;
  copyIf(array: DeviceArray, predicate: unknown, options?: object): unknown {
    return copyIf(whole(this), array, predicate, options, false);
  }

  /** The elements for which a predicate is not true; see {@link copyIf}. */
  removeIf<D extends DTypeName, const P extends string | readonly KernelParameter[] = "">(
    array: DeviceArray<D>,
    predicate: Predicate<D>,
    options: PredicateOptions<P> & SizeOptions<D>,
  ): DeviceArray<D>;
  removeIf<D extends DTypeName, const P extends string | readonly KernelParameter[] = "">(
    array: DeviceArray<D>,
    predicate: Predicate<D>,
    options?: PredicateOptions<P> & WaitOptions,
  ): Promise<DeviceArray<D>>;
  removeIf(array: DeviceArray, predicate: unknown, options?: object): unknown {
    return copyIf(whole(this), array, predicate, options, true);
  }

  /** What {@link copyIf} and {@link removeIf} give, in one go: both keep the order. */
  partitionIf<D extends DTypeName, const P extends string | readonly KernelParameter[] = "">(
    array: DeviceArray<D>,
    predicate: Predicate<D>,
    options?: PredicateOptions<P> & WaitOptions,
  ): Promise<Partitioned<D>> {
    return partitionIf(whole(this), array, predicate, options as WaitOptions);
  }

  /** Copies as {@link copyIf} does, and blocks the event loop while it is counted. */
  copyIfSync<D extends DTypeName, const P extends string | readonly KernelParameter[] = "">(
    array: DeviceArray<D>,
    predicate: Predicate<D>,
    options?: PredicateOptions<P>,
  ): DeviceArray<D> {
    return copyIfSync(whole(this), array, predicate, options as object, false);
  }

  /** Copies as {@link removeIf} does, and blocks the event loop while it is counted. */
  removeIfSync<D extends DTypeName, const P extends string | readonly KernelParameter[] = "">(
    array: DeviceArray<D>,
    predicate: Predicate<D>,
    options?: PredicateOptions<P>,
  ): DeviceArray<D> {
    return copyIfSync(whole(this), array, predicate, options as object, true);
  }

  /** Divides as {@link partitionIf} does, and blocks the event loop while it is counted. */
  partitionIfSync<D extends DTypeName, const P extends string | readonly KernelParameter[] = "">(
    array: DeviceArray<D>,
    predicate: Predicate<D>,
    options?: PredicateOptions<P>,
  ): Partitioned<D> {
    return partitionIfSync(whole(this), array, predicate, options as object);
  }

  /**
   * The first element of each run of equal neighbours, as UNIX's `uniq` keeps it. What is equal is said in OpenCL C of the
   * neighbours `a` and `b`, with the options of {@link copyIf}. Promised, or with `{ size }` there at once.
   */
  uniqueConsecutive<D extends DTypeName, const P extends string | readonly KernelParameter[] = "">(
    array: DeviceArray<D>,
    options: ConsecutiveOptions<P> & SizeOptions<D>,
  ): DeviceArray<D>;
  uniqueConsecutive<D extends DTypeName, const P extends string | readonly KernelParameter[] = "">(
    array: DeviceArray<D>,
    options?: ConsecutiveOptions<P> & WaitOptions,
  ): Promise<DeviceArray<D>>;
  uniqueConsecutive(array: DeviceArray, options?: object): unknown {
    return uniqueConsecutive(whole(this), array, options);
  }

  /** Keeps as {@link uniqueConsecutive} does, and blocks the event loop while it is counted. */
  uniqueConsecutiveSync<D extends DTypeName, const P extends string | readonly KernelParameter[] = "">(
    array: DeviceArray<D>,
    options?: ConsecutiveOptions<P>,
  ): DeviceArray<D> {
    return uniqueConsecutiveSync(whole(this), array, options as object);
  }

  /**
   * Resolves to all different values, in order; or to an object with them and what else is wanted: the index of the first
   * element of each value, the number of each element's value, in the array's shape, and how often each comes.
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
    array: DeviceArray<D>,
    options?: O,
  ): Promise<UniqueResult<D, O>> {
    return unique(whole(this), array, options) as never;
  }

  /** Which elements are among some values: booleans of the elements' shape. */
  isin(elements: AnyArray, values: SearchValues, options?: IsinOptions): DeviceArray<"bool"> {
    return isin(whole(this), elements, values, options);
  }

  /** Resolves to the values that are in one of two arrays, in order. */
  union1d<const A extends AnyArray, const B extends AnyArray>(
    one: A,
    other: B,
    options?: WaitOptions,
  ): Promise<DeviceArray<Joined<[A, B]>>> {
    return union1d(whole(this), one, other, options) as never;
  }

  /** Resolves to the values that are in both of two arrays, in order. */
  intersect1d<const A extends AnyArray, const B extends AnyArray>(
    one: A,
    other: B,
    options?: WaitOptions,
  ): Promise<DeviceArray<Joined<[A, B]>>> {
    return paired(whole(this), one, other, "both", options) as never;
  }

  /** Resolves to the values that are in only one of two arrays, in order. */
  setxor1d<const A extends AnyArray, const B extends AnyArray>(
    one: A,
    other: B,
    options?: WaitOptions,
  ): Promise<DeviceArray<Joined<[A, B]>>> {
    return paired(whole(this), one, other, "single", options) as never;
  }

  /** Resolves to the values of one array that another does not have, in order. */
  setdiff1d<D extends DTypeName>(one: DeviceArray<D>, other: AnyArray, options?: WaitOptions): Promise<DeviceArray<D>> {
    return setdiff1d(whole(this), one, other, options) as never;
  }

  /**
   * How many elements lie in each bin, and the edges of the bins: so many of one width, 10 if not said, or between edges that
   * rise. Each bin holds its left edge, the last both. Nothing waits, also where the range is that of the elements: if that is
   * not finite, whoever waits next hears of it.
   *
   * With the name of one of NumPy's rules in place of bins, such as `"auto"`, the elements say how many there are, so that the
   * result is promised.
   *
   * Counts are int64. Weights are added with double precision: on a processor in the same order each time, on a GPU in any.
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
    array: DeviceArray<D>,
    bins: BinRule,
    options?: O,
  ): Promise<[DeviceArray<CountsOf<O>>, DeviceArray<Divided<D>>]>;
  histogram<D extends DTypeName, B extends Bins = number, const O extends HistogramOptions = object>(
    array: DeviceArray<D>,
    bins?: B,
    options?: O,
  ): [DeviceArray<CountsOf<O>>, DeviceArray<EdgesOf<D, B>>];
  histogram(array: DeviceArray, bins?: Bins | BinRule, options?: HistogramOptions): unknown {
    const make = typeof bins === "string" ? histogramByRule : histogram;
    return make(whole(this), array, bins as Bins, options);
  }

  /** The edges that {@link histogram} has for these arguments. */
  histogramBinEdges<D extends DTypeName>(
    array: DeviceArray<D>,
    bins: BinRule,
    options?: BinRangeOptions & WaitOptions,
  ): Promise<DeviceArray<Divided<D>>>;
  histogramBinEdges<D extends DTypeName, B extends Bins = number>(
    array: DeviceArray<D>,
    bins?: B,
    options?: BinRangeOptions,
  ): DeviceArray<EdgesOf<D, B>>;
  histogramBinEdges(array: DeviceArray, bins?: Bins | BinRule, options?: BinRangeOptions): unknown {
    const make = typeof bins === "string" ? edgesByRule : histogramBinEdges;
    return make(whole(this), array, bins as Bins, options);
  }

  /**
   * How many points lie in each bin of a plane, and the edges along both axes: so many bins each, or bins for each of both. The
   * counts are float64, as NumPy's are.
   */
  histogram2d(
    x: AnyArray,
    y: AnyArray,
    bins?: number | readonly [Bins, Bins],
    options?: HistogramDdOptions,
  ): [counts: WeightedCounts, xEdges: DeviceArray, yEdges: DeviceArray] {
    const [counts, [first, second]] = histogramdd(whole(this), [x, y], bins, options);
    return [counts as AnyArray as WeightedCounts, first as DeviceArray, second as DeviceArray];
  }

  /** The same for points of any number of coordinates: `sample` has an array for each. */
  histogramdd(
    sample: readonly AnyArray[],
    bins?: number | readonly Bins[],
    options?: HistogramDdOptions,
  ): [counts: WeightedCounts, edges: DeviceArray[]] {
    return histogramdd(whole(this), sample, bins, options) as never;
  }

  /**
   * How often each integer from 0 on comes, or what its weights come to. The largest decides how long that is, so that it is
   * promised; with `{ size }` it is there at once.
   *
   * @example
   * ```ts
   * const xp = arrays(queue);
   * const a = xp.array([0, 2, 2, 5], { dtype: "int32" });
   * console.log(await (await xp.bincount(a)).data()); // BigInt64Array(6) [1n, 0n, 2n, 0n, 0n, 1n]
   * console.log(await xp.bincount(a, { size: 8 }).data()); // BigInt64Array(8) [1n, 0n, 2n, 0n, 0n, 1n, 0n, 0n]
   * ```
   */
  bincount(array: AnyArray, options: BincountOptions & { size: number; weights: AnyArray }): WeightedCounts;
  bincount(array: AnyArray, options: BincountOptions & { size: number; weights?: undefined }): DeviceArray<"int64">;
  bincount(
    array: AnyArray,
    options: BincountOptions & { size?: undefined; weights: AnyArray },
  ): Promise<WeightedCounts>;
  bincount(
    array: AnyArray,
    options?: BincountOptions & { size?: undefined; weights?: undefined },
  ): Promise<DeviceArray<"int64">>;
  bincount(array: AnyArray, options?: BincountOptions): unknown {
    return bincount(whole(this), array, options);
  }

  /**
   * Where each value belongs among values that rise: the first place before which it can stand, or with `{ side: "right" }`
   * the last. What is not a number comes last.
   *
   * @example
   * ```ts
   * const xp = arrays(queue);
   * const sorted = xp.array([1, 2, 2, 5], { dtype: "float32" });
   * console.log(await xp.searchsorted(sorted, [2, 3]).data()); // BigInt64Array(2) [1n, 3n]
   * console.log(await xp.searchsorted(sorted, 2, { side: "right" }).item()); // 3n
   * ```
   */
  searchsorted(sorted: AnyArray, values: SearchValues, options?: SearchOptions): DeviceArray<"int64"> {
    return searchsorted(whole(this), sorted, values, options);
  }

  /**
   * The number of the bin of each value, where the edges of bins rise or fall: 0 before the first. A bin holds its left edge,
   * or with `{ right: true }` its right one. Edges of the host are checked; those of the device must be in order.
   */
  digitize(
    values: SearchValues,
    bins: AnyArray | Nested | TypedArray,
    options?: DigitizeOptions,
  ): DeviceArray<"int64"> {
    return digitize(whole(this), values, bins, options);
  }

  /**
   * Values at places `x`, on straight lines between `values` at `places` that rise. Outside it is the first or the last value,
   * or `left` and `right`. The result is floating-point of the type of all together: NumPy's is float64.
   */
  interp(x: SearchValues, places: AnyArray, values: AnyArray, options?: InterpolateOptions): DeviceArray {
    return interpolate(whole(this), x, places, values, options);
  }
}

/** The class that has all functions is at the end of the chain. */
function whole(part: unknown): Arrays {
  return part as Arrays;
}

/** Sums of weights: float64, or float32 where the device has no doubles. */
export type WeightedCounts = DeviceArray<"float32" | "float64">;
