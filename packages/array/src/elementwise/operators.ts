/** The operators as functions of arrays and scalars, for other algorithms: `operators.multiply(a, 2)`. */
import { checkInteger, checkOptions, wrongValue } from "@cl/base";
import { operation, termOf } from "../expression/build.js";
import type { Expression, ScalarValue } from "../expression/expression.js";
import { type BinaryName, binary, type UnaryName, unary } from "../expression/operators.js";
import { signatureOf } from "../expression/signatures.js";
import type { AnyArray, ArrayRef } from "../storage/array-ref.js";
import type { OperandLike, OutOptions } from "../storage/operand-like.js";
import type { DTypeName, TypedDType } from "../types/dtype-name.js";
import type { Chosen, ResultOf, Results } from "../types/results.js";
import { holds, kindOf } from "../types/promote.js";
import { apply, compute } from "./elementwise.js";

type ElementsOf<X> = X extends { readonly dtype: TypedDType<infer D> } ? D : never;

type UnaryOperators = {
  readonly [K in UnaryName]: <X extends AnyArray>(
    x: X,
    options?: OutOptions,
  ) => ArrayRef<Results<ElementsOf<X>>[(typeof unary)[K]]>;
};

type BinaryOperators = {
  readonly [K in BinaryName]: <const X extends OperandLike, const Y extends OperandLike>(
    x: X,
    y: Y,
    options?: OutOptions,
  ) => ArrayRef<ResultOf<(typeof binary)[K], X, Y>>;
};

/** One function for each operator of the tables in expression/operators.ts. */
export const operators: UnaryOperators & BinaryOperators = Object.fromEntries([
  ...Object.keys(unary).map((name) => [
    name,
    (x: AnyArray, options?: OutOptions) => apply(name as UnaryName, [x], options, ["x"]),
  ]),
  ...Object.keys(binary).map((name) => [
    name,
    (x: OperandLike, y: OperandLike, options?: OutOptions) => apply(name as BinaryName, [x, y], options, ["x", "y"]),
  ]),
]) as UnaryOperators & BinaryOperators;

/** Returns `x` where the condition is true, else `y`. All three are broadcast together. */
export function where<const X extends OperandLike, const Y extends OperandLike>(
  condition: AnyArray | boolean,
  x: X,
  y: Y,
  options?: OutOptions,
): ArrayRef<Chosen<X, Y>> {
  return apply("where", [condition, x, y], options, ["condition", "x", "y"]);
}

/** Returns the values limited to [low, high]; one of the bounds may be `null`. NaN stays NaN. */
export function clip<R extends DTypeName>(
  array: AnyArray,
  low: OperandLike | null | undefined,
  high: OperandLike | null | undefined,
  options?: OutOptions,
): ArrayRef<R> {
  const { out } = checkOptions(options, ["out"]);
  const bounds = [
    { name: "low", bound: low },
    { name: "high", bound: high },
  ].filter(({ bound }) => bound !== null && bound !== undefined);
  if (bounds.length === 0) throw wrongValue("clip needs low or high, received neither");
  const names = ["this", ...bounds.map(({ name }) => name)];
  const operands = [array, ...bounds.map(({ bound }) => bound as OperandLike)];
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

/** Returns the values rounded to `decimals` decimals. Halves are rounded to even. */
export function round<D extends DTypeName>(array: ArrayRef<D>, decimals = 0, options?: OutOptions): ArrayRef<D> {
  const { out } = checkOptions(options, ["out"]);
  checkInteger(decimals, "decimals", -400, 400);
  return compute("round", [array], out, ["this"], ([term], scalars) => rounded(term as Expression, decimals, scalars));
}

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
