/** Statistics of several variables. */
import { addComputations } from "../../array/add-methods.js";
import { Arrays, asDeviceArray, type DeviceArray } from "../../array/arrays.js";
import {
  correlation,
  type CorrelationOptions,
  covariance,
  type CovarianceOptions,
} from "../../linear-algebra/covariance.js";
import type { DTypeName } from "../../types/dtype-name.js";
import type { QuotientDType } from "../../types/promote.js";

/** Functions of variables, each with observations. */
class StatisticsFunctions {
  /**
   * Returns the covariance matrix of variables, which are the rows of a matrix; of one variable, the variance as an
   * array without axes. Integers are computed in float64; other dtypes are kept, where NumPy always computes in
   * float64.
   *
   * @example
   * ```ts
   * const xp = arrays(queue);
   * const a = xp.array([[1, 2, 3], [6, 4, 2]], { dtype: "float32" });
   * console.log(await xp.cov(a).toNested()); // [ [ 1, -2 ], [ -2, 4 ] ]
   * console.log(await xp.corrcoef(a).toNested()); // [ [ 1, -1 ], [ -1, 1 ] ]
   * ```
   */
  cov<D extends DTypeName, E extends DTypeName = QuotientDType<D>>(
    this: Arrays,
    array: DeviceArray<D>,
    options?: CovarianceOptions<E>,
  ): DeviceArray<E> {
    return asDeviceArray(covariance(this, array, options)) as DeviceArray<E>;
  }

  /** Returns the matrix of Pearson's correlation coefficients of variables, with the dtype of {@link cov}. */
  corrcoef<D extends DTypeName, E extends DTypeName = QuotientDType<D>>(
    this: Arrays,
    array: DeviceArray<D>,
    options?: CorrelationOptions<E>,
  ): DeviceArray<E> {
    return asDeviceArray(correlation(this, array, options)) as DeviceArray<E>;
  }
}

declare module "../../array/arrays.js" {
  interface Arrays extends StatisticsFunctions {}
}
addComputations(Arrays, StatisticsFunctions);
