/** The operators as functions: `xp.subtract(1, a)`. They are generated from the tables in expression/operators.ts. */
import { checkInstance, checkOptions, typeError } from "@cl/base";
import { operation, type Term, termOf } from "../../expression/build.js";
import type { Expression } from "../../expression/expression.js";
import {
  type binary,
  type binaryAliases,
  type BinaryName,
  binaryNames,
  type OperatorName,
  type unary,
  type unaryAliases,
  type UnaryName,
  unaryNames,
} from "../../expression/operators.js";
import type { IndexArrays } from "../../array/index-arrays.js";
import type { TypedDType } from "../../types/dtype-name.js";
import { kindOf, realOf } from "../../types/promote.js";
import type { Chosen, ResultOf, ResultOfThree, Results } from "../../types/results.js";
import { apply, compute } from "../../elementwise/elementwise.js";
import { computeSeveral } from "../../elementwise/elementwise-several.js";
import type { AnyArray } from "../../storage/array-ref.js";
import type { OperandLike, OutOptions } from "../../storage/operand-like.js";
import { Arrays, asDeviceArray, DeviceArray } from "../../array/arrays.js";
import { addMethods } from "../../array/add-methods.js";

/** Where an operation with two results stores them. */
export interface OutPairOptions {
  /**
   * Existing arrays to store the results in; their shapes must be the results' and their dtypes must be able to hold
   * the values. `undefined` allocates a new array.
   * @defaultValue two new arrays
   */
  readonly out?: readonly [AnyArray | undefined, AnyArray | undefined];
}

/** Replacements of NaN and infinities. */
export interface NanToNumOptions extends OutOptions {
  /**
   * Replacement of NaN.
   * @defaultValue 0
   */
  readonly nan?: number;
  /**
   * Replacement of positive infinity.
   * @defaultValue the largest finite number of the dtype
   */
  readonly posinf?: number;
  /**
   * Replacement of negative infinity.
   * @defaultValue the lowest finite number of the dtype
   */
  readonly neginf?: number;
}

type ElementsOf<X> = X extends { readonly dtype: TypedDType<infer D> } ? D : never;

type UnaryFunction<N extends UnaryName> = <X extends AnyArray>(
  x: X,
  options?: OutOptions,
) => DeviceArray<Results<ElementsOf<X>>[(typeof unary)[N]]>;
type BinaryFunction<N extends BinaryName> = <const X extends OperandLike, const Y extends OperandLike>(
  x: X,
  y: Y,
  options?: OutOptions,
) => DeviceArray<ResultOf<(typeof binary)[N], X, Y>>;

/** The unary operators, as functions. */
export type UnaryFunctions = { [K in keyof typeof unary]: UnaryFunction<K> } & {
  [K in keyof typeof unaryAliases]: UnaryFunction<(typeof unaryAliases)[K]>;
};

/** The binary operators, as functions. At least one operand is an array. */
export type BinaryFunctions = { [K in keyof typeof binary]: BinaryFunction<K> } & {
  [K in keyof typeof binaryAliases]: BinaryFunction<(typeof binaryAliases)[K]>;
};

/** Element-wise functions. */
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- the functions are made of the tables, below
interface OperatorFunctions extends UnaryFunctions, BinaryFunctions {}
class OperatorFunctions {
  /**
   * Returns `x` where the condition is true, else `y`. All three are broadcast together.
   *
   * @example
   * ```ts
   * const xp = arrays(queue);
   * const a = xp.array([-1, 2, -3], { dtype: "float32" });
   * console.log(await xp.where(a.less(0), 0, a).data()); // Float32Array(3) [0, 2, 0]
   * ```
   */
  where<const X extends OperandLike, const Y extends OperandLike>(
    this: Arrays,
    condition: AnyArray | boolean,
    x: X,
    y: Y,
    options?: OutOptions,
  ): DeviceArray<Chosen<X, Y>>;
  /** Resolves to the indices where the condition is not 0, as `nonzero()` does. */
  where(this: Arrays, condition: AnyArray): Promise<IndexArrays>;
  where(this: Arrays, condition: AnyArray | boolean, x?: OperandLike, y?: OperandLike, options?: OutOptions): unknown {
    if (x === undefined && y === undefined) return checkInstance(condition, DeviceArray, "condition").nonzero();
    return apply("where", [condition, x as OperandLike, y as OperandLike], options, ["condition", "x", "y"]);
  }

  /** Returns the results of `floorDivide` and `remainder`, computed together. */
  divmod<const X extends OperandLike, const Y extends OperandLike>(
    this: Arrays,
    x: X,
    y: Y,
    options?: OutPairOptions,
  ): [DeviceArray<ResultOf<"integer", X, Y>>, DeviceArray<ResultOf<"integer", X, Y>>] {
    const names = ["x", "y"];
    return computeSeveral("divmod", [x, y], checkOptions(options, ["out"]).out, names, (terms, scalars) => [
      operation("floorDivide", terms, scalars, names),
      operation("remainder", terms, scalars, names),
    ]) as never;
  }

  /** Returns the fractional and integral parts of each number, both with its sign. */
  modf<X extends AnyArray>(
    this: Arrays,
    x: X,
    options?: OutPairOptions,
  ): [DeviceArray<Results<ElementsOf<X>>["real"]>, DeviceArray<Results<ElementsOf<X>>["real"]>] {
    return computeSeveral("modf", [x], checkOptions(options, ["out"]).out, ["x"], (terms, scalars) => {
      const fraction = operation("modfFraction", terms, scalars, ["x"]);
      const [whole] = fraction.kind === "operation" ? fraction.operands : [];
      return [fraction, operation("trunc", whole === undefined ? terms : [whole], scalars, ["x"])];
    }) as never;
  }

  /** Decomposes each number into a mantissa, whose magnitude is in [0.5, 1), and an exponent of 2. */
  frexp<X extends AnyArray>(
    this: Arrays,
    x: X,
    options?: OutPairOptions,
  ): [DeviceArray<Results<ElementsOf<X>>["real"]>, DeviceArray<"int32">] {
    return computeSeveral("frexp", [x], checkOptions(options, ["out"]).out, ["x"], (terms, scalars) => [
      operation("frexpMantissa", terms, scalars, ["x"]),
      operation("frexpExponent", terms, scalars, ["x"]),
    ]) as never;
  }

  /** Returns `x * y + z`, rounded once. */
  fma<const X extends OperandLike, const Y extends OperandLike, const Z extends OperandLike>(
    this: Arrays,
    x: X,
    y: Y,
    z: Z,
    options?: OutOptions,
  ): DeviceArray<ResultOfThree<"real", X, Y, Z>> {
    return asDeviceArray(apply("fma", [x, y, z], options, ["x", "y", "z"]));
  }

  /** Returns the sine and cosine of angles in radians, computed by one kernel. */
  sincos<X extends AnyArray>(
    this: Arrays,
    x: X,
    options?: OutPairOptions,
  ): [DeviceArray<Results<ElementsOf<X>>["floating"]>, DeviceArray<Results<ElementsOf<X>>["floating"]>] {
    return computeSeveral("sincos", [x], checkOptions(options, ["out"]).out, ["x"], (terms, scalars) => [
      operation("sin", terms, scalars, ["x"]),
      operation("cos", terms, scalars, ["x"]),
    ]) as never;
  }

  /** Returns the results of `ieeeRemainder`, and the sign and at least the low three bits of the rounded quotient. */
  remquo<const X extends OperandLike, const Y extends OperandLike>(
    this: Arrays,
    x: X,
    y: Y,
    options?: OutPairOptions,
  ): [DeviceArray<ResultOf<"real", X, Y>>, DeviceArray<"int32">] {
    const names = ["x", "y"];
    return computeSeveral("remquo", [x, y], checkOptions(options, ["out"]).out, names, (terms, scalars) => [
      operation("ieeeRemainder", terms, scalars, names),
      operation("remquoBits", terms, scalars, names),
    ]) as never;
  }

  /** Returns a copy with NaN and infinities replaced by numbers; integers are unchanged. */
  nanToNum<X extends AnyArray>(this: Arrays, x: X, options?: NanToNumOptions): DeviceArray<ElementsOf<X>> {
    const { nan = 0, posinf, neginf, out } = checkOptions(options, ["nan", "posinf", "neginf", "out"]);
    for (const [name, value] of Object.entries({ nan, posinf, neginf })) {
      if (value !== undefined) checkNumber(value, `options.${name}`);
    }
    return asDeviceArray(
      compute("nanToNum", [x], out, ["x"], ([term], scalars) => {
        const op = (operator: OperatorName, ...of: readonly Term[]): Expression => operation(operator, of, scalars);
        const value = term as Expression;
        const kind = kindOf(value.dtype);
        if (kind < 3) return value;
        const largest = largestOf[realOf(value.dtype) as keyof typeof largestOf];
        const finite = (part: Expression): Expression => {
          const [low, high] = [neginf ?? -largest, posinf ?? largest].map((one) => termOf(one, part.dtype, scalars));
          const infinite = op("where", op("signbit", part), low as Term, high as Term);
          const number = op("where", op("isfinite", part), part, infinite);
          return op("where", op("isnan", part), nan, number);
        };
        return kind === 3 ? finite(value) : op("complex", finite(op("real", value)), finite(op("imag", value)));
      }),
    );
  }
}

declare module "../../array/arrays.js" {
  interface Arrays extends OperatorFunctions {}
}

/** The largest numbers of floating-point types. */
const largestOf = { float16: 65504, float32: 3.4028234663852886e38, float64: Number.MAX_VALUE } as const;

/** Throws unless a value is a number. */
export function checkNumber(value: unknown, name: string): void {
  if (typeof value !== "number") throw typeError(name, "a number", value);
}

function define(name: string, value: (...args: never[]) => unknown): void {
  Object.defineProperty(value, "name", { value: name });
  Object.defineProperty(OperatorFunctions.prototype, name, { value, configurable: true, writable: true });
}
for (const [name, operator] of unaryNames) {
  define(name, (x: AnyArray, options?: OutOptions) => apply(operator, [x], options, ["x"]));
}
for (const [name, operator] of binaryNames) {
  define(name, (x: OperandLike, y: OperandLike, options?: OutOptions) => apply(operator, [x, y], options, ["x", "y"]));
}
addMethods(Arrays, OperatorFunctions);
