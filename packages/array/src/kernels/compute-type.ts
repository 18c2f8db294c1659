/** The OpenCL C types in which elements are computed, and their loads and stores. */
import { type DTypeName, typeNamed } from "../types/dtype-name.js";
import { kindOf, realOf } from "../types/promote.js";

/** The type of a variable with such an element. Halves are floats, so that no device needs to compute with halves. */
export function computeType(dtype: DTypeName): string {
  return dtype === "float16" ? "float" : typeNamed(dtype).cName;
}

/** The type of such elements in memory. */
export function storedType(dtype: DTypeName): string {
  return typeNamed(dtype).cName;
}

/** The type of words of some bytes: an unsigned integer, or two of them. Undefined for sizes that no word has. */
export function wordType(bytes: number): string | undefined {
  return { 1: "uchar", 2: "ushort", 4: "uint", 8: "ulong", 16: "ulong2" }[bytes];
}

/** An element of memory, as text. Any byte but 0 is true. */
export function loaded(dtype: DTypeName, array: string, index: string): string {
  if (dtype === "float16") return `vload_half(${index}, ${array})`;
  return dtype === "bool" ? `(uchar)(${array}[${index}] != 0)` : `${array}[${index}]`;
}

/** The statement that stores an element. */
export function stored(dtype: DTypeName, array: string, index: string, value: string): string {
  return dtype === "float16" ? `vstore_half_rte(${value}, ${index}, ${array});` : `${array}[${index}] = ${value};`;
}

/** {@link loaded} with both parts of a complex number for themselves: loops of vectors are not made vectors of. */
export function loadedApart(dtype: DTypeName, array: string, index: string): string {
  if (kindOf(dtype) !== 4) return loaded(dtype, array, index);
  const part = computeType(realOf(dtype));
  const parts = `((__global const ${part} *)${array})`;
  return `(${part}2)(${parts}[2 * (${index})], ${parts}[2 * (${index}) + 1])`;
}

/** {@link stored}, likewise. */
export function storedApart(dtype: DTypeName, array: string, index: string, value: string): string {
  if (kindOf(dtype) !== 4) return stored(dtype, array, index, value);
  const parts = `((__global ${computeType(realOf(dtype))} *)${array})`;
  return `${parts}[2 * (${index})] = ${value}.x; ${parts}[2 * (${index}) + 1] = ${value}.y;`;
}

/** A value as another type, as text. */
export function converted(from: DTypeName, to: DTypeName, value: string): string {
  if (to === "bool") {
    return kindOf(from) === 4 ? `(uchar)(${value}.x != 0 || ${value}.y != 0)` : `(uchar)(${value} != 0)`;
  }
  if (kindOf(to) === 4) {
    const part = computeType(realOf(to));
    const [re, im] = kindOf(from) === 4 ? [`${value}.x`, `${value}.y`] : [value, "0"];
    return `(${computeType(to)})((${part})${re}, (${part})${im})`;
  }
  if (kindOf(from) === 4) return converted(realOf(from), to, `${value}.x`);
  // Rounds to half as a store does.
  if (to === "float16") return `round_to_half((float)${value})`;
  // Negative numbers wrap around in unsigned integers, by way of those with a sign.
  if (kindOf(from) === 3 && kindOf(to) === 1) {
    return `(${computeType(to)})(${value} < 0 ? (ulong)(long)${value} : (ulong)${value})`;
  }
  return `(${computeType(to)})${value}`;
}
