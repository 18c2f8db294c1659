/** NumPy's order of elements in OpenCL C: NaN comes last. */
import { computeType } from "../kernels/compute-type.js";
import type { DTypeName } from "../types/dtype-name.js";
import { kindOf, realOf } from "../types/promote.js";

/**
 * Returns the dtype in which elements are compared: every kernel can load it directly, and it holds the same values.
 */
export function orderedType(dtype: DTypeName): DTypeName {
  if (dtype === "bool") return "uint8";
  return dtype === "float16" ? "float32" : dtype;
}

/** The type `value_t` of an {@link orderedType}, and `less(a, b)`, true if `a` comes before `b`. */
export function orderCode(dtype: DTypeName): string {
  const kind = kindOf(dtype);
  const type = computeType(dtype);
  const doubles = realOf(dtype) === "float64" ? "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n" : "";
  const head = `${doubles}typedef ${type} value_t;\n`;
  if (kind < 3) return `${head}int less(const value_t a, const value_t b) { return a < b; }\n`;
  if (kind === 3) {
    return `${head}int less(const value_t a, const value_t b) { return (a < b) | ((b != b) & (a == a)); }\n`;
  }
  const part = computeType(realOf(dtype));
  return `${head}
int less_part(const ${part} a, const ${part} b) { return a < b || (b != b && a == a); }

int same_part(const ${part} a, const ${part} b) { return a == b || (a != a && b != b); }

/* By real parts, then by imaginary ones; any part that is no number comes behind all numbers. */
int less(const value_t a, const value_t b) {
  const int a_none = a.x != a.x || a.y != a.y;
  const int b_none = b.x != b.x || b.y != b.y;
  if (a_none != b_none) return b_none;
  return same_part(a.x, b.x) ? less_part(a.y, b.y) : less_part(a.x, b.x);
}
`;
}
