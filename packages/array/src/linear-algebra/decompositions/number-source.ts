/** OpenCL C of the arithmetic that all solvers share: the same names for real and for complex elements. */
import { computeType } from "../../kernels/compute-type.js";
import { macros } from "../../kernels/macros.js";
import type { DTypeName } from "../../types/dtype-name.js";
import { kindOf, realOf } from "../../types/promote.js";
import numbers from "./numbers.cl";

/** The dtypes in which solvers compute. */
export type SolverType = "float32" | "float64" | "complex64" | "complex128";

/**
 * `T` is the type of elements, `R` that of their real parts. `Place` is the layout of a stack of matrices, in elements.
 * Both are passed by value.
 */
export function numberSource(dtype: DTypeName): string {
  const real = computeType(realOf(dtype));
  const limits = real === "float" ? "FLT" : "DBL";
  const names = {
    T: computeType(dtype),
    R: real,
    R_EPSILON: `${limits}_EPSILON`,
    R_MIN: `${limits}_MIN`,
    IS_COMPLEX: kindOf(dtype) === 4,
  };
  return `${macros(names)}${numbers}`;
}
