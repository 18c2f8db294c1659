/** Sorting by several keys, and of values by keys. */
import { checkBoolean, checkInteger, checkList, checkOptions, outOfRange, rangeError, wrongType } from "@cl/base";
import { axisBack, axisLast } from "../../shapes/axis-last.js";
import { checkArray, isArray } from "../../storage/check-array.js";
import { checkAxis } from "../../shapes/check-axes.js";
import { withViews } from "../../storage/filled.js";
import type { DTypeName } from "../../types/dtype-name.js";
import { kindOf } from "../../types/promote.js";
import { lexsortLines } from "../../sorting/lexsort.js";
import { listsByKey } from "../../sorting/lists-by-key.js";
import { sortPairs } from "../../sorting/sort-pairs.js";
import type { AnyArray } from "../../storage/array-ref.js";
import { Arrays, asDeviceArray, type DeviceArray } from "../../array/arrays.js";
import { addComputations } from "../../array/add-methods.js";

/** Options of `sortByKey`. */
export interface SortByKeyOptions {
  /**
   * The axis to sort along.
   * @defaultValue the last
   */
  readonly axis?: number | undefined;
  /**
   * If true, sorts by descending keys.
   * @defaultValue false
   */
  readonly descending?: boolean | undefined;
}

/** Options of `listsByKey`. */
export interface ListsByKeyOptions<S extends "int32" | "int64"> {
  /**
   * Dtype of the list starts.
   * @defaultValue "int32"
   */
  readonly dtype?: S | undefined;
}

/** Values grouped by key. */
export interface KeyLists<V extends DTypeName, S extends "int32" | "int64"> {
  /** Start index of each key's list, followed by the end of the last. */
  readonly starts: DeviceArray<S>;
  /** All values, ordered by key. */
  readonly lists: DeviceArray<V>;
}

/** Functions that sort. */
class SortingFunctions {
  /**
   * Returns the indices along an axis that sort by several keys: by the last key first, ties by the one before, and so
   * on, as NumPy does. The keys are arrays of one shape, or a single array with the keys along its first axis.
   *
   * @example
   * ```ts
   * const xp = arrays(queue);
   * const name = xp.array([2, 1, 3, 1], { dtype: "int32" });
   * const group = xp.array([1, 1, 0, 0], { dtype: "int32" });
   * console.log(await xp.lexsort([name, group]).data()); // BigInt64Array(4) [ 3n, 2n, 1n, 0n ]
   * ```
   */
  lexsort(
    this: Arrays,
    keys: AnyArray | readonly AnyArray[],
    options?: { readonly axis?: number | undefined },
  ): DeviceArray<"int64"> {
    const { axis } = checkOptions(options, ["axis"]);
    const isOne = isArray(keys);
    const list = isOne ? rowsOf(checkArray(keys, this, "keys")) : checkKeys(keys, this);
    const made = isOne ? list : [];
    return asDeviceArray(
      withViews(made, () => {
        const [first] = list as [AnyArray];
        const along = checkAxis(axis ?? -1, first.ndim, "options.axis");
        const lines = list.map((one) => axisLast(one as DeviceArray, along));
        return withViews(lines, () => axisBack(lexsortLines(lines as AnyArray[] as [AnyArray]), along));
      }),
    );
  }

  /**
   * Sorts keys along an axis, and values of the same shape in the order of their keys. The sort is stable.
   *
   * @example
   * ```ts
   * const xp = arrays(queue);
   * const mass = xp.array([3, 1, 2], { dtype: "float32" });
   * const name = xp.array([30, 10, 20], { dtype: "int32" });
   * const { keys, values } = xp.sortByKey(mass, name);
   * console.log(await keys.data()); // Float32Array(3) [ 1, 2, 3 ]
   * console.log(await values.data()); // Int32Array(3) [ 10, 20, 30 ]
   * ```
   */
  sortByKey<K extends DTypeName, V extends DTypeName>(
    this: Arrays,
    keys: DeviceArray<K>,
    values: DeviceArray<V>,
    options?: SortByKeyOptions,
  ): { readonly keys: DeviceArray<K>; readonly values: DeviceArray<V> };
  sortByKey<K extends DTypeName, const V extends readonly AnyArray[]>(
    this: Arrays,
    keys: DeviceArray<K>,
    values: V,
    options?: SortByKeyOptions,
  ): { readonly keys: DeviceArray<K>; readonly values: { -readonly [I in keyof V]: V[I] } };
  sortByKey(
    this: Arrays,
    keys: DeviceArray,
    values: unknown,
    options?: SortByKeyOptions,
  ): { readonly keys: unknown; readonly values: unknown } {
    const { axis, descending } = checkOptions(options, ["axis", "descending"]);
    const down = checkBoolean(descending, "options.descending", false);
    checkArray(keys, this, "keys");
    const isOne = isArray(values);
    const list = isOne
      ? [checkArray(values, this, "values")]
      : checkList(values, "values", "an array or a list of arrays").map((one, k) =>
          checkArray(one, this, `values[${k}]`),
        );
    for (const [k, one] of list.entries()) checkShape(one, keys, isOne ? "values" : `values[${k}]`, "keys");
    const along = checkAxis(axis ?? -1, keys.ndim, "options.axis");
    const lines = [keys, ...list].map((one) => axisLast(one as DeviceArray, along));
    const sorted = withViews(lines, ([own, ...others]) =>
      sortPairs(own as DeviceArray, others, { descending: down, keepKeys: true }),
    );
    const back = (one: AnyArray): AnyArray => axisBack(one as DeviceArray, along);
    const all = sorted.values.map((one) => back(one));
    return { keys: back(sorted.keys as AnyArray), values: isOne ? all[0] : all };
  }

  /**
   * Groups values by small integer keys: the list of key `k` is `lists[starts[k]]` up to, not including,
   * `lists[starts[k + 1]]`, in the original order. Keys are in [0, count); values of other keys belong to no list, but
   * are in the array of all.
   *
   * @example
   * ```ts
   * const xp = arrays(queue);
   * const cell = xp.array([2, 0, 2, 0], { dtype: "int32" });
   * const { starts, lists } = xp.listsByKey(cell, xp.arange(4, { dtype: "int32" }), 3);
   * console.log(await starts.data()); // Int32Array(4) [ 0, 2, 2, 4 ]
   * console.log(await lists.data()); // Int32Array(4) [ 1, 3, 0, 2 ]
   * ```
   */
  listsByKey<V extends DTypeName, S extends "int32" | "int64" = "int32">(
    this: Arrays,
    keys: AnyArray,
    values: DeviceArray<V>,
    count: number,
    options?: ListsByKeyOptions<S>,
  ): KeyLists<V, S> {
    const { dtype = "int32" } = checkOptions(options, ["dtype"]);
    checkArray(keys, this, "keys");
    checkArray(values, this, "values");
    if (dtype !== "int32" && dtype !== "int64") throw rangeError("options.dtype", '"int32" or "int64"', dtype);
    const kind = kindOf(keys.dtype.name);
    if (kind !== 1 && kind !== 2) throw wrongType(`keys must be integers, received ${keys.dtype.name}`);
    if (keys.ndim !== 1) throw outOfRange(`keys must have one axis, received shape [${keys.shape.join()}]`);
    checkShape(values, keys, "values", "keys");
    checkInteger(count, "count", 0, 2 ** 31 - 2);
    return listsByKey(keys, values, count, dtype) as KeyLists<V, S>;
  }
}

declare module "../../array/arrays.js" {
  interface Arrays extends SortingFunctions {}
}
addComputations(Arrays, SortingFunctions);

/** The keys along the first axis. */
function rowsOf(keys: AnyArray): readonly AnyArray[] {
  if (keys.ndim > 1 && (keys.shape[0] as number) > 0) {
    return Array.from({ length: keys.shape[0] as number }, (_, k) => keys.slice(k));
  }
  throw outOfRange(`keys must have the keys along its first axis, received shape [${keys.shape.join()}]`);
}

function checkKeys(value: unknown, xp: Arrays): readonly AnyArray[] {
  const list = checkList(value, "keys", "a list of arrays, or one with the keys along its first axis");
  const keys = list.map((one, k) => checkArray(one, xp, `keys[${k}]`));
  const [first] = keys;
  if (first === undefined) throw outOfRange("keys must have at least one array");
  for (const [k, one] of keys.entries()) checkShape(one, first, `keys[${k}]`, "keys[0]");
  return keys;
}

function checkShape(one: AnyArray, other: AnyArray, name: string, otherName: string): void {
  if (String(one.shape) === String(other.shape) && one.ndim === other.ndim) return;
  throw outOfRange(
    `${name} must have the shape [${other.shape.join()}] of ${otherName}, received [${one.shape.join()}]`,
  );
}
