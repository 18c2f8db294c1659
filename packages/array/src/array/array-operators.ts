/** The operators as methods: `a.add(b)`. They are generated from the tables in expression/operators.ts. */
import { checkInteger, checkOptions, wrongValue } from "@cl/base";
import { operation, termOf } from "../expression/build.js";
import type { Expression, ScalarValue } from "../expression/expression.js";
import { type BinaryName, binary, type UnaryName, unary } from "../expression/operators.js";
import { signatureOf } from "../expression/signatures.js";
import type { DTypeName } from "../types/dtype-name.js";
import { holds, kindOf, type WeakScalar } from "../types/promote.js";
import type { Results, ResultWith } from "../types/results.js";
import type { AnyArray } from "./any-array.js";
import { ArrayComplex } from "./array-complex.js";
import type { DeviceArray } from "./device-array.js";
import { apply, compute } from "./elementwise.js";

/** Where an operation stores its result. */
export interface OutOptions {
  /**
   * An existing array to store the result in. Its shape must be the result's and its dtype must be able to hold the
   * values; it may be an operand.
   * @defaultValue a new array
   */
  readonly out?: AnyArray;
}

/** An operand: an array of the same context, or a scalar, which takes the array's dtype where it fits. */
export type OperandLike = AnyArray | WeakScalar;

/** What differs from NumPy's names, as these are what is written most. */
const shortNames = { subtract: "sub", multiply: "mul", divide: "div" } as const;
type LongNamed = Omit<typeof binary, keyof typeof shortNames>;
interface ShortNamed<D extends DTypeName> {
  /** Returns `x - y`, element-wise. */
  readonly sub: <const V extends OperandLike>(
    other: V,
    options?: OutOptions,
  ) => DeviceArray<ResultWith<(typeof binary)["subtract"], D, V>>;
  /** Returns `x * y`, element-wise. */
  readonly mul: <const V extends OperandLike>(
    other: V,
    options?: OutOptions,
  ) => DeviceArray<ResultWith<(typeof binary)["multiply"], D, V>>;
  /** Returns `x / y`, element-wise. The quotient of integers is float64. */
  readonly div: <const V extends OperandLike>(
    other: V,
    options?: OutOptions,
  ) => DeviceArray<ResultWith<(typeof binary)["divide"], D, V>>;
}

/** The unary operators, as methods of arrays with dtype `D`. */
export type UnaryMethods<D extends DTypeName> = {
  [K in keyof typeof unary]: (options?: OutOptions) => DeviceArray<Results<D>[(typeof unary)[K]]>;
};

/** The binary operators, as methods of arrays with dtype `D`. */
// Without `as` for the names, which would keep the table's comments from editors and from the reference.
export type BinaryMethods<D extends DTypeName> = ShortNamed<D> & {
  [K in keyof LongNamed]: <const V extends OperandLike>(
    other: V,
    options?: OutOptions,
  ) => DeviceArray<ResultWith<(typeof binary)[K], D, V>>;
};

/** The part of a `DeviceArray` with element-wise operators. */
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- the methods are made of the tables, below
export interface ArrayOperators<D extends DTypeName = DTypeName> extends UnaryMethods<D>, BinaryMethods<D> {}
export abstract class ArrayOperators<D extends DTypeName = DTypeName> extends ArrayComplex<D> {
  /** Returns the values limited to [low, high]; one of the bounds may be `null`. NaN stays NaN. */
  clip<const L extends OperandLike | null | undefined, const H extends OperandLike | null | undefined = undefined>(
    low: L,
    high?: H,
    options?: OutOptions,
  ): DeviceArray<Clipped<Clipped<D, L>, H>> {
    const { out } = checkOptions(options, ["out"]);
    const bounds = [
      { name: "low", bound: low },
      { name: "high", bound: high },
    ].filter(({ bound }) => bound !== null && bound !== undefined);
    if (bounds.length === 0) throw wrongValue("clip needs low or high, received neither");
    const names = ["this", ...bounds.map(({ name }) => name)];
    const operands = [this, ...bounds.map(({ bound }) => bound as OperandLike)];
    return compute("clip", operands, out, names, (terms, scalars) => {
      // Bounds and values have one type before they are compared.
      const { result } = signatureOf("maximum", terms, names);
      const nodes = terms.map((term) => termOf(term, result, scalars));
      let value = nodes[0] as Expression;
      for (const [k, { name }] of bounds.entries()) {
        value = operation(name === "low" ? "maximum" : "minimum", [value, nodes[k + 1] as Expression], scalars);
      }
      return value;
    });
  }

  /**
   * Returns the values rounded to `decimals` decimals, or to the left of the decimal point if negative. Halves are
   * rounded to even. Integers stay integers.
   */
  round(decimals = 0, options?: OutOptions): DeviceArray<D> {
    const { out } = checkOptions(options, ["out"]);
    checkInteger(decimals, "decimals", -400, 400);
    return compute("round", [this], out, ["this"], ([term], scalars) => rounded(term as Expression, decimals, scalars));
  }
}

type Clipped<D extends DTypeName, B> = B extends null | undefined ? D : ResultWith<"same", D, B>;

function rounded(value: Expression, decimals: number, scalars: ScalarValue[]): Expression {
  const kind = kindOf(value.dtype);
  if (kind > 2) {
    if (decimals === 0) return operation("rint", [value], scalars);
    const unit = 10 ** Math.abs(decimals);
    const [there, back] = decimals > 0 ? (["multiply", "divide"] as const) : (["divide", "multiply"] as const);
    const whole = operation("rint", [operation(there, [value, unit], scalars)], scalars);
    return operation(back, [whole, unit], scalars);
  }
  if (decimals >= 0 || kind === 0) return value;
  const unit = 10n ** BigInt(-decimals);
  // No number of the type is half as large.
  if (!holds(value.dtype, unit)) return operation("multiply", [value, 0], scalars);
  return operation("roundTo", [value, unit], scalars);
}

function method(name: string, value: (this: AnyArray, ...args: never[]) => unknown): void {
  Object.defineProperty(value, "name", { value: name });
  Object.defineProperty(ArrayOperators.prototype, name, { value, configurable: true, writable: true });
}
for (const operator of Object.keys(unary) as UnaryName[]) {
  method(operator, function (this: AnyArray, options?: OutOptions) {
    return apply(operator, [this], options);
  });
}
for (const operator of Object.keys(binary) as BinaryName[]) {
  const name = operator in shortNames ? shortNames[operator as keyof typeof shortNames] : operator;
  method(name, function (this: AnyArray, other: OperandLike, options?: OutOptions) {
    return apply(operator, [this, other], options);
  });
}
