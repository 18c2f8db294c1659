/** NumPy's order of elements in OpenCL C: NaN comes last. */
import { computeType } from "../kernels/compute-type.js";
import { macros } from "../kernels/macros.js";
import type { DTypeName } from "../types/dtype-name.js";
import { kindOf, realOf } from "../types/promote.js";
import order from "./order.cl";

/**
 * Returns the dtype in which elements are compared: every kernel can load it directly, and it holds the same values.
 */
export function orderedType(dtype: DTypeName): DTypeName {
  if (dtype === "bool") return "uint8";
  return dtype === "float16" ? "float32" : dtype;
}

/** The type `value_t` of an {@link orderedType}, and `less(a, b)`, true if `a` comes before `b`. */
export function orderCode(dtype: DTypeName): string {
  const real = realOf(dtype);
  const types = { VALUE: computeType(dtype), PART: computeType(real) };
  const names = { ...types, IS_FLOATING: kindOf(dtype) === 3, IS_COMPLEX: kindOf(dtype) === 4 };
  return `${real === "float64" ? "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n" : ""}${macros(names)}${order}`;
}
