/** Numbers as elements. */
import { type DTypeName, typeNamed, type ValueOf } from "../types/dtype-name.js";

/** A number as the value of an element: cut to an integer where the type has no fractions. */
export function numberElement(name: DTypeName, value: number): ValueOf<DTypeName> {
  const { kind } = typeNamed(name);
  if (kind === "bool") return value !== 0;
  if (kind === "complex") return { re: value, im: 0 };
  if (kind === "float") return value;
  return name === "int64" || name === "uint64" ? BigInt(Math.trunc(value)) : Math.trunc(value);
}
