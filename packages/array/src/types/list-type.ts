/** Dtypes of lists of values as NumPy converts them, at run time and as TypeScript types. */
import { describe, rangeError, wrongType } from "@cl/base";
import type { Complex, TypedArray } from "@cl/core";
import type { DefaultType, Innermost } from "./default-type.js";
import type { DTypeName } from "./dtype-name.js";
import { holds, isComplexValue, promote, type WeakScalar } from "./promote.js";

/** Scalars in nested arrays. */
export type NestedScalars = WeakScalar | readonly NestedScalars[];

/** A list of values as an operand: nested arrays, or a typed array, which has one axis. */
export type ListOperand = TypedArray | readonly NestedScalars[];

/**
 * The dtype of a list. Integers are int64, and numbers with a fraction make a list float64; the type checker can only
 * distinguish literals.
 */
export type ListDType<V> = V extends readonly unknown[] ? Widest<ScalarDType<Innermost<V>>> : DefaultType<V>;

/** "number" is the dtype of a number that is not a literal. */
type ScalarDType<V> = V extends boolean
  ? "bool"
  : V extends bigint
    ? "int64"
    : V extends number
      ? number extends V
        ? "number"
        : `${V}` extends `${bigint}`
          ? "int64"
          : "float64"
      : V extends Complex
        ? "complex128"
        : never;

type Widest<D> = [D] extends [never]
  ? "float64"
  : "complex128" extends D
    ? "complex128"
    : "float64" extends D
      ? "float64"
      : "number" extends D
        ? "int64" | "float64"
        : "int64" extends D
          ? "int64"
          : "bool";

/** Returns the dtype of the values of a list. Throws for a value that is not a scalar. */
export function listType(values: readonly unknown[], name: string): DTypeName {
  let type: DTypeName | undefined;
  for (const value of values) {
    const own = typeOfValue(value, name);
    type = type === undefined ? own : promote(type, own);
  }
  return type ?? "float64";
}

function typeOfValue(value: unknown, name: string): DTypeName {
  if (typeof value === "boolean") return "bool";
  if (typeof value === "number") return Number.isSafeInteger(value) ? "int64" : "float64";
  if (typeof value === "bigint") {
    if (holds("int64", value)) return "int64";
    if (holds("uint64", value)) return "uint64";
    throw rangeError(`each value of ${name}`, "a value that int64 or uint64 holds", value);
  }
  if (isComplexValue(value)) return "complex128";
  throw wrongType(
    `${name} must be a list of numbers, bigints, booleans or complex numbers, received ${describe(value)} in it`,
  );
}
