/** Polynomials. */
import { checkOptions } from "@cl/base";
import { polyfit, polyval, roots } from "../../linear-algebra/polynomials.js";
import { checkArray } from "../../storage/check-array.js";
import type { DTypeName } from "../../types/dtype-name.js";
import type { Promote, QuotientDType } from "../../types/promote.js";
import type { ComplexOf } from "../../types/results.js";
import { Arrays, asDeviceArray, type DeviceArray } from "../../array/arrays.js";
import { addComputations } from "../../array/add-methods.js";

/** Options of `polyfit`. */
export interface PolyfitOptions<D extends DTypeName = DTypeName> {
  /**
   * Weight of each point: the inverse of its standard deviation.
   * @defaultValue 1 for each point
   */
  readonly w?: DeviceArray<D>;
}

/** Functions of polynomials, whose coefficients are in an array, that of the highest power first. */
class PolynomialFunctions {
  /**
   * Returns the coefficients of the polynomial of a degree that fits points best, by least squares. A `y` of two axes has
   * a data set in each column. The powers of `x` must be linearly independent: otherwise reading the result throws a
   * {@link LinAlgError}.
   *
   * @example
   * ```ts
   * const xp = arrays(queue);
   * const x = xp.array([0, 1, 2, 3], { dtype: "float32" });
   * const p = xp.polyfit(x, xp.polyval(xp.array([2, 0, 1], { dtype: "float32" }), x), 2);
   * console.log((await p.data()).map((value) => Math.abs(Math.round(value)))); // Float32Array(3) [2, 0, 1]
   * ```
   */
  polyfit<D extends DTypeName, E extends DTypeName>(
    this: Arrays,
    x: DeviceArray<D>,
    y: DeviceArray<E>,
    degree: number,
    options?: PolyfitOptions<D | E>,
  ): DeviceArray<Promote<QuotientDType<D>, QuotientDType<E>>> {
    const { w } = checkOptions(options, ["w"]);
    if (w !== undefined) checkArray(w, this, "options.w");
    checkArray(x, this, "x");
    checkArray(y, this, "y");
    return asDeviceArray(polyfit(x, y, degree, w));
  }

  /** Returns the values of the polynomial with the coefficients `p` at the elements of `x`, by Horner's scheme. */
  polyval<D extends DTypeName, E extends DTypeName>(
    this: Arrays,
    p: DeviceArray<D>,
    x: DeviceArray<E>,
  ): DeviceArray<Promote<D, E>> {
    return polyval(checkArray(p, this, "p"), checkArray(x, this, "x")) as DeviceArray<Promote<D, E>>;
  }

  /**
   * Returns the roots of the polynomial with the coefficients `p`, in no particular order. They are complex, also if all
   * roots are real. Their number depends on how many of the first coefficients are 0, so the result is a promise.
   *
   * @example
   * ```ts
   * const xp = arrays(queue);
   * const roots = await xp.roots(xp.array([1, 0, 4], { dtype: "float32" }));
   * console.log((await roots.imag.sort().data()).map(Math.round)); // Float32Array(2) [-2, 2]
   * ```
   */
  async roots<D extends DTypeName>(this: Arrays, p: DeviceArray<D>): Promise<DeviceArray<ComplexOf<QuotientDType<D>>>> {
    checkArray(p, this, "p");
    return asDeviceArray(await roots(p));
  }
}

declare module "../../array/arrays.js" {
  interface Arrays extends PolynomialFunctions {}
}
addComputations(Arrays, PolynomialFunctions);
