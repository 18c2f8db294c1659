/** What needs elements in order: medians, quantiles, the largest. */
import { checkOptions } from "@cl/base";
import type { AnyArray } from "../array/any-array.js";
import type { DeviceArray } from "../array/device-array.js";
import { ArraySorting } from "../sorting/array-sorting.js";
import type { DTypeName } from "../types/dtype-name.js";
import type { Divided } from "../types/promote.js";
import { median, type MedianOptions, quantile, type QuantileOptions } from "./quantile.js";
import { partition, type PartitionOptions } from "./partition.js";
import { topk, type TopkOptions } from "./topk.js";

/** What a quantile is: an element, or something between two. */
export type QuantileOf<D extends DTypeName, O> = O extends { readonly method: "lower" | "higher" | "nearest" }
  ? D
  : Divided<D>;

/** The part of a `DeviceArray` that picks by rank. */
export abstract class ArrayStatistics<D extends DTypeName = DTypeName> extends ArraySorting<D> {
  /**
   * The largest `k` elements along an axis, or the smallest, in their order, and where they are: the first of those that are
   * equal. NaN comes after all numbers either way.
   *
   * @example
   * ```ts
   * const xp = arrays(queue);
   * const a = xp.array([[3, 9, 1], [4, 2, 6]], { dtype: "float32" });
   * const [values, indices] = a.topk(2);
   * console.log(await values.toNested(), await indices.toNested()); // [ [ 9, 3 ], [ 6, 4 ] ] [ [ 1n, 0n ], [ 2n, 0n ] ]
   * ```
   */
  topk(k: number, options?: TopkOptions): [values: DeviceArray<D>, indices: DeviceArray<"int64">] {
    return topk(this.#self, k, checkOptions(options, ["axis", "largest"]));
  }

  /**
   * NumPy's `partition`: at `kth` is the element that is there in order, smaller ones before it and larger ones behind, in any
   * order. To divide by a predicate there is `Arrays.partitionIf`.
   */
  partition(kth: number | readonly number[], options?: PartitionOptions): DeviceArray<D> {
    return partition(this.#any, kth, checkOptions(options, ["axis"]), "elements") as AnyArray as DeviceArray<D>;
  }

  /** The indices along the axis that {@link partition} takes elements from. */
  argpartition(kth: number | readonly number[], options?: PartitionOptions): DeviceArray<"int64"> {
    return partition(this.#any, kth, checkOptions(options, ["axis"]), "places") as AnyArray as DeviceArray<"int64">;
  }

  /** The middle element in order, or the mean of both; NaN if one is. */
  median(options?: MedianOptions): DeviceArray<Divided<D>> {
    return median(this.#any, "median", false, options) as never;
  }

  /** The {@link median} of those elements that are numbers. */
  nanmedian(options?: MedianOptions): DeviceArray<Divided<D>> {
    return median(this.#any, "nanmedian", true, options) as never;
  }

  /**
   * What `q` of the elements are below, from 0 to 1: one, or one for each of a list, along a first axis. NaN if an element is.
   *
   * @example
   * ```ts
   * const xp = arrays(queue);
   * const a = xp.array([[10, 7, 4], [3, 2, 1]], { dtype: "float32" });
   * console.log(await a.quantile(0.5).item()); // 3.5
   * console.log(await a.quantile([0.25, 1], { axis: 1 }).toNested()); // [ [ 5.5, 1.5 ], [ 10, 3 ] ]
   * ```
   */
  quantile<const O extends QuantileOptions = object>(
    q: number | readonly number[],
    options?: O,
  ): DeviceArray<QuantileOf<D, O>> {
    return quantile(this.#any, q, 1, "quantile", false, options) as never;
  }

  /** The {@link quantile} of those elements that are numbers. */
  nanquantile<const O extends QuantileOptions = object>(
    q: number | readonly number[],
    options?: O,
  ): DeviceArray<QuantileOf<D, O>> {
    return quantile(this.#any, q, 1, "nanquantile", true, options) as never;
  }

  /** The {@link quantile} with `q` from 0 to 100. */
  percentile<const O extends QuantileOptions = object>(
    q: number | readonly number[],
    options?: O,
  ): DeviceArray<QuantileOf<D, O>> {
    return quantile(this.#any, q, 100, "percentile", false, options) as never;
  }

  /** The {@link percentile} of those elements that are numbers. */
  nanpercentile<const O extends QuantileOptions = object>(
    q: number | readonly number[],
    options?: O,
  ): DeviceArray<QuantileOf<D, O>> {
    return quantile(this.#any, q, 100, "nanpercentile", true, options) as never;
  }

  get #self(): DeviceArray<D> {
    return this as unknown as DeviceArray<D>;
  }

  get #any(): DeviceArray {
    return this as unknown as DeviceArray;
  }
}
