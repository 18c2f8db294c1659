/** Cumulative sums, products, minima and maxima. */
import type { SumDType } from "../../reductions/result-types.js";
import * as scans from "../../scan/cumulate.js";
import type { CumulativeOptions } from "../../scan/cumulate.js";
import type { DTypeName } from "../../types/dtype-name.js";
import { ArrayMethods } from "../../array/array-methods.js";
import { asDeviceArray, DeviceArray } from "../../array/arrays.js";
import type { ScanOptions } from "../../expression/passes.js";
import { addComputations } from "../../array/add-methods.js";

/** Methods for cumulative operations. */
class ScanMethods<D extends DTypeName> extends ArrayMethods<D> {
  /**
   * Returns the cumulative sum along an axis, or of the flattened array. Dtypes are those of `sum`; floats are summed
   * in blocks, which keeps rounding errors small.
   *
   * @example
   * ```ts
   * const xp = arrays(queue);
   * const a = xp.array([1, 2, 3, 4, 5], { dtype: "float32" });
   * console.log(await a.cumsum().toNested()); // [ 1, 3, 6, 10, 15 ]
   * console.log(await a.cumsum({ exclusive: true }).toNested()); // [ 0, 1, 3, 6, 10 ]
   * const starts = xp.array([false, false, true, false, false]);
   * console.log(await a.cumsum({ starts }).toNested()); // [ 1, 3, 3, 7, 12 ]
   * ```
   */
  cumsum<E extends DTypeName = SumDType<D>>(options?: CumulativeOptions<E>): DeviceArray<E> {
    return asDeviceArray(scans.cumsum(this, options));
  }

  /** Returns the cumulative product. Dtypes are those of `prod`. */
  cumprod<E extends DTypeName = SumDType<D>>(options?: CumulativeOptions<E>): DeviceArray<E> {
    return asDeviceArray(scans.cumprod(this, options));
  }

  /**
   * Returns the cumulative maximum; NaN from the first NaN on. With `exclusive`, the first result is the lowest value
   * of the dtype.
   */
  cummax(options?: ScanOptions): DeviceArray<D> {
    return asDeviceArray(scans.cummax(this, options));
  }

  /**
   * Returns the cumulative minimum; NaN from the first NaN on. With `exclusive`, the first result is the highest value
   * of the dtype.
   */
  cummin(options?: ScanOptions): DeviceArray<D> {
    return asDeviceArray(scans.cummin(this, options));
  }

  /** Returns the {@link cumsum}, with NaN counted as 0. */
  nancumsum<E extends DTypeName = SumDType<D>>(options?: CumulativeOptions<E>): DeviceArray<E> {
    return asDeviceArray(scans.nancumsum(this, options));
  }

  /** Returns the {@link cumprod}, with NaN counted as 1. */
  nancumprod<E extends DTypeName = SumDType<D>>(options?: CumulativeOptions<E>): DeviceArray<E> {
    return asDeviceArray(scans.nancumprod(this, options));
  }
}

declare module "../../array/arrays.js" {
  interface DeviceArray<D extends DTypeName> extends ScanMethods<D> {}
}
addComputations(DeviceArray, ScanMethods);
