/** Differences of adjacent elements, derivatives and integrals. */
import { checkOptions } from "@cl/base";
import { checkArray } from "../../storage/check-array.js";
import type { DTypeName } from "../../types/dtype-name.js";
import type { QuotientDType } from "../../types/promote.js";
import { gradient, type GradientOptions } from "../../scan/gradient.js";
import {
  diff,
  type DiffOptions,
  ediff1d,
  type Ediff1dOptions,
  trapezoid,
  type TrapezoidOptions,
} from "../../scan/differences.js";
import { unwrap, type UnwrapOptions } from "../../scan/unwrap.js";
import type { DeviceArray } from "../../array/arrays.js";
import { Arrays } from "../../array/arrays.js";
import { addComputations } from "../../array/add-methods.js";

/** Dtype of differences: uint8, uint16 and uint32 become int64 if `prepend` or `append` is a number. */
export type DiffType<D extends DTypeName, O> = D extends "uint8" | "uint16" | "uint32"
  ? O extends { readonly prepend: number | bigint } | { readonly append: number | bigint }
    ? "int64"
    : D
  : D;

/** Differences, derivatives and integrals. */
class ScanFunctions {
  /**
   * Returns the differences of adjacent elements along an axis, `a[i + 1] - a[i]`; for booleans, whether they differ.
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
    this: Arrays,
    array: DeviceArray<D>,
    options?: O,
  ): DeviceArray<DiffType<D, O>> {
    const given = checkArray(array, this, "array") as DeviceArray;
    const checked: DiffOptions = checkOptions(options as DiffOptions, ["n", "axis", "prepend", "append"]);
    return diff(given, checked) as DeviceArray<DiffType<D, O>>;
  }

  /** Returns the differences of adjacent elements of the flattened array, with optional values at both ends. */
  ediff1d<D extends DTypeName>(this: Arrays, array: DeviceArray<D>, options?: Ediff1dOptions): DeviceArray<D> {
    const given = checkArray(array, this, "array") as DeviceArray;
    return ediff1d(given, checkOptions(options, ["toBegin", "toEnd"])) as DeviceArray<D>;
  }

  /**
   * Returns the derivatives along all or the given axes as a list, or, for a single `axis`, as an array. Interior
   * points use central differences of second order, also for uneven spacing.
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
    this: Arrays,
    array: DeviceArray<D>,
    options: GradientOptions & { readonly axis: number },
  ): DeviceArray<QuotientDType<D>>;
  gradient<D extends DTypeName>(
    this: Arrays,
    array: DeviceArray<D>,
    options?: GradientOptions,
  ): DeviceArray<QuotientDType<D>>[];
  gradient(this: Arrays, array: DeviceArray, options?: GradientOptions): unknown {
    return gradient(checkArray(array, this, "array"), checkOptions(options, ["spacing", "axis", "edgeOrder"]));
  }

  /**
   * Returns the array with multiples of a period, 2π by default, added along an axis, so that adjacent elements differ
   * by at most half a period.
   *
   * @example
   * ```ts
   * const xp = arrays(queue);
   * const hours = xp.array([21, 23, 1, 3], { dtype: "int32" });
   * console.log(await xp.unwrap(hours, { period: 24 }).data()); // Int32Array(4) [21, 23, 25, 27]
   * ```
   */
  unwrap<D extends DTypeName>(
    this: Arrays,
    array: DeviceArray<D>,
    options?: UnwrapOptions,
  ): DeviceArray<D | QuotientDType<D>> {
    const given = checkArray(array, this, "array") as DeviceArray;
    return unwrap(given, checkOptions(options, ["discont", "axis", "period"])) as DeviceArray<D>;
  }

  /**
   * Returns the integral along an axis by the trapezoidal rule. Adjacent integers are added in their dtype, and then
   * converted to float64.
   */
  trapezoid<D extends DTypeName>(
    this: Arrays,
    array: DeviceArray<D>,
    options?: TrapezoidOptions,
  ): DeviceArray<QuotientDType<D>> {
    const given = checkArray(array, this, "array") as DeviceArray;
    return trapezoid(given, checkOptions(options, ["x", "dx", "axis"])) as DeviceArray<QuotientDType<D>>;
  }
}

declare module "../../array/arrays.js" {
  interface Arrays extends ScanFunctions {}
}
addComputations(Arrays, ScanFunctions);
