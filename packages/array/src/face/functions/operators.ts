/** The operators as functions: `xp.subtract(1, a)`. They are generated from the tables in expression/operators.ts. */
import { checkInstance, checkOptions, typeError } from "@cl/base";
import { operation, type Term, termOf } from "../../expression/build.js";
import type { Expression, ScalarValue } from "../../expression/expression.js";
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
import { kindOf, realOf } from "../../types/promote.js";
import type { ListOperand } from "../../types/list-type.js";
import type { Chosen, OperandDType, ResultOf, ResultOfThree, Results } from "../../types/results.js";
import { compute } from "../../elementwise/elementwise.js";
import { applyToAny, withArrays } from "../../creation/operand-lists.js";
import { computeSeveral } from "../../elementwise/elementwise-several.js";
import type { AnyArray } from "../../storage/array-ref.js";
import type { OperandOrList, OutOptions } from "../../storage/operand-like.js";
import { Arrays, asDeviceArray, DeviceArray } from "../../array/arrays.js";
import { addOperators } from "../../array/add-methods.js";

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

type UnaryFunction<N extends UnaryName> = <const X extends OperandOrList>(
  x: X,
  options?: OutOptions,
) => DeviceArray<Results<OperandDType<X>>[(typeof unary)[N]]>;
type BinaryFunction<N extends BinaryName> = <const X extends OperandOrList, const Y extends OperandOrList>(
  x: X,
  y: Y,
  options?: OutOptions,
) => DeviceArray<ResultOf<(typeof binary)[N], X, Y>>;

/** The unary operators, as functions. */
export type UnaryFunctions = { [K in keyof typeof unary]: UnaryFunction<K> } & {
  [K in keyof typeof unaryAliases]: UnaryFunction<(typeof unaryAliases)[K]>;
};

/** The binary operators, as functions. */
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
  where<const X extends OperandOrList, const Y extends OperandOrList>(
    this: Arrays,
    condition: AnyArray | ListOperand | boolean,
    x: X,
    y: Y,
    options?: OutOptions,
  ): DeviceArray<Chosen<X, Y>>;
  /** Resolves to the indices where the condition is not 0, as `nonzero()` does. */
  where(this: Arrays, condition: AnyArray): Promise<IndexArrays>;
  where(
    this: Arrays,
    condition: AnyArray | ListOperand | boolean,
    x?: OperandOrList,
    y?: OperandOrList,
    options?: OutOptions,
  ): unknown {
    if (x === undefined && y === undefined) return checkInstance(condition, DeviceArray, "condition").nonzero();
    const operands = [condition, x as OperandOrList, y as OperandOrList];
    return applyToAny(this, "where", operands, options, ["condition", "x", "y"]);
  }

  /** Returns the results of `floorDivide` and `remainder`, computed together. */
  divmod<const X extends OperandOrList, const Y extends OperandOrList>(
    this: Arrays,
    x: X,
    y: Y,
    options?: OutPairOptions,
  ): [DeviceArray<ResultOf<"integer", X, Y>>, DeviceArray<ResultOf<"integer", X, Y>>] {
    return several(this, "divmod", [x, y], options, (terms, scalars) => [
      operation("floorDivide", terms, scalars, pairNames),
      operation("remainder", terms, scalars, pairNames),
    ]) as never;
  }

  /** Returns the fractional and integral parts of each number, both with its sign. */
  modf<const X extends OperandOrList>(
    this: Arrays,
    x: X,
    options?: OutPairOptions,
  ): [DeviceArray<Results<OperandDType<X>>["real"]>, DeviceArray<Results<OperandDType<X>>["real"]>] {
    return several(this, "modf", [x], options, (terms, scalars) => {
      const fraction = operation("modfFraction", terms, scalars, ["x"]);
      const [whole] = fraction.kind === "operation" ? fraction.operands : [];
      return [fraction, operation("trunc", whole === undefined ? terms : [whole], scalars, ["x"])];
    }) as never;
  }

  /** Decomposes each number into a mantissa, whose magnitude is in [0.5, 1), and an exponent of 2. */
  frexp<const X extends OperandOrList>(
    this: Arrays,
    x: X,
    options?: OutPairOptions,
  ): [DeviceArray<Results<OperandDType<X>>["real"]>, DeviceArray<"int32">] {
    return several(this, "frexp", [x], options, (terms, scalars) => [
      operation("frexpMantissa", terms, scalars, ["x"]),
      operation("frexpExponent", terms, scalars, ["x"]),
    ]) as never;
  }

  /** Returns `x * y + z`, rounded once. */
  fma<const X extends OperandOrList, const Y extends OperandOrList, const Z extends OperandOrList>(
    this: Arrays,
    x: X,
    y: Y,
    z: Z,
    options?: OutOptions,
  ): DeviceArray<ResultOfThree<"real", X, Y, Z>> {
    return asDeviceArray(applyToAny(this, "fma", [x, y, z], options, ["x", "y", "z"]));
  }

  /** Returns the sine and cosine of angles in radians, computed by one kernel. */
  sincos<const X extends OperandOrList>(
    this: Arrays,
    x: X,
    options?: OutPairOptions,
  ): [DeviceArray<Results<OperandDType<X>>["floating"]>, DeviceArray<Results<OperandDType<X>>["floating"]>] {
    return several(this, "sincos", [x], options, (terms, scalars) => [
      operation("sin", terms, scalars, ["x"]),
      operation("cos", terms, scalars, ["x"]),
    ]) as never;
  }

  /** Returns the results of `ieeeRemainder`, and the sign and at least the low three bits of the rounded quotient. */
  remquo<const X extends OperandOrList, const Y extends OperandOrList>(
    this: Arrays,
    x: X,
    y: Y,
    options?: OutPairOptions,
  ): [DeviceArray<ResultOf<"real", X, Y>>, DeviceArray<"int32">] {
    return several(this, "remquo", [x, y], options, (terms, scalars) => [
      operation("ieeeRemainder", terms, scalars, pairNames),
      operation("remquoBits", terms, scalars, pairNames),
    ]) as never;
  }

  /** Returns a copy with NaN and infinities replaced by numbers; integers are unchanged. */
  nanToNum<const X extends OperandOrList>(this: Arrays, x: X, options?: NanToNumOptions): DeviceArray<OperandDType<X>> {
    const { nan = 0, posinf, neginf, out } = checkOptions(options, ["nan", "posinf", "neginf", "out"]);
    for (const [name, value] of Object.entries({ nan, posinf, neginf })) {
      if (value !== undefined) checkNumber(value, `options.${name}`);
    }
    return withArrays(this, [x], ["x"], (operands) =>
      asDeviceArray(
        compute("nanToNum", operands, out, ["x"], ([term], scalars) => {
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
      ),
    );
  }
}

declare module "../../array/arrays.js" {
  interface Arrays extends OperatorFunctions {}
}

const pairNames = ["x", "y"] as const;

/** Computes several results of one or two operands of any kind. */
function several(
  xp: Arrays,
  operator: string,
  operands: readonly OperandOrList[],
  options: OutPairOptions | undefined,
  build: (terms: readonly Term[], scalars: ScalarValue[]) => readonly Expression[],
): AnyArray[] {
  const { out } = checkOptions(options, ["out"]);
  return withArrays(xp, operands, pairNames, (arrays) => computeSeveral(operator, arrays, out, pairNames, build));
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
  define(name, function (this: Arrays | undefined, x: OperandOrList, options?: OutOptions) {
    return applyToAny(this, operator, [x], options, ["x"]);
  });
}
for (const [name, operator] of binaryNames) {
  define(name, function (this: Arrays | undefined, x: OperandOrList, y: OperandOrList, options?: OutOptions) {
    return applyToAny(this, operator, [x, y], options, ["x", "y"]);
  });
}
addOperators(Arrays, OperatorFunctions);
