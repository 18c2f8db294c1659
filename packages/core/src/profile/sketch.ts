/**
 * Distributions of times, as histograms whose bins grow by 2 %: quantiles have a relative error of 1 %, a few hundred
 * bins suffice, and sketches are merged by addition. Filled by native/profiling/statistics.cc.
 */
import { checkObject, typeError } from "@cl/base";

/** A histogram with bins that grow by a constant factor. */
export interface TimeSketch {
  /** Relative error e of quantiles: 0.01. The bins grow by (1 + e) / (1 - e). */
  readonly relativeError: number;
  /** Number of times equal to 0. */
  readonly zeros: number;
  /** Indices of non-empty bins, ascending: bin i holds times in (factor^(i-1), factor^i] nanoseconds. */
  readonly bins: readonly number[];
  /** Number of times in each of these bins. */
  readonly counts: readonly number[];
}

const error = 0.01;
const factor = (1 + error) / (1 - error);

/** Returns the quantile `share` of `count` times, which must be at least 1. */
export function quantileOf({ zeros, bins, counts }: TimeSketch, count: number, share: number): number {
  // Nearest rank.
  let remaining = Math.max(1, Math.ceil(share * count)) - zeros;
  if (remaining <= 0) return 0;
  let i = 0;
  for (; i < bins.length - 1; i++) {
    remaining -= counts[i] as number;
    if (remaining <= 0) break;
  }
  // Same relative distance to both ends of the bin.
  return (2 * factor ** (bins[i] as number)) / (factor + 1);
}

/** Exceeds the number of bins for 64-bit times. */
const maxBins = 2300;
const sums = new Float64Array(maxBins);

/** Returns the sum of several sketches. */
export function mergeSketches(statistics: readonly { readonly sketch: TimeSketch }[]): TimeSketch {
  let zeros = 0;
  let last = -1;
  for (const { sketch } of statistics) {
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

/** Throws unless `value` is a valid sketch with the same bins. */
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
    bins.every((bin) => isBelow(bin, maxBins)) &&
    counts.every((count) => isBelow(count, Infinity));
  if (!fits) throw typeError(name, `a sketch with relativeError ${error}`, value);
  return value;
}

function isBelow(value: unknown, limit: number): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < limit;
}
