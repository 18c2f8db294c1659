/** Differences of neighbours and what adds up. */
import { checkOptions } from "@cl/base";
import type { AnyArray } from "../array/any-array.js";
import { checkArray } from "../array/check-array.js";
import type { DeviceArray } from "../array/device-array.js";
import { ArraysIndexing } from "../indexing/arrays-indexing.js";
import type { DTypeName } from "../types/dtype-name.js";
import type { Divided } from "../types/promote.js";
import { gradient, type GradientOptions } from "./gradient.js";
import { diff, type DiffOptions, ediff1d, type EndsOptions, trapezoid, type TrapezoidOptions } from "./differences.js";

/** The type of differences: uint8, uint16 and uint32 become int64 where a number is at an end. */
export type DiffType<D extends DTypeName, O> = D extends "uint8" | "uint16" | "uint32"
  ? O extends { readonly prepend: number | bigint } | { readonly append: number | bigint }
    ? "int64"
    : D
  : D;

/** The part of `Arrays` that runs along axes. */
export abstract class ArraysScans extends ArraysIndexing {
  /**
   * The differences of neighbours along an axis, each element less the one before it; of booleans, whether they differ.
   *
   * @example
   * ```ts
   * const xp = arrays(queue);
   * const a = xp.array([1, 4, 9, 16], { dtype: "int32" });
   * console.log(await xp.diff(a).toNested()); // [ 3, 5, 7 ]
   * console.log(await xp.diff(a, { prepend: 0 }).toNested()); // [ 1, 3, 5, 7 ]
   * ```
   */
  diff<D extends DTypeName, const O extends DiffOptions = object>(
    array: DeviceArray<D>,
    options?: O,
  ): DeviceArray<DiffType<D, O>> {
    const given = checkArray(array, this, "array") as DeviceArray;
    const checked: DiffOptions = checkOptions(options as DiffOptions, ["n", "axis", "prepend", "append"]);
    return diff(given, checked) as AnyArray as DeviceArray<DiffType<D, O>>;
  }

  /** The differences of neighbours of all elements in C order, between values at their ends. */
  ediff1d<D extends DTypeName>(array: DeviceArray<D>, options?: EndsOptions): DeviceArray<D> {
    const given = checkArray(array, this, "array") as DeviceArray;
    return ediff1d(given, checkOptions(options, ["toBegin", "toEnd"])) as AnyArray as DeviceArray<D>;
  }

  /**
   * The derivatives along all axes, or some, as a list; along one `axis` the array alone. Inside from both neighbours, which is
   * exact for squares, also where they are not evenly spaced.
   *
   * @example
   * ```ts
   * const xp = arrays(queue);
   * const a = xp.array([1, 4, 9, 16], { dtype: "float32" });
   * console.log(await xp.gradient(a, { axis: 0 }).toNested()); // [ 3, 4, 6, 7 ]
   * console.log(await xp.gradient(a, { axis: 0, edgeOrder: 2, spacing: 0.5 }).toNested()); // [ 4, 8, 12, 16 ]
   * const [rows, columns] = xp.gradient(a.reshape([2, 2]));
   * console.log(await rows?.toNested(), await columns?.toNested()); // [ [ 8, 12 ], [ 8, 12 ] ] [ [ 3, 3 ], [ 7, 7 ] ]
   * ```
   */
  gradient<D extends DTypeName>(
    array: DeviceArray<D>,
    options: GradientOptions & { readonly axis: number },
  ): DeviceArray<Divided<D>>;
  gradient<D extends DTypeName>(array: DeviceArray<D>, options?: GradientOptions): DeviceArray<Divided<D>>[];
  gradient(array: DeviceArray, options?: GradientOptions): unknown {
    return gradient(
      checkArray(array, this, "array") as DeviceArray,
      checkOptions(options, ["spacing", "axis", "edgeOrder"]),
    );
  }

  /** The integral along an axis by the trapezoidal rule. Integers are added in their type before they become doubles. */
  trapezoid<D extends DTypeName>(array: DeviceArray<D>, options?: TrapezoidOptions): DeviceArray<Divided<D>> {
    const given = checkArray(array, this, "array") as DeviceArray;
    return trapezoid(given, checkOptions(options, ["x", "dx", "axis"])) as AnyArray as DeviceArray<Divided<D>>;
  }
}
