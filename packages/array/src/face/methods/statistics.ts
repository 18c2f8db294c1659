/** Order statistics as methods: medians, quantiles, partitions, top-k. */
import { checkOptions } from "@cl/base";
import type { DTypeName } from "../../types/dtype-name.js";
import type { QuotientDType } from "../../types/promote.js";
import { median, type MedianOptions, quantile, type QuantileOptions } from "../../selection/quantile.js";
import { partition, type PartitionOptions } from "../../selection/partition.js";
import { topk, type TopkOptions } from "../../selection/topk.js";
import { asDeviceArray, DeviceArray } from "../../array/arrays.js";
import { ArrayMethods } from "../../array/array-methods.js";
import { addComputations } from "../../array/add-methods.js";

/** Dtype of a quantile: the array's if the method selects an element, floating-point if it interpolates. */
export type QuantileOf<D extends DTypeName, O> = O extends { readonly method: "lower" | "higher" | "nearest" }
  ? D
  : QuotientDType<D>;

/** Methods that select elements by rank. */
class StatisticsMethods<D extends DTypeName> extends ArrayMethods<D> {
  /**
   * Returns the `k` largest or smallest elements along an axis, in order, and their indices. The first of equal
   * elements come first. NaN comes after all numbers in either order.
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
    const [values, indices] = topk(this, k, checkOptions(options, ["axis", "largest"]));
    return [asDeviceArray(values), asDeviceArray(indices)];
  }

  /**
   * Returns a partially sorted copy, as NumPy's `partition`: the element at `kth` is in its sorted position, smaller
   * ones are before it and larger ones after it, in undefined order. To split by a predicate use `Arrays.partitionIf`.
   */
  partition(kth: number | readonly number[], options?: PartitionOptions): DeviceArray<D> {
    return partition(this, kth, checkOptions(options, ["axis"]), "elements") as DeviceArray<D>;
  }

  /** Returns the indices that would partition the array along an axis; see {@link partition}. */
  argpartition(kth: number | readonly number[], options?: PartitionOptions): DeviceArray<"int64"> {
    return partition(this, kth, checkOptions(options, ["axis"]), "places") as DeviceArray<"int64">;
  }

  /** Returns the median; NaN if any element is NaN. */
  median(options?: MedianOptions): DeviceArray<QuotientDType<D>> {
    return median(this, "median", false, options) as never;
  }

  /** Returns the median, ignoring NaN. */
  nanmedian(options?: MedianOptions): DeviceArray<QuotientDType<D>> {
    return median(this, "nanmedian", true, options) as never;
  }

  /**
   * Returns the quantile `q`, in [0, 1]; for a list of `q`, the results are along a new first axis. NaN if any element
   * is NaN.
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
    return quantile(this, q, 1, "quantile", false, options) as never;
  }

  /** Returns the {@link quantile}, ignoring NaN. */
  nanquantile<const O extends QuantileOptions = object>(
    q: number | readonly number[],
    options?: O,
  ): DeviceArray<QuantileOf<D, O>> {
    return quantile(this, q, 1, "nanquantile", true, options) as never;
  }

  /** Returns the percentile `q`, in [0, 100]; see {@link quantile}. */
  percentile<const O extends QuantileOptions = object>(
    q: number | readonly number[],
    options?: O,
  ): DeviceArray<QuantileOf<D, O>> {
    return quantile(this, q, 100, "percentile", false, options) as never;
  }

  /** Returns the {@link percentile}, ignoring NaN. */
  nanpercentile<const O extends QuantileOptions = object>(
    q: number | readonly number[],
    options?: O,
  ): DeviceArray<QuantileOf<D, O>> {
    return quantile(this, q, 100, "nanpercentile", true, options) as never;
  }
}

declare module "../../array/arrays.js" {
  interface DeviceArray<D extends DTypeName> extends StatisticsMethods<D> {}
}
addComputations(DeviceArray, StatisticsMethods);
