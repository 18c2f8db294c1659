/**
 * OpenCL C of derivatives along one axis, by NumPy's formulas: of second order inside, and of the given order at the
 * ends.
 */
import { computeType } from "../kernels/compute-type.js";
import type { DTypeName } from "../types/dtype-name.js";
import { realOf } from "../types/promote.js";

/** What the text depends on. */
export interface GradientPlan {
  /** The type that is computed in, of elements and results. */
  readonly dtype: DTypeName;
  /** True if each place along the axis is given, in the real type. */
  readonly places: boolean;
  /** The order at the ends. */
  readonly edges: 1 | 2;
}

/** Returns the program of `gradient`. Elements are contiguous; `inner` is the stride along the axis. */
export function gradientSource({ dtype, places, edges }: GradientPlan): string {
  const real = realOf(dtype);
  const type = computeType(dtype);
  const space = computeType(real);
  const one = (numerator: string, denominator: string): string => `(${numerator}) / (${denominator})`;
  const code = places ? ofPlaces : evenly;
  return `${real === "float64" ? "#pragma OPENCL EXTENSION cl_khr_fp64 : enable" : ""}
#pragma OPENCL FP_CONTRACT OFF
__kernel void gradient(__global const ${type} *const elements, const ulong first, const ulong size, const ulong extent,
                       const ulong inner, ${places ? `__global const ${space} *const places, const ulong first_place` : `const ${space} step`},
                       __global ${type} *const results) {
  const ulong i = get_global_id(0);
  if (i >= size) return;
  const ulong at = i / inner % extent;
  __global const ${type} *const f = elements + first + i;
  const long n = (long)inner;
${places ? `  __global const ${space} *const x = places + first_place + at;\n` : ""}  if (at > 0 && at < extent - 1) {
${code.inside}
  } else if (at == 0) {
${edges === 1 ? `    results[i] = ${one("f[n] - f[0]", places ? "x[1] - x[0]" : "step")};` : code.begin}
  } else {
${edges === 1 ? `    results[i] = ${one("f[0] - f[-n]", places ? "x[0] - x[-1]" : "step")};` : code.end}
  }
}
`.replaceAll("real_t", space);
}

const evenly = {
  inside: "    results[i] = (f[n] - f[-n]) / (2 * step);",
  begin: "    results[i] = -(real_t)1.5f / step * f[0] + 2 / step * f[n] - (real_t)0.5f / step * f[2 * n];",
  end: "    results[i] = (real_t)0.5f / step * f[-2 * n] - 2 / step * f[-n] + (real_t)1.5f / step * f[0];",
};

const ofPlaces = {
  inside: `    const real_t before = x[0] - x[-1];
    const real_t after = x[1] - x[0];
    const real_t a = -after / (before * (before + after));
    const real_t b = (after - before) / (before * after);
    const real_t c = before / (after * (before + after));
    results[i] = a * f[-n] + b * f[0] + c * f[n];`,
  begin: `    const real_t near = x[1] - x[0];
    const real_t far = x[2] - x[1];
    const real_t a = -(2 * near + far) / (near * (near + far));
    const real_t b = (near + far) / (near * far);
    const real_t c = -near / (far * (near + far));
    results[i] = a * f[0] + b * f[n] + c * f[2 * n];`,
  end: `    const real_t far = x[-1] - x[-2];
    const real_t near = x[0] - x[-1];
    const real_t a = near / (far * (far + near));
    const real_t b = -(near + far) / (far * near);
    const real_t c = (2 * near + far) / (near * (far + near));
    results[i] = a * f[-2 * n] + b * f[-n] + c * f[0];`,
};
