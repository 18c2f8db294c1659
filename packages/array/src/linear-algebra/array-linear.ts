/** Products of matrices. */
import { checkOptions } from "@cl/base";
import type { AnyArray } from "../array/any-array.js";
import type { OutOptions } from "../array/array-operators.js";
import type { DeviceArray } from "../array/device-array.js";
import type { DiagonalOptions } from "../array/array-axes.js";
import type { SumTypeOptions } from "../array/array-reductions.js";
import type { Summed } from "../reductions/result-types.js";
import { ArrayStatistics } from "../selection/array-statistics.js";
import type { DTypeName } from "../types/dtype-name.js";
import type { Promote } from "../types/promote.js";
import { matmul } from "./matmul.js";

/** Which diagonal is summed up, and in which type. */
export interface TraceOptions<E extends DTypeName> extends DiagonalOptions, SumTypeOptions<E> {
  /** An array of the result's shape, whose type can store the results. New memory if not said. */
  readonly out?: AnyArray | undefined;
}

/** The part of a `DeviceArray` that multiplies as matrices. */
export abstract class ArrayLinear<D extends DTypeName = DTypeName> extends ArrayStatistics<D> {
  /**
   * The product of matrices along the last two axes; axes before are broadcast together. An array of one axis is a row on
   * the left and a column on the right, whose axis the result does not have. Halves are multiplied and added as floats,
   * integers wrap around, and booleans are joined: true where both are true for some.
   *
   * @example
   * ```ts
   * const xp = arrays(queue);
   * const a = xp.arange(6, { dtype: "float32" }).reshape([2, 3]);
   * console.log(await a.matmul(a.T).toNested()); // [ [ 5, 14 ], [ 14, 50 ] ]
   * ```
   */
  matmul<B extends DTypeName>(other: DeviceArray<B>, options?: OutOptions): DeviceArray<Promote<D, B>> {
    return matmul(this as AnyArray, other, options);
  }

  /** The sum of a diagonal: of the first two axes, or of those that are said. */
  trace<E extends DTypeName = Summed<D>>(options?: TraceOptions<E>): DeviceArray<E> {
    const { offset, axis1, axis2, dtype, out } = checkOptions(options, ["out", "offset", "axis1", "axis2", "dtype"]);
    using line = this.diagonal({
      ...(offset === undefined ? {} : { offset }),
      ...(axis1 === undefined ? {} : { axis1 }),
      ...(axis2 === undefined ? {} : { axis2 }),
    });
    return line.sum({ axis: -1, dtype, out });
  }
}
