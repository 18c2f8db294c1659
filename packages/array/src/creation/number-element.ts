/** Values of the host as elements. */
import { type DTypeName, typeNamed, type ValueOf } from "../types/dtype-name.js";
import type { WeakScalar } from "../types/promote.js";

/** A number as the value of an element: cut to an integer where the type has no fractions. */
export function numberElement(name: DTypeName, value: number): ValueOf<DTypeName> {
  const { kind } = typeNamed(name);
  if (kind === "bool") return value !== 0;
  if (kind === "complex") return { re: value, im: 0 };
  if (kind === "float") return value;
  return name === "int64" || name === "uint64" ? BigInt(Math.trunc(value)) : Math.trunc(value);
}

/** A value that stands beside an array, as the value of an element of a type that holds it. */
export function scalarElement(name: DTypeName, value: WeakScalar): ValueOf<DTypeName> {
  if (typeof value === "object") return value;
  return typeof value === "bigint" && (name === "int64" || name === "uint64")
    ? value
    : numberElement(name, Number(value));
}
