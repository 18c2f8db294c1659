/**
 * Estimates the banks of local memory from the cost of strides.
 *
 * Memory with B banks of W bytes serves one word per bank at a time. Work-items that read words 2^k apart share fewer
 * banks as k grows: the time doubles with each doubling of the stride until all access one bank. Strides below the bank
 * width are free, and odd strides never conflict. So the stride at which the time stops growing is B × W bytes, and the
 * largest free stride is W. (If more work-items read simultaneously than there are banks, 8-byte banks look like twice
 * as many 4-byte banks: the conflicts are the same.)
 */
import type { BankEstimate } from "./characteristics.js";

const wordBytes = 4;

/** Estimates the banks from times by stride in words. The strides must include powers of two and some odd numbers. */
export function estimateBanks(points: readonly { readonly stride: number; readonly time: number }[]): BankEstimate {
  const notObservable = (reason: string): BankEstimate => ({ observable: false, reason });
  const base = points.find(({ stride }) => stride === 1)?.time;
  const powers = points
    .filter(({ stride }) => Number.isInteger(Math.log2(stride)))
    .toSorted((a, b) => a.stride - b.stride);
  if (base === undefined || powers.length < 4) return notObservable("too few strides could be measured");
  const slowdown = new Map(points.map(({ stride, time }) => [stride, time / base]));

  const maxSlowdown = Math.max(...powers.map(({ stride }) => slowdown.get(stride) ?? 1));
  if (maxSlowdown < MIN_CONFLICT) return notObservable("all strides take about the same time");
  const odd = points.filter(({ stride }) => stride > 1 && stride % 2 === 1);
  const worstOdd = Math.max(1, ...odd.map(({ stride }) => slowdown.get(stride) ?? 1));
  if (worstOdd > Math.sqrt(maxSlowdown)) return notObservable("odd strides are slow too, as with a cache");

  const fullConflict = powers.find(({ stride }) => (slowdown.get(stride) ?? 1) > maxSlowdown * FULL_CONFLICT);
  const last = powers.at(-1);
  if (fullConflict === undefined || last === undefined || fullConflict.stride === last.stride) {
    return notObservable("the time still grows at the largest stride that fits");
  }
  const after = powers.filter(({ stride }) => stride >= fullConflict.stride);
  if (after.some(({ stride }) => (slowdown.get(stride) ?? 1) < maxSlowdown * FULL_CONFLICT)) {
    return notObservable("the times of large strides vary too much");
  }
  const freeStride = powers.filter(({ stride }) => (slowdown.get(stride) ?? 1) < MAX_FREE).at(-1)?.stride ?? 1;
  const width = freeStride * wordBytes;
  return { observable: true, count: (fullConflict.stride * wordBytes) / width, width };
}

/** Minimum slowdown of a conflict, beyond noise. */
const MIN_CONFLICT = 3;
/** Fraction of the worst slowdown from which all work-items access one bank. One doubling less would be half of it. */
const FULL_CONFLICT = 0.75;
/** Maximum slowdown of a conflict-free stride. */
const MAX_FREE = 1.3;
