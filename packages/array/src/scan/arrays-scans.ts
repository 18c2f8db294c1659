/** Differences of neighbours and what adds up. */
import { checkOptions } from "@cl/core/checks";
import type { AnyArray } from "../array/any-array.js";
import { checkArray } from "../array/check-array.js";
import type { DeviceArray } from "../array/device-array.js";
import { ArraysIndexing } from "../indexing/arrays-indexing.js";
import type { DTypeName } from "../types/dtype-name.js";
import type { Divided } from "../types/promote.js";
import { diff, type DiffOptions, ediff1d, type EndsOptions, trapezoid, type TrapezoidOptions } from "./differences.js";

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
  diff<D extends DTypeName>(array: DeviceArray<D>, options?: DiffOptions): DeviceArray<D> {
    const given = checkArray(array, this, "array") as DeviceArray;
    return diff(given, checkOptions(options)) as AnyArray as DeviceArray<D>;
  }

  /** The differences of neighbours of all elements in C order, between values at their ends. */
  ediff1d<D extends DTypeName>(array: DeviceArray<D>, options?: EndsOptions): DeviceArray<D> {
    const given = checkArray(array, this, "array") as DeviceArray;
    return ediff1d(given, checkOptions(options)) as AnyArray as DeviceArray<D>;
  }

  /** The integral along an axis by the trapezoidal rule. Integers are added in their type before they become doubles. */
  trapezoid<D extends DTypeName>(array: DeviceArray<D>, options?: TrapezoidOptions): DeviceArray<Divided<D>> {
    const given = checkArray(array, this, "array") as DeviceArray;
    return trapezoid(given, checkOptions(options)) as AnyArray as DeviceArray<Divided<D>>;
  }
}
