/** Indexing with arrays: reading and storing elements at indices. */
import { checkOptions, checkSignal } from "@cl/base";

import type { Nested, TypedArray } from "@cl/core";
import { isArray } from "../../storage/check-array.js";
import { checkAxis } from "../../shapes/check-axes.js";
import type { DTypeName, FillValue } from "../../types/dtype-name.js";
import { checkMode, indexArray, type OutOfRangeMode, selectPaired } from "../../indexing/along-axis.js";
import type {
  ArrayIndex,
  HostIndices,
  IntegerArray,
  MaskArray,
  SizeOptions,
  SizeOrWaitOptions,
  StoredIndices,
  WaitOptions,
} from "../../indexing/index-types.js";
import { isMask, MaskedRead, readAt, readMasked, readMaskedSync } from "../../indexing/masks.js";
import { put } from "../../indexing/put.js";
import { storeAt } from "../../indexing/store-at.js";
import { apart, scatter, withValues } from "../../indexing/scatter.js";
import type { AnyArray } from "../../storage/array-ref.js";
import { asDeviceArray, DeviceArray } from "../../array/arrays.js";
import { ArrayMethods } from "../../array/array-methods.js";
import { take, takeAlongAxis, type TakeOptions } from "../../indexing/take.js";
import { addComputations } from "../../array/add-methods.js";

/** Values to store in an array of a dtype. */
export type StoredValues<D extends DTypeName> = AnyArray | FillValue<D> | Nested | TypedArray;

/** Methods that index with arrays. */
class IndexingMethods<D extends DTypeName> extends ArrayMethods<D> {
  /**
   * Returns a copy of the indexed elements, following NumPy's rules: integers, slices as text, `null`, `"..."` and
   * arrays of indices, which are broadcast together. A list is a list of indices, not a slice.
   *
   * A mask, a boolean device array, selects the elements where it is true. Their number determines the shape of the
   * result, so the result is a promise; with `{ size }` it is an array. Until the promise resolves, none of the arrays
   * may be changed.
   *
   * @example
   * ```ts
   * const xp = arrays(queue);
   * const a = xp.array([3, -1, 4, -1, 5]);
   * console.log(await a.at([4, 0]).data()); // Float64Array(2) [5, 3]
   * const positive = await a.at(a.greater(0));
   * console.log(await positive.data()); // Float64Array(3) [3, 4, 5]
   * ```
   */
  at(...indices: readonly ArrayIndex[]): DeviceArray<D>;
  at(...indices: readonly [...(ArrayIndex | MaskArray)[], SizeOptions<D>]): DeviceArray<D>;
  at(...indices: readonly [...(ArrayIndex | MaskArray)[], WaitOptions]): Promise<DeviceArray<D>>;
  at(...indices: readonly (ArrayIndex | MaskArray)[]): Promise<DeviceArray<D>>;
  at(...args: readonly unknown[]): DeviceArray<D> | Promise<DeviceArray<D>> {
    const last = args.at(-1);
    const given = isOptions(last);
    const indices = given ? args.slice(0, -1) : args;
    const options = checkOptions((given ? last : undefined) as SizeOrWaitOptions<D>, ["size", "fill", "signal"]);
    const signal = checkSignal(options.signal);
    if (!indices.some((index) => isMask(index))) return asDeviceArray(readAt(this, indices, new Map()));
    const { size, fill } = options;
    if (size === undefined) return readMasked(this, indices, signal).then(asDeviceArray);
    using read = new MaskedRead(this, indices);
    return asDeviceArray(read.resultOf(fill === undefined ? { size } : { size, fill }));
  }

  /** Reads as {@link at} does; blocks the event loop if a mask has to be counted. */
  atSync(...indices: readonly (ArrayIndex | MaskArray)[]): DeviceArray<D> {
    if (!indices.some((index) => isMask(index))) return asDeviceArray(readAt(this, indices, new Map()));
    return asDeviceArray(readMaskedSync(this, indices));
  }

  /**
   * Stores values, broadcast and converted, at the elements that {@link at} would read: one device index, or a list of
   * indices. If a mask needs one value for each true element and the number of values differs, nothing is stored and
   * the next operation that waits throws.
   */
  setAt(indices: StoredIndices, values: StoredValues<D>): this {
    storeAt(this, indices, values, "scatter");
    return this;
  }

  /** Returns the elements at indices along an axis, or of the flattened array. */
  take(indices: number | HostIndices | IntegerArray, options?: TakeOptions): DeviceArray<D> {
    return asDeviceArray(take(this, indices, options));
  }

  /**
   * Stores values at indices of the flattened array. If there are fewer values than indices, they are repeated; excess
   * values are ignored.
   */
  put(
    indices: number | HostIndices | IntegerArray,
    values: StoredValues<D>,
    options?: { readonly mode?: OutOfRangeMode },
  ): this {
    const { mode } = checkOptions(options, ["mode"]);
    withValues(this, values, false, (given) => {
      apart(this, [indices], ([own]) => {
        using list = indexArray(this, own, this.size, 0, checkMode(mode));
        put(this, list, given);
      });
    });
    return this;
  }

  /**
   * Returns elements by matching one-dimensional index and data slices along an axis; for indices such as those of
   * {@link argsort}.
   */
  takeAlongAxis(indices: HostIndices | IntegerArray, options?: { readonly axis?: number }): DeviceArray<D> {
    return asDeviceArray(takeAlongAxis(this, indices, checkOptions(options, ["axis"]).axis));
  }

  /** Stores values at the elements that {@link takeAlongAxis} would read. */
  putAlongAxis(
    indices: HostIndices | IntegerArray,
    values: StoredValues<D>,
    options?: { readonly axis?: number },
  ): this {
    const axis = checkAxis(checkOptions(options, ["axis"]).axis ?? -1, this.ndim, "options.axis");
    withValues(this, values, false, (given) => {
      apart(this, [indices], ([own]) => {
        using list = indexArray(this, own, this.shape[axis] as number, axis, "raise");
        scatter(this, selectPaired(this, list, axis), given, "scatter");
      });
    });
    return this;
  }
}

declare module "../../array/arrays.js" {
  interface DeviceArray<D extends DTypeName> extends IndexingMethods<D> {}
}
addComputations(DeviceArray, IndexingMethods);

/** Indices are numbers, text, null or arrays. */
export function isOptions(value: unknown): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    !isArray(value) &&
    !Array.isArray(value) &&
    !ArrayBuffer.isView(value)
  );
}
