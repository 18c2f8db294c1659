/**
 * Construction of operations with NumPy's type rules: operands are promoted, and scalars take the dtype of the array
 * operands.
 */
import { wrongValue } from "@cl/base";
import type { DTypeName } from "../types/dtype-name.js";
import { holds, kindOf, realOf, type WeakScalar } from "../types/promote.js";
import { cast, type Expression, operationNode, type ScalarValue, scalar } from "./expression.js";
import { type OperatorName, operators } from "./operators.js";
import { isTyped, signatureOf } from "./signatures.js";

/** What an operator takes: an expression, or a value of the host. One at least is an expression. */
export type Term = Expression | WeakScalar;

const methodNames = ["this", "other", "other"] as const;

/** The operation. Values of the host become arguments, which are added to `scalars`; `names` are the operands' in errors. */
export function operation(
  operator: OperatorName,
  terms: readonly Term[],
  scalars: ScalarValue[],
  names: readonly string[] = methodNames,
): Expression {
  if (operators[operator] === "comparison") {
    const special = mixedOperands(terms) ?? constantOperands(terms, scalars);
    if (special !== undefined) return operationNode(operator, special, "bool");
  }
  const simpler = operator === "power" ? simplerPower(terms) : undefined;
  if (simpler !== undefined) return operation(simpler, terms.slice(0, 1), scalars, names);
  const { operands, result } = signatureOf(operator, terms, names);
  const nodes = terms.map((term, k) => termOf(term, operands[k] as DTypeName, scalars));
  return operationNode(operator, nodes as [Expression, ...Expression[]], result);
}

/** An operand as a type. */
export function termOf(term: Term, dtype: DTypeName, scalars: ScalarValue[]): Expression {
  return isTyped(term) ? cast(term, dtype) : scalarNode(term, dtype, scalars);
}

/** Integers of 64 bits with and without a sign are compared as they are: no type holds the values of both. */
function mixedOperands(terms: readonly Term[]): [Expression, Expression] | undefined {
  const [a, b] = terms as readonly [Term, Term];
  if (!isTyped(a) || !isTyped(b)) return undefined;
  const [one, other] = [a, b] as [Expression, Expression];
  if (one.dtype === "uint64" && kindOf(other.dtype) === 2) return [one, cast(other, "int64")];
  if (other.dtype === "uint64" && kindOf(one.dtype) === 2) return [cast(one, "int64"), other];
  return undefined;
}

/** All elements of an integer type are less than a whole number above its range, and more than one below. */
function constantOperands(terms: readonly Term[], scalars: ScalarValue[]): [Expression, Expression] | undefined {
  const [a, b] = terms as readonly [Term, Term];
  const [array, value] = isTyped(a) ? [a, b] : [b as Expression, a];
  if (!isTyped(array) || isTyped(value) || typeof value === "boolean" || typeof value === "object") return undefined;
  const kind = kindOf(array.dtype);
  if (kind !== 1 && kind !== 2) return undefined;
  if (typeof value === "number" && !Number.isInteger(value)) return undefined;
  if (holds(array.dtype, value)) return undefined;
  // The array stays an input, whose values do not matter.
  const nothing = operation("bitwiseAnd", [array, 0], scalars);
  const beyond = scalarNode(value > 0 ? 1 : -1, "int8", scalars);
  return isTyped(a) ? [cast(nothing, "int8"), beyond] : [beyond, cast(nothing, "int8")];
}

/** What NumPy's `**` computes otherwise: squares, roots and reciprocals are exact, which no device's power function need be. */
function simplerPower([base, exponent]: readonly Term[]): OperatorName | undefined {
  if (!isTyped(base as Term) || isTyped(exponent as Term)) return undefined;
  const kind = kindOf((base as Expression).dtype);
  if (kind < 3) {
    const whole = typeof exponent === "bigint" || (typeof exponent === "number" && Number.isInteger(exponent));
    if (whole && exponent < 0) {
      throw wrongValue(
        `power does not support negative exponents of integers, received ${exponent} for ${(base as Expression).dtype}; convert the base with astype()`,
      );
    }
    return undefined;
  }
  if (exponent === 2 || exponent === 2n) return "square";
  if (exponent === 0.5) return "sqrt";
  return exponent === -1 || exponent === -1n ? "reciprocal" : undefined;
}

/** Rounded or cut to the type here, so that the kernel's argument is of the type in which it is computed. */
function scalarNode(value: WeakScalar, dtype: DTypeName, into: ScalarValue[]): Expression {
  const argument = (type: DTypeName, given: number | bigint): Expression => {
    into.push({ dtype: type, value: given });
    return scalar(into.length - 1, type);
  };
  if (typeof value === "object" || kindOf(dtype) === 4) {
    const { re, im } = typeof value === "object" ? value : { re: Number(value), im: 0 };
    if (dtype === "bool") return argument(dtype, re === 0 && im === 0 ? 0 : 1);
    const part = realOf(dtype);
    return operationNode("complex", [scalarNode(re, part, into), scalarNode(im, part, into)], dtype);
  }
  if (dtype === "bool") return argument(dtype, value === 0 || value === 0n || value === false ? 0 : 1);
  if (dtype === "int64" || dtype === "uint64") return argument(dtype, BigInt(value));
  if (dtype === "float64") return argument(dtype, Number(value));
  if (dtype === "float16") return cast(argument("float32", Math.fround(Number(value))), dtype);
  return argument(dtype, kindOf(dtype) === 3 ? Math.fround(Number(value)) : Number(value));
}
