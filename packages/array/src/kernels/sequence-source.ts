/**
 * OpenCL C of kernels that compute elements from their indices alone, and of the one that zeroes elements outside a
 * band of a matrix. Each work-item writes one element of contiguous memory.
 */
import type { DTypeName } from "../types/dtype-name.js";
import { kindOf } from "../types/promote.js";
import { computeType, stored, storedType, wordType } from "./compute-type.js";

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
  return `${head(dtype)}
__kernel void sequence(__global ${own} *const out, const ${index} size, const ${type} start, const ${type} second, const ${type} step) {
  const ${index} i = (${index})get_global_id(0);
  if (i >= size) return;
  const ${type} value = i == 1 ? second : start + (${type})i * step;
  ${stored(dtype, "out", "i", value)}
}
`;
}

/** Spacing of numbers: linear, logarithmic by exponents, or geometric. */
export type Spacing = "linear" | "power" | "geometric";

/**
 * NumPy's `linspace`, `logspace` and `geomspace`, computed in float64. Where the step is too small to be told from 0, the index
 * is divided first. Both ends of geometric numbers are exact.
 */
export function spacedSource(dtype: DTypeName, spacing: Spacing, divides: boolean): string {
  const place = divides ? "(double)i / parts * delta" : "(double)i * step";
  const whole = kindOf(dtype) === 1 || kindOf(dtype) === 2;
  const power = "pow(base, linear)";
  const value = { linear: whole ? "floor(linear)" : "linear", power, geometric: `factor * ${power}` }[spacing];
  return `${doubles}#pragma OPENCL FP_CONTRACT OFF
typedef struct {
  double start, stop, step, parts, delta, base, factor, first, last;
  /* Whether the last element is the end, exactly. */
  long ends;
} Spaced;

__kernel void sequence(__global ${storedType(dtype)} *const out, const long size, const Spaced by) {
  const long i = (long)get_global_id(0);
  if (i >= size) return;
  const double parts = by.parts, delta = by.delta, step = by.step, base = by.base, factor = by.factor;
  const int last = by.ends != 0 && i == size - 1 && i > 0;
  const double linear = last ? by.stop : ${place} + by.start;
  double value = ${value};
  ${spacing === "geometric" ? "if (i == 0) value = by.first;\n  if (last) value = by.last;" : ""}
  ${stored(dtype, "out", "i", fromDouble(dtype))}
}
`;
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
  const type = wordType(bytes) as string;
  return `__kernel void band(__global ${type} *const out, const long size, const ulong rows, const ulong columns, const long diagonal) {
  const long i = (long)get_global_id(0);
  if (i >= size) return;
  const ulong row = (ulong)i / columns;
  const long distance = (long)((ulong)i % columns) - (long)(row % rows);
  if (distance ${lower ? ">" : "<"} diagonal) out[i] = 0;
}
`;
}
