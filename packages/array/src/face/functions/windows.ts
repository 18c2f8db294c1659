/** Window functions for signals. */
import { addComputations } from "../../array/add-methods.js";
import { Arrays, asDeviceArray, type DeviceArray } from "../../array/arrays.js";
import { bartlett, blackman, hamming, hanning, kaiser, window, type WindowDType } from "../../creation/windows.js";
import type { DTypeOptions } from "../../storage/array-ref.js";

/** Functions that make windows of `count` points. */
class WindowFunctions {
  /** Returns the Hann window, a raised cosine that is 0 at both ends. */
  hanning<D extends WindowDType = "float64">(this: Arrays, count: number, options?: DTypeOptions<D>): DeviceArray<D> {
    return asDeviceArray(window(this, count, hanning, options));
  }

  /**
   * Returns the Hamming window, a raised cosine that is 0.08 at both ends.
   *
   * @example
   * ```ts
   * const xp = arrays(queue);
   * const window = xp.hamming(5, { dtype: "float32" });
   * console.log(await window.format({ precision: 2 })); // [0.08 0.54 1.   0.54 0.08]
   * ```
   */
  hamming<D extends WindowDType = "float64">(this: Arrays, count: number, options?: DTypeOptions<D>): DeviceArray<D> {
    return asDeviceArray(window(this, count, hamming, options));
  }

  /** Returns the Blackman window, a sum of three cosine terms. */
  blackman<D extends WindowDType = "float64">(this: Arrays, count: number, options?: DTypeOptions<D>): DeviceArray<D> {
    return asDeviceArray(window(this, count, blackman, options));
  }

  /** Returns the Bartlett window, a triangle that is 0 at both ends. */
  bartlett<D extends WindowDType = "float64">(this: Arrays, count: number, options?: DTypeOptions<D>): DeviceArray<D> {
    return asDeviceArray(window(this, count, bartlett, options));
  }

  /** Returns the Kaiser window. A larger `beta` makes it narrower; 0 makes all points 1. */
  kaiser<D extends WindowDType = "float64">(
    this: Arrays,
    count: number,
    beta: number,
    options?: DTypeOptions<D>,
  ): DeviceArray<D> {
    return asDeviceArray(window(this, count, kaiser(beta), options));
  }
}

declare module "../../array/arrays.js" {
  interface Arrays extends WindowFunctions {}
}
addComputations(Arrays, WindowFunctions);
