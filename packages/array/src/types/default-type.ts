/** The dtype of values given without one: float64 for JavaScript numbers, int64 for bigints. */
import { typeError } from "@cl/base";
import { dtype, type DTypeLike, type TypedArray } from "@cl/core";
import { checkArrayType, type DTypeName, type TypedDType, typeNamed } from "./dtype-name.js";

/** The dtype name of values given without one. */
export type DefaultType<V> = V extends Float32Array
  ? "float32"
  : V extends Float64Array
    ? "float64"
    : V extends Int8Array
      ? "int8"
      : V extends Uint8Array | Uint8ClampedArray
        ? "uint8"
        : V extends Int16Array
          ? "int16"
          : V extends Uint16Array
            ? "uint16"
            : V extends Int32Array
              ? "int32"
              : V extends Uint32Array
                ? "uint32"
                : V extends BigInt64Array
                  ? "int64"
                  : V extends BigUint64Array
                    ? "uint64"
                    : ValueType<Innermost<V>>;

type ValueType<V> = [V] extends [boolean]
  ? "bool"
  : [V] extends [bigint]
    ? "int64"
    : [V] extends [number]
      ? "float64"
      : DTypeName;

/** The values of nested arrays, up to 6 levels deep. */
export type Innermost<V, Depth extends readonly 0[] = []> = Depth["length"] extends 6
  ? unknown
  : V extends readonly (infer E)[]
    ? Innermost<E, [...Depth, 0]>
    : V;

/** Whether a value is a typed array; a DataView is not. */
export function isTypedArray(value: unknown): value is TypedArray {
  return ArrayBuffer.isView(value) && !(value instanceof DataView);
}

/** The type of nested values is that of the first. */
export function defaultType(values: unknown, name: string): TypedDType<DTypeName> {
  if (isTypedArray(values)) {
    return checkArrayType(dtype(values.constructor as unknown as DTypeLike), name);
  }
  let first = values;
  while (Array.isArray(first)) first = (first as readonly unknown[])[0];
  if (typeof first === "boolean") return typeNamed("bool");
  if (typeof first === "bigint") return typeNamed("int64");
  if (typeof first === "number") return typeNamed("float64");
  if (first === undefined && Array.isArray(values)) return typeNamed("float64");
  throw typeError(name, "numbers, bigints or booleans, optionally nested; others need options.dtype", values);
}
