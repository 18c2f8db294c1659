/** The special functions of `xp.special`. Most are generated from the tables in expression/special-operators.ts. */
import { checkOptions } from "@cl/base";
import { deferMethods } from "../array/add-methods.js";
import { asDeviceArray, type DeviceArray } from "../array/arrays.js";
import { applyToAny } from "../creation/operand-lists.js";
import { apply } from "../elementwise/elementwise.js";
import { computeSeveral } from "../elementwise/elementwise-several.js";
import { operation } from "../expression/build.js";
import type { OperatorName } from "../expression/operators.js";
import { type SpecialName, specialOfOne, specialOfThree, specialOfTwo } from "../expression/special-operators.js";
import { logSumExp, softmax, type SoftmaxOptions } from "../special/log-sum.js";
import type { TypedDType } from "../types/dtype-name.js";
import type { QuotientDType } from "../types/promote.js";
import type { ResultOf, ResultOfThree, Results } from "../types/results.js";
import type { AnyArray } from "../storage/array-ref.js";
import type { OperandOrList, OutOptions } from "../storage/operand-like.js";
import type { ReduceOptions } from "../expression/passes.js";

type ElementsOf<X> = X extends { readonly dtype: TypedDType<infer D> } ? D : never;
type Real<X> = DeviceArray<QuotientDType<ElementsOf<X>>>;

/** Where a function with two results stores them. */
export interface OutTwoOptions {
  /**
   * Existing arrays to store the results in; their shapes must be the results' and their dtypes must be able to hold
   * the values. `undefined` allocates a new array.
   * @defaultValue two new arrays
   */
  readonly out?: readonly [AnyArray | undefined, AnyArray | undefined];
}

/** Where a function with four results stores them. */
export interface OutFourOptions {
  /**
   * Existing arrays to store the results in; their shapes must be the results' and their dtypes must be able to hold
   * the values. `undefined` allocates a new array.
   * @defaultValue four new arrays
   */
  readonly out?: readonly [AnyArray | undefined, AnyArray | undefined, AnyArray | undefined, AnyArray | undefined];
}

/** Functions of one argument. */
export type SpecialOfOne = {
  [K in keyof typeof specialOfOne]: <X extends AnyArray>(
    x: X,
    options?: OutOptions,
  ) => DeviceArray<Results<ElementsOf<X>>[(typeof specialOfOne)[K]]>;
};

/** Functions of two arguments, at least one of which is an array. */
export type SpecialOfTwo = {
  [K in keyof typeof specialOfTwo]: <const X extends OperandOrList, const Y extends OperandOrList>(
    x: X,
    y: Y,
    options?: OutOptions,
  ) => DeviceArray<ResultOf<(typeof specialOfTwo)[K], X, Y>>;
};

/** Functions of three arguments, at least one of which is an array. */
export type SpecialOfThree = {
  [K in keyof typeof specialOfThree]: <
    const X extends OperandOrList,
    const Y extends OperandOrList,
    const Z extends OperandOrList,
  >(
    x: X,
    y: Y,
    z: Z,
    options?: OutOptions,
  ) => DeviceArray<ResultOfThree<(typeof specialOfThree)[K], X, Y, Z>>;
};

/**
 * Special functions, available as `xp.special`. They are element-wise; arguments are broadcast, and integers become
 * float64.
 *
 * @example
 * ```ts
 * const xp = arrays(queue);
 * const x = xp.array([0, 0.5, 1], { dtype: "float32" });
 * console.log(await xp.special.erf(x).format({ precision: 4 })); // [0.     0.5205 0.8427]
 * ```
 */
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- the functions are made of the tables, below
export interface SpecialFunctions extends SpecialOfOne, SpecialOfTwo, SpecialOfThree {}
export class SpecialFunctions {
  /**
   * Returns the Hurwitz zeta function: the sum of `(q + k) ** -s` over all k ≥ 0. For q = 1 it is the Riemann zeta
   * function.
   */
  zeta<const X extends OperandOrList, const Y extends OperandOrList = 1>(
    s: X,
    q?: Y,
    options?: OutOptions,
  ): DeviceArray<ResultOf<"special", X, Y>> {
    return asDeviceArray(applyToAny(undefined, "zeta", [s, q ?? 1], options, ["s", "q"]));
  }

  /** Returns the Airy functions and their derivatives: `[Ai, Ai', Bi, Bi']`. */
  airy<X extends AnyArray>(x: X, options?: OutFourOptions): [ai: Real<X>, aip: Real<X>, bi: Real<X>, bip: Real<X>] {
    return several("airy", ["airyAi", "airyAip", "airyBi", "airyBip"], x, checkOptions(options, ["out"]).out) as never;
  }

  /**
   * Returns the logarithm of the sum of exponentials over all or the given axes, without intermediate overflow.
   *
   * @example
   * ```ts
   * const xp = arrays(queue);
   * const scores = xp.array([[1000, 1000]], { dtype: "float32" });
   * console.log(await xp.special.logsumexp(scores).format({ precision: 2 })); // 1000.69
   * console.log(await xp.special.softmax(scores, { axis: -1 }).toNested()); // [ [ 0.5, 0.5 ] ]
   * ```
   */
  logsumexp<X extends AnyArray>(x: X, options?: ReduceOptions): Real<X> {
    return logSumExp(x, options) as Real<X>;
  }

  /** Returns the exponentials divided by their sum over all or the given axes. */
  softmax<X extends AnyArray>(x: X, options?: SoftmaxOptions): Real<X> {
    return softmax("softmax", x, options) as Real<X>;
  }

  /** Returns the logarithm of {@link softmax}. */
  logSoftmax<X extends AnyArray>(x: X, options?: SoftmaxOptions): Real<X> {
    return softmax("logSoftmax", x, options) as Real<X>;
  }

  /** Returns the sine and cosine integrals: `[Si, Ci]`. */
  sici<X extends AnyArray>(x: X, options?: OutTwoOptions): [si: Real<X>, ci: Real<X>] {
    return several("sici", ["sineIntegral", "cosineIntegral"], x, checkOptions(options, ["out"]).out) as never;
  }
}

/** The results of several functions of the same numbers, by one kernel. */
function several(
  name: string,
  operators: readonly SpecialName[],
  x: AnyArray,
  out: readonly (AnyArray | undefined)[] | undefined,
): AnyArray[] {
  return computeSeveral(name, [x], out, ["x"], (terms, scalars) =>
    operators.map((operator) => operation(operator, terms, scalars, ["x"])),
  );
}

function define(name: OperatorName, value: (...args: never[]) => unknown): void {
  Object.defineProperty(value, "name", { value: name });
  Object.defineProperty(SpecialFunctions.prototype, name, { value, configurable: true, writable: true });
}
for (const operator of Object.keys(specialOfOne) as (keyof typeof specialOfOne)[]) {
  define(operator, (x: AnyArray, options?: OutOptions) => apply(operator, [x], options, ["x"]));
}
for (const operator of Object.keys(specialOfTwo) as (keyof typeof specialOfTwo)[]) {
  define(operator, (x: OperandOrList, y: OperandOrList, options?: OutOptions) =>
    applyToAny(undefined, operator, [x, y], options, ["x", "y"]),
  );
}
for (const operator of Object.keys(specialOfThree) as (keyof typeof specialOfThree)[]) {
  define(operator, (x: OperandOrList, y: OperandOrList, z: OperandOrList, options?: OutOptions) =>
    applyToAny(undefined, operator, [x, y, z], options, ["x", "y", "z"]),
  );
}
deferMethods(SpecialFunctions);
