/** OpenCL C that takes quantiles from lines in order, with what is not a number behind everything else. */
import { computeType } from "../kernels/compute-type.js";
import type { DTypeName } from "../types/dtype-name.js";
import { kindOf } from "../types/promote.js";

/** What is done where a quantile lies between two elements. */
export const quantileMethods = ["linear", "lower", "higher", "midpoint", "nearest"] as const;

/** The number of the median in place of a method: it has no place of its own, and is the mean of both neighbours. */
export const medianNumber = 5;

/** The program of `quantiles`: lines of `dtype`, results of `result`. Places are found with doubles where there are some. */
export function quantileSource(dtype: DTypeName, result: DTypeName, doubles: boolean): string {
  const type = computeType(dtype);
  const real = computeType(result);
  const place = doubles ? "double" : "float";
  const none = `
  if (line[length - 1] != line[length - 1]) {
    if (!omit) {
      results[at] = NAN;
      return;
    }
    // Behind the last number.
    long first = 0;
    for (long left = length; left > 0;) {
      const long half_left = left / 2;
      const int is_number = line[first + half_left] == line[first + half_left];
      first = is_number ? first + half_left + 1 : first;
      left = is_number ? left - half_left - 1 : half_left;
    }
    valid = first;
    if (valid == 0) {
      results[at] = NAN;
      return;
    }
  }`;
  return `${doubles ? "#pragma OPENCL EXTENSION cl_khr_fp64 : enable" : ""}
#pragma OPENCL FP_CONTRACT OFF
__kernel void quantiles(__global const ${type} *const elements, const long lines, const long length,
                        __global const ${place} *const fractions, const long count, const int method, const int omit,
                        __global ${real} *const results) {
  const long at = get_global_id(0);
  if (at >= lines * count) return;
  __global const ${type} *const line = elements + at % lines * length;
  long valid = length;${kindOf(dtype) === 3 ? none : ""}
  if (method == ${medianNumber}) {
    const ${real} below = (${real})line[(valid - 1) / 2];
    results[at] = valid % 2 == 1 ? below : (${real})((below + (${real})line[valid / 2]) / 2);
    return;
  }
  const ${place} place = fractions[at / lines] * (valid - 1);
  const long floor_place = clamp((long)floor(place), 0L, valid - 1);
  const long next = min(floor_place + 1, valid - 1);
  const ${place} fraction = place - floor(place);
  if (method == 1 || fraction == 0) {
    results[at] = (${real})line[floor_place];
  } else if (method == 2) {
    results[at] = (${real})line[next];
  } else if (method == 4) {
    results[at] = (${real})line[clamp((long)rint(place), 0L, valid - 1)];
  } else {
    const ${real} low = (${real})line[floor_place];
    const ${real} high = (${real})line[next];
    const ${real} part = method == 3 ? (${real})0.5f : (${real})fraction;
    const ${real} distance = high - low;
    // From the nearer of both, so that the ends are exact.
    const ${real} value = part >= 0.5f ? high - distance * (1 - part) : low + distance * part;
    results[at] = low == high ? low : value;
  }
}
`;
}
