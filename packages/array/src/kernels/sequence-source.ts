/**
 * OpenCL C of kernels that compute elements from their indices alone, and of the one that zeroes elements outside a
 * band of a matrix. Each work-item writes one element of contiguous memory.
 */
import type { DTypeName } from "../types/dtype-name.js";
import { kindOf } from "../types/promote.js";
import band from "./band.cl";
import { computeType, stored, storedType, wordType } from "./compute-type.js";
import { macros } from "./macros.js";
import range from "./range.cl";
import spaced from "./spaced.cl";

const head = (
  dtype: DTypeName,
): string => `/* Results are those of the operations one by one, as the host computes them. */
${kindOf(dtype) > 2 && computeType(dtype).startsWith("double") ? doubles : ""}#pragma OPENCL FP_CONTRACT OFF`;

const doubles = "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n";

/** The type of the arguments of {@link rangeSource}: integers wrap around without a sign. */
export function rangeType(dtype: DTypeName): "float32" | "float64" | "uint32" | "uint64" {
  if (dtype === "float64" || dtype === "complex128") return "float64";
  if (kindOf(dtype) > 2) return "float32";
  return dtype === "int64" || dtype === "uint64" ? "uint64" : "uint32";
}

/** Computes `start + i * step` in the result's type. The second element is exact. */
export function rangeSource(dtype: DTypeName, short: boolean): string {
  const type = computeType(rangeType(dtype));
  const index = short ? "int" : "long";
  const own = storedType(dtype);
  const complex = kindOf(dtype) === 4;
  const value = complex ? `(${own})(value, 0)` : kindOf(dtype) === 3 ? "value" : `(${own})value`;
  const names = { T: own, V: type, INDEX: index, "STORE(i, value)": stored(dtype, "out", "i", value) };
  return `${head(dtype)}\n${macros(names)}${range}`;
}

/** Spacing of numbers: linear, logarithmic by exponents, or geometric. */
export type Spacing = "linear" | "power" | "geometric";

/**
 * NumPy's `linspace`, `logspace` and `geomspace`, computed in float64. Where the step is too small to be told from 0, the index
 * is divided first. Both ends of geometric numbers are exact.
 */
export function spacedSource(dtype: DTypeName, spacing: Spacing, divides: boolean): string {
  const whole = kindOf(dtype) === 1 || kindOf(dtype) === 2;
  const power = "pow(base, linear)";
  const names = {
    T: storedType(dtype),
    DIVIDES: divides,
    "VALUE(linear)": { linear: whole ? "floor(linear)" : "linear", power, geometric: `factor * ${power}` }[spacing],
    IS_GEOMETRIC: spacing === "geometric",
    "STORE(i, value)": stored(dtype, "out", "i", fromDouble(dtype)),
  };
  return `${doubles}#pragma OPENCL FP_CONTRACT OFF\n${macros(names)}${spaced}`;
}

function fromDouble(dtype: DTypeName): string {
  if (dtype === "bool") return "(uchar)(value != 0)";
  if (kindOf(dtype) === 4) return `(${storedType(dtype)})(value, 0)`;
  if (dtype === "uint64") return "(value < 0 ? (ulong)(long)value : (ulong)value)";
  return kindOf(dtype) < 3
    ? `(${storedType(dtype)})(long)value`
    : dtype === "float16"
      ? "value"
      : `(${storedType(dtype)})value`;
}

/** Clears the elements above (`lower`) or below a diagonal of matrices, whose rows follow each other in memory. */
export function bandSource(bytes: number, lower: boolean): string {
  const names = {
    T: wordType(bytes) as string,
    "IS_CLEARED(distance, diagonal)": `distance ${lower ? ">" : "<"} diagonal`,
  };
  return `${macros(names)}${band}`;
}
