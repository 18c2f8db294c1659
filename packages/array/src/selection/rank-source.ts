/**
 * Radix select for CPUs. No elements are moved before their ranks are known, so a pass is a single read: to select few of
 * many elements takes a small part of the time of a sort.
 */
import { macros } from "../kernels/macros.js";
import { type KeyPlan, keySource, keyTypeOf } from "../sorting/key-source.js";
import rank from "./rank.cl";
import results from "./rank-results.cl";

/** Bits of a digit: two histograms of this size fit into the L1 cache together with the input. */
const maxBits = 11;

/** How keys are divided in digits. */
export interface RankDigits {
  readonly passes: number;
  readonly bins: number;
}

/** The digits of a type's keys, which are one integer: not those of complex128. */
export function rankDigits(dtype: KeyPlan["dtype"]): RankDigits {
  const bits = 8 * keyTypeOf(dtype).digits;
  const passes = Math.ceil(bits / maxBits);
  return { passes, bins: 2 ** Math.ceil(bits / passes) };
}

/** The program of `count`, `pick`, and what takes: `take_first`, `take_each`, `divide`, `divide_places`. */
export function rankSource(plan: KeyPlan): string {
  const { passes, bins } = rankDigits(plan.dtype);
  return `${keySource(plan)}${macros({ PASSES: passes, BINS: bins, DIGIT_BITS: Math.log2(bins) })}${rank}${results}`;
}
