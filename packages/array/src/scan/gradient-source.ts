/** OpenCL C of derivatives along one axis. */
import { computeType } from "../kernels/compute-type.js";
import { macros } from "../kernels/macros.js";
import type { DTypeName } from "../types/dtype-name.js";
import { realOf } from "../types/promote.js";
import gradient from "./gradient.cl";

/** What the text depends on. */
export interface GradientPlan {
  /** The type that is computed in, of elements and results. */
  readonly dtype: DTypeName;
  /** True if each place along the axis is given, in the real type. */
  readonly places: boolean;
  /** The order at the ends. */
  readonly edges: 1 | 2;
}

/** Returns the program of `gradient`. */
export function gradientSource({ dtype, places, edges }: GradientPlan): string {
  const real = realOf(dtype);
  const space = computeType(real);
  const names = {
    T: computeType(dtype),
    R: space,
    HAS_PLACES: places,
    PLACES: places ? `__global const ${space} *const places, const ulong first_place,` : `const ${space} step,`,
    EDGES: edges,
  };
  return `${real === "float64" ? "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n" : ""}${macros(names)}${gradient}`;
}
