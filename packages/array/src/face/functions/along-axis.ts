/** Functions of the user, applied along an axis. */
import { addMethods } from "../../array/add-methods.js";
import { Arrays, asDeviceArray, type DeviceArray } from "../../array/arrays.js";
import { applyAlongAxis } from "../../creation/apply-along-axis.js";
import type { DTypeName } from "../../types/dtype-name.js";

/** Functions that call a function of lines. */
class AlongAxisFunctions {
  /**
   * Returns the results of a function of one-dimensional arrays, called for each line along an axis. All results must
   * have the same shape; their axes replace the axis. Arrays that the function creates are released. Each line is a
   * separate call with separate kernels, so a function with an `axis` is faster for many lines.
   *
   * @example
   * ```ts
   * const xp = arrays(queue);
   * const a = xp.array([[3, 1, 2], [9, 7, 8]], { dtype: "float32" });
   * const range = xp.applyAlongAxis((line) => line.max().sub(line.min()), 1, a);
   * console.log(await range.toNested()); // [ 2, 2 ]
   * ```
   */
  applyAlongAxis<D extends DTypeName, E extends DTypeName>(
    this: Arrays,
    fn: (line: DeviceArray<D>) => DeviceArray<E>,
    axis: number,
    array: DeviceArray<D>,
  ): DeviceArray<E> {
    return asDeviceArray(applyAlongAxis(this, fn, axis, array)) as DeviceArray<E>;
  }
}

declare module "../../array/arrays.js" {
  interface Arrays extends AlongAxisFunctions {}
}
addMethods(Arrays, AlongAxisFunctions);
