/** Macros of products: loads and stores of elements, as one part or as real and imaginary parts. */
import { computeType, converted, loaded, stored, storedType } from "../../kernels/compute-type.js";
import { type Macros, macros } from "../../kernels/macros.js";
import type { DTypeName } from "../../types/dtype-name.js";
import { kindOf, realOf } from "../../types/promote.js";
import product from "./product.cl";

/** The types of a product, and what is conjugated. */
export interface ProductTypes {
  readonly a: DTypeName;
  readonly b: DTypeName;
  readonly c: DTypeName;
  /** In which is computed: the sum type of what both operands promote to. */
  readonly sum: DTypeName;
  readonly conjugateA: boolean;
  readonly conjugateB: boolean;
}

/** The type of a part of a sum in OpenCL C. */
export function partType(sum: DTypeName): string {
  return computeType(realOf(sum));
}

/** 2 for complex numbers. */
export function partsOf(sum: DTypeName): 1 | 2 {
  return kindOf(sum) === 4 ? 2 : 1;
}

/** Returns the text that all kernels of products begin with, and its macros. */
export function productHead(sum: DTypeName, own: Macros): string {
  return `${macros({ ...sumMacros(sum), IS_FLOATING: kindOf(sum) > 2, ...own })}${product}`;
}

/** Returns the macros of the parts of sums. */
export function sumMacros(sum: DTypeName): Macros {
  return { PART: partType(sum), PARTS: partsOf(sum) };
}

/** Returns the macros of the kernels that read both matrices as they are. */
export function operandMacros({ a, b, c, sum, conjugateA, conjugateB }: ProductTypes): Macros {
  return { ...loadMacros("A", a, sum, conjugateA), ...loadMacros("B", b, sum, conjugateB), ...storeMacros(c, sum) };
}

/** Returns the macros of a matrix that is read: the type of its elements, and their parts as those of sums. */
export function loadMacros(name: string, from: DTypeName, sum: DTypeName, conjugate: boolean): Macros {
  const part = partType(sum);
  const parts = `((__global const ${computeType(realOf(from))} *)(array))`;
  const [real, imaginary] =
    kindOf(from) === 4
      ? [`(${part})${parts}[2 * (index)]`, `${conjugate ? "-" : ""}(${part})${parts}[2 * (index) + 1]`]
      : [converted(from, realOf(sum), loaded(from, "array", "index")), `(${part})0`];
  return {
    [name]: storedType(from),
    [`${name}_REAL(array, index)`]: real,
    [`${name}_IMAGINARY(array, index)`]: imaginary,
  };
}

/** Returns the macros of results: `alpha * sum + beta * c` is stored, whose `c` is only read where `beta` is not 0. */
export function storeMacros(to: DTypeName, sum: DTypeName): Macros {
  return { C: storedType(to), "STORE_SUM(array, index, real, imaginary)": storeSum(to, sum) };
}

function storeSum(to: DTypeName, sum: DTypeName): string {
  if (to === "bool") return "array[index] = (uchar)(real != 0);";
  const scaled = (value: string, known: string): string =>
    `beta == 0 ? alpha * ${value} : alpha * ${value} + beta * ${known}`;
  const part = partType(sum);
  if (kindOf(sum) === 4) {
    const places = [0, 1].map((k) => `((__global ${part} *)(array))[2 * (index) + ${k}]`) as [string, string];
    return `${places[0]} = ${scaled("real", places[0])}; ${places[1]} = ${scaled("imaginary", places[1])};`;
  }
  const value = `(${scaled("real", `(${part})${loaded(to, "array", "index")}`)})`;
  return stored(to, "array", "index", to === sum || to === "float16" ? value : `(${storedType(to)})${value}`);
}
