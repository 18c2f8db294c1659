/**
 * OpenCL C that computes quantiles: from sorted lines with NaN last, or from the two elements adjacent to each
 * quantile, found by rank.
 */
import { computeType } from "../kernels/compute-type.js";
import type { DTypeName } from "../types/dtype-name.js";
import { kindOf } from "../types/promote.js";

/** Methods for quantiles between two elements. */
export const quantileMethods = ["linear", "lower", "higher", "midpoint", "nearest"] as const;

/**
 * The method number of the median, which needs no interpolation position: it is the mean of the two middle elements.
 */
export const medianNumber = 5;

/** What the text depends on. */
export interface QuantilePlan {
  /** The type of the elements, and of the results. */
  readonly dtype: DTypeName;
  readonly result: DTypeName;
  /** Places are found with doubles where there are some. */
  readonly doubles: boolean;
  readonly from: "sorted" | "picked";
}

/** The program of `quantiles`, and for elements that are picked of `set_ranks`, which says which ones these are. */
export function quantileSource(plan: QuantilePlan): string {
  const { dtype, result, doubles, from } = plan;
  const type = computeType(dtype);
  const real = computeType(result);
  const place = doubles ? "double" : "float";
  return `${doubles ? "#pragma OPENCL EXTENSION cl_khr_fp64 : enable" : ""}
#pragma OPENCL FP_CONTRACT OFF
${ranksOf(place)}
${from === "sorted" ? "" : picking(plan, place)}
__kernel void quantiles(__global const ${type} *const elements, const long lines, const long length,
                        __global const ${place} *const fractions, const long count, const int method,
                        ${from === "sorted" ? "" : "__global const uint *const nones, const uint chunks, "}const int omit,
                        __global ${real} *const results) {
  const long at = get_global_id(0);
  if (at >= lines * count) return;
  const long line_number = at % lines;
${from === "sorted" ? inLine(plan) : inPair(plan)}
  if (method == ${medianNumber}) {
    results[at] = valid % 2 == 1 ? (${real})below : (${real})(((${real})below + (${real})above) / 2);
  } else if (method == 1 || ranks.fraction == 0) {
    results[at] = (${real})below;
  } else if (method == 2) {
    results[at] = (${real})above;
  } else if (method == 4) {
    results[at] = (${real})((long)rint(ranks.place) <= ranks.below ? below : above);
  } else {
    const ${real} low = (${real})below;
    const ${real} high = (${real})above;
    const ${real} part = method == 3 ? (${real})0.5f : (${real})ranks.fraction;
    const ${real} distance = high - low;
    // From the nearer of both, so that the ends are exact.
    const ${real} value = part >= 0.5f ? high - distance * (1 - part) : low + distance * part;
    results[at] = low == high ? low : value;
  }
}
`;
}

const ranksOf = (place: string): string => `
typedef struct {
  long below;
  long above;
  ${place} place;
  ${place} fraction;
} Ranks;

/* The elements on both sides of a place among those that are numbers. */
Ranks ranks_of(const ${place} part, const long valid, const int method) {
  Ranks ranks;
  ranks.place = part * (valid - 1);
  ranks.fraction = ranks.place - floor(ranks.place);
  ranks.below = clamp((long)floor(ranks.place), 0L, valid - 1);
  ranks.above = min(ranks.below + 1, valid - 1);
  if (method == ${medianNumber}) {
    ranks.below = (valid - 1) / 2;
    ranks.above = valid / 2;
  }
  return ranks;
}
`;

/** Elements of a line in order. */
function inLine({ dtype }: QuantilePlan): string {
  const type = computeType(dtype);
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
  return `  __global const ${type} *const line = elements + line_number * length;
  long valid = length;${kindOf(dtype) === 3 ? none : ""}
  const Ranks ranks = ranks_of(fractions[at / lines], valid, method);
  const ${type} below = line[ranks.below];
  const ${type} above = line[ranks.above];`;
}

/** The two elements that were picked for the result: pairs for each line, and for each of its quantiles. */
function inPair({ dtype }: QuantilePlan): string {
  const type = computeType(dtype);
  const none = `
  if (valid == 0 || (valid < length && !omit)) {
    results[at] = NAN;
    return;
  }`;
  return `  const long valid = numbers_in(nones, chunks, line_number, length);${kindOf(dtype) === 3 ? none : ""}
  const Ranks ranks = ranks_of(fractions[at / lines], valid, method);
  const long pair = line_number * count + at / lines;
  const ${type} below = elements[2 * pair];
  const ${type} above = elements[2 * pair + 1];`;
}

function picking({ dtype }: QuantilePlan, place: string): string {
  const body = `long valid = length;
  for (uint k = 0; k < chunks; k++) valid -= nones[line * chunks + k];
  return valid;`;
  return `
long numbers_in(__global const uint *const nones, const uint chunks, const long line, const long length) {
  ${kindOf(dtype) === 3 ? body : "return length;"}
}

__kernel void set_ranks(const long lines, const long length, __global const ${place} *const fractions, const long count,
                        const int method, __global const uint *const nones, const uint chunks,
                        __global uint *const all_ranks) {
  const long pair = get_global_id(0);
  if (pair >= lines * count) return;
  // Where there are no numbers, it does not matter which element is taken.
  const long valid = max(numbers_in(nones, chunks, pair / count, length), 1L);
  const Ranks ranks = ranks_of(fractions[pair % count], valid, method);
  all_ranks[2 * pair] = (uint)ranks.below;
  all_ranks[2 * pair + 1] = (uint)ranks.above;
}
`;
}
