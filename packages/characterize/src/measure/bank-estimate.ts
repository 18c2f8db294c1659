/**
 * Banks of local memory, from what strides cost.
 *
 * Memory of B banks of W bytes serves one word of each bank at a time. Items that read words 2^k apart meet in fewer
 * and fewer banks: the time doubles with each doubling of the stride, until all meet in one. Strides below the bank's
 * width cost nothing, odd ones never conflict. So the stride from which the time stays the same is B × W bytes, and the
 * last one that is free is W. (Where more items read at once than there are banks, banks of 8 bytes look like twice as
 * many of 4: the conflicts are the same.)
 */
import type { BankEstimate } from "./characteristics.js";

const wordBytes = 4;

/** Banks from times by stride, in words; of which the powers of two and some odd ones are needed. */
export function estimateBanks(points: readonly { readonly stride: number; readonly time: number }[]): BankEstimate {
  const no = (reason: string): BankEstimate => ({ observable: false, reason });
  const base = points.find(({ stride }) => stride === 1)?.time;
  const powers = points
    .filter(({ stride }) => Number.isInteger(Math.log2(stride)))
    .toSorted((a, b) => a.stride - b.stride);
  if (base === undefined || powers.length < 4) return no("too few strides could be measured");
  const slowdown = new Map(points.map(({ stride, time }) => [stride, time / base]));

  const most = Math.max(...powers.map(({ stride }) => slowdown.get(stride) ?? 1));
  if (most < CONFLICT) return no("no stride is much slower than another");
  const odd = points.filter(({ stride }) => stride > 1 && stride % 2 === 1);
  const worstOdd = Math.max(1, ...odd.map(({ stride }) => slowdown.get(stride) ?? 1));
  if (worstOdd > Math.sqrt(most)) return no("odd strides are slow as well, as where a cache decides");

  const full = powers.find(({ stride }) => (slowdown.get(stride) ?? 1) > most * FULL);
  const last = powers.at(-1);
  if (full === undefined || last === undefined || full.stride === last.stride) {
    return no("the slowdown still grows with the widest stride that fits");
  }
  const after = powers.filter(({ stride }) => stride >= full.stride);
  if (after.some(({ stride }) => (slowdown.get(stride) ?? 1) < most * FULL)) {
    return no("the slowdown does not settle");
  }
  const free = powers.filter(({ stride }) => (slowdown.get(stride) ?? 1) < FREE).at(-1)?.stride ?? 1;
  const width = free * wordBytes;
  return { observable: true, count: (full.stride * wordBytes) / width, width };
}

/** Slower than this is a conflict, and no accident. */
const CONFLICT = 3;
/** From this part of the worst slowdown on, all items meet. Half of it would be one doubling less. */
const FULL = 0.75;
/** Slower than this is not free. */
const FREE = 1.3;
