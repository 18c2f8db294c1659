/** Conversion of host values to elements. */
import { HostView, type Nested } from "@cl/core";
import { eachNested, nestedShape } from "@cl/core/internal";
import { type DTypeName, type TypedDType, typeNamed, type ValueOf } from "../types/dtype-name.js";
import { kindOf, type WeakScalar } from "../types/promote.js";

/** A number as the value of an element: cut to an integer where the type has no fractions. */
export function numberElement(name: DTypeName, value: number): ValueOf<DTypeName> {
  const { kind } = typeNamed(name);
  if (kind === "bool") return value !== 0;
  if (kind === "complex") return { re: value, im: 0 };
  if (kind === "float") return value;
  return name === "int64" || name === "uint64" ? BigInt(Math.trunc(value)) : Math.trunc(value);
}

/** Returns an element's value for what a caller fills it with: see `FillValue`. Other values stay as they are. */
export function filledElement(name: DTypeName, value: unknown): ValueOf<DTypeName> {
  if (typeof value === "number" && takesNumbers(name) && (kindOf(name) === 4 || Number.isSafeInteger(value))) {
    return numberElement(name, value);
  }
  return value as ValueOf<DTypeName>;
}

/** Returns nested values as elements of a type, in C order. */
export function nestedElements(values: Nested, type: TypedDType<DTypeName>): HostView {
  if (!takesNumbers(type.name)) return HostView.from(values, type);
  const result = HostView.zeros(nestedShape(values, type, "values"), type);
  const { buffer, byteOffset, byteLength } = result.memory;
  const view = new DataView(buffer, byteOffset, byteLength);
  let at = 0;
  eachNested(values, result.shape, "values", (value) => {
    type.set(view, at, filledElement(type.name, value));
    at += type.itemSize;
  });
  return result;
}

/** True for types whose values are not numbers but can be set to numbers. */
function takesNumbers(name: DTypeName): boolean {
  return name === "int64" || name === "uint64" || kindOf(name) === 4;
}

/** Converts a scalar operand to the value of an element of a dtype that can hold it. */
export function scalarElement(name: DTypeName, value: WeakScalar): ValueOf<DTypeName> {
  if (typeof value === "object") return value;
  return typeof value === "bigint" && (name === "int64" || name === "uint64")
    ? value
    : numberElement(name, Number(value));
}
