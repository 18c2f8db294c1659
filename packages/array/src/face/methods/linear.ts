/** Matrix products as methods. */
import { checkOptions } from "@cl/base";
import type { SumDType } from "../../reductions/result-types.js";
import type { DTypeName } from "../../types/dtype-name.js";
import type { Promote } from "../../types/promote.js";
import { matmul } from "../../linear-algebra/matmul.js";
import type { AnyArray, DiagonalOptions } from "../../storage/array-ref.js";
import type { OutOptions } from "../../storage/operand-like.js";
import { asDeviceArray, DeviceArray } from "../../array/arrays.js";
import { ArrayMethods } from "../../array/array-methods.js";
import { type SumDTypeOptions, sum } from "../../reductions/reduce.js";
import { addComputations } from "../../array/add-methods.js";

/** Options of `trace`. */
export interface TraceOptions<E extends DTypeName> extends DiagonalOptions, SumDTypeOptions<E> {
  /**
   * An existing array to store the result in. Its shape must be the result's and its dtype must be able to hold the
   * values.
   * @defaultValue a new array
   */
  readonly out?: AnyArray | undefined;
}

/** Methods for matrix products. */
class LinearMethods<D extends DTypeName> extends ArrayMethods<D> {
  /**
   * Returns the matrix product over the last two axes; preceding axes are broadcast. An array of one axis is a row on
   * the left and a column on the right, and that axis is removed from the result. float16 is computed in float32,
   * integers wrap around, and booleans are combined by AND and OR.
   *
   * @example
   * ```ts
   * const xp = arrays(queue);
   * const a = xp.arange(6, { dtype: "float32" }).reshape([2, 3]);
   * console.log(await a.matmul(a.T).toNested()); // [ [ 5, 14 ], [ 14, 50 ] ]
   * ```
   */
  matmul<B extends DTypeName>(other: DeviceArray<B>, options?: OutOptions): DeviceArray<Promote<D, B>> {
    return asDeviceArray(matmul(this as AnyArray, other, options));
  }

  /** Returns the sum along a diagonal: of the first two axes, or of the given ones. */
  trace<E extends DTypeName = SumDType<D>>(options?: TraceOptions<E>): DeviceArray<E> {
    const { offset, axis1, axis2, dtype, out } = checkOptions(options, ["out", "offset", "axis1", "axis2", "dtype"]);
    using line = this.diagonal({
      ...(offset === undefined ? {} : { offset }),
      ...(axis1 === undefined ? {} : { axis1 }),
      ...(axis2 === undefined ? {} : { axis2 }),
    });
    return asDeviceArray(sum(line, { axis: -1, dtype, out }));
  }
}

declare module "../../array/arrays.js" {
  interface DeviceArray<D extends DTypeName> extends LinearMethods<D> {}
}
addComputations(DeviceArray, LinearMethods);
