/** OpenCL C of binary search in sorted values, and of interpolation between them. */
import { computeType } from "../kernels/compute-type.js";
import type { DTypeName } from "../types/dtype-name.js";
import { kindOf } from "../types/promote.js";
import { orderCode } from "./order-code.js";

/** Number of values that a CPU work-item searches together, to overlap their memory latency. */
export const searchLanes = 16;

/** True if `middle` stands before the place of a value: the first of those that are equal, or with `after` the last. */
function beforeCode(dtype: DTypeName): string {
  const kind = kindOf(dtype);
  const text =
    kind === 4
      ? "after ? !less(value, middle) : less(middle, value)"
      : kind === 3
        ? "(middle < value) | ((middle == value) & after) | ((value != value) & (after | (middle == middle)))"
        : "(middle < value) | ((middle == value) & after)";
  return `int is_before(const value_t middle, const value_t value, const int after) { return ${text}; }\n`;
}

/* The number of steps depends on the length alone, so that adjacent work-items do not diverge. */
const search = (lanes: number, index: string): string => `
void search(__global const value_t *const sorted, const ${index} length, const value_t *const values, const int after,
            const int falls, ${index} *const first) {
  for (int j = 0; j < ${lanes}; j++) first[j] = 0;
  if (length == 0) return;
  for (${index} left = length; left > 1;) {
    const ${index} half_left = left / 2;
    for (int j = 0; j < ${lanes}; j++) {
      const int before = is_before(sorted[first[j] + half_left - 1], values[j], after) ^ falls;
      first[j] += before ? half_left : 0;
    }
    left -= half_left;
  }
  for (int j = 0; j < ${lanes}; j++) first[j] += is_before(sorted[first[j]], values[j], after) ^ falls;
}
`;

/** The program of `search_all`: a place for each value. With `any_order` values may fall, and count from the largest then. */
export function searchSource(dtype: DTypeName, lanes: number, short: boolean): string {
  const index = short ? "int" : "long";
  return `${orderCode(dtype)}${beforeCode(dtype)}${search(lanes, index)}
__kernel void search_all(
    __global const value_t *const sorted_memory, const long sorted_first, const long length,
    __global const value_t *const values, const long values_first, const long count,
    __global long *const places, const int after, const int any_order) {
  const long start = (long)get_global_id(0) * ${lanes};
  if (start >= count) return;
  __global const value_t *const sorted = sorted_memory + sorted_first;
  const int falls = any_order && length > 1 && less(sorted[length - 1], sorted[0]);
  value_t own[${lanes}];
  ${index} found[${lanes}];
  for (int j = 0; j < ${lanes}; j++) own[j] = values[values_first + min(start + j, count - 1)];
  search(sorted, (${index})length, own, after, falls, found);
  for (int j = 0; j < ${lanes}; j++) {
    if (start + j < count) places[start + j] = found[j];
  }
}
`;
}

/** The program of `interpolate`: values at places between those that are known, on straight lines. */
export function interpolateSource(dtype: DTypeName): string {
  const type = computeType(dtype);
  return `${orderCode(dtype)}${beforeCode(dtype)}${search(1, "long")}
#pragma OPENCL FP_CONTRACT OFF
__kernel void interpolate(
    __global const ${type} *const at, const long at_first, const long count,
    __global const ${type} *const known, const long known_first, const long length,
    __global const ${type} *const values_memory, const long values_first,
    __global const ${type} *const outside, const int has_left, const int has_right,
    __global ${type} *const result) {
  const long i = get_global_id(0);
  if (i >= count) return;
  __global const ${type} *const places = known + known_first;
  __global const ${type} *const values = values_memory + values_first;
  const ${type} x = at[at_first + i];
  long found;
  search(places, length, &x, 1, 0, &found);
  const long j = found - 1;
  ${type} y;
  if (x != x) {
    y = x;
  } else if (j < 0) {
    y = has_left ? outside[0] : values[0];
  } else if (j == length - 1) {
    y = x > places[j] && has_right ? outside[1] : values[j];
  } else if (places[j] == x) {
    y = values[j];
  } else {
    const ${type} slope = (values[j + 1] - values[j]) / (places[j + 1] - places[j]);
    y = slope * (x - places[j]) + values[j];
    // Infinities have no line between them, but may have one from the other side.
    if (y != y) y = slope * (x - places[j + 1]) + values[j + 1];
    if (y != y && values[j] == values[j + 1]) y = values[j];
  }
  result[i] = y;
}
`;
}
