/**
 * The distribution of times, in bins that grow by 2 %: any quantile is known to 1 %, in a few hundred numbers at most, and
 * two of them are merged by adding. Native code fills them (native/profiling/statistics.cc).
 */
import { checkObject, typeError } from "@cl/base";

/** A histogram with bins that grow by a constant factor. */
export interface TimeSketch {
  /** How far a quantile may be from the truth, 0.01. The bins' factor is (1 + e) / (1 - e). */
  readonly relativeError: number;
  /** Times of 0. */
  readonly zeros: number;
  /** The numbers of bins that are not empty, rising: bin i holds times above factor^(i-1) and up to factor^i nanoseconds. */
  readonly bins: readonly number[];
  /** How many times are in each of these. */
  readonly counts: readonly number[];
}

const error = 0.01;
const factor = (1 + error) / (1 - error);

/** What a share of the times, of which there is one at least, does not exceed. */
export function quantileOf({ zeros, bins, counts }: TimeSketch, count: number, share: number): number {
  // As many as must lie below: the nearest rank.
  let left = Math.max(1, Math.ceil(share * count)) - zeros;
  if (left <= 0) return 0;
  let i = 0;
  for (; i < bins.length - 1; i++) {
    left -= counts[i] as number;
    if (left <= 0) break;
  }
  // As far from one end of the bin as from the other, relatively.
  return (2 * factor ** (bins[i] as number)) / (factor + 1);
}

/** More bins than times of 64 bits can have. */
const most = 2300;
const sums = new Float64Array(most);

/** The times of all of them. */
export function mergeSketches(all: readonly { readonly sketch: TimeSketch }[]): TimeSketch {
  let zeros = 0;
  let last = -1;
  for (const { sketch } of all) {
    zeros += sketch.zeros;
    for (let i = 0; i < sketch.bins.length; i++) {
      const bin = sketch.bins[i] as number;
      sums[bin] = (sums[bin] as number) + (sketch.counts[i] as number);
      if (bin > last) last = bin;
    }
  }
  const bins: number[] = [];
  const counts: number[] = [];
  for (let bin = 0; bin <= last; bin++) {
    const count = sums[bin] as number;
    if (count === 0) continue;
    bins.push(bin);
    counts.push(count);
    sums[bin] = 0;
  }
  return { relativeError: error, zeros, bins, counts };
}

/** A sketch of other bins cannot be merged. */
export function checkSketch(value: TimeSketch, name: string): TimeSketch {
  const sketch = value === undefined ? undefined : checkObject(value, name);
  const bins: unknown = sketch?.bins;
  const counts: unknown = sketch?.counts;
  const fits =
    sketch?.relativeError === error &&
    Array.isArray(bins) &&
    Array.isArray(counts) &&
    bins.length === counts.length &&
    isBelow(sketch.zeros, Infinity) &&
    bins.every((bin) => isBelow(bin, most)) &&
    counts.every((count) => isBelow(count, Infinity));
  if (!fits) throw typeError(name, `a sketch of ${error} relative error`, value);
  return value;
}

function isBelow(value: unknown, limit: number): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < limit;
}
