/**
 * The distribution of times, in bins that grow by 2 %: any quantile is known to 1 %, in a few hundred numbers at most, and
 * two of them are merged by adding. Native code fills them (native/statistics.cc).
 */
import { checkOptions, typeError } from "../check.js";

/** A histogram with bins that grow by a constant factor. */
export interface TimeSketch {
  /** How far a quantile may be from the truth, 0.01. The bins' factor is (1 + e) / (1 - e). */
  readonly relativeError: number;
  /** Times of 0. */
  readonly zeros: number;
  /** The number of the first bin: bin i holds times above factor^(i-1) and up to factor^i nanoseconds. */
  readonly first: number;
  /** How many times are in each bin, without empty ones at the ends. */
  readonly bins: readonly number[];
}

const error = 0.01;
const factor = (1 + error) / (1 - error);

/** What a share of the times, of which there is one at least, does not exceed. */
export function quantileOf({ zeros, first, bins }: TimeSketch, count: number, share: number): number {
  // As many as must lie below: the nearest rank.
  let left = Math.max(1, Math.ceil(share * count)) - zeros;
  if (left <= 0) return 0;
  let i = 0;
  for (; i < bins.length - 1; i++) {
    left -= bins[i] as number;
    if (left <= 0) break;
  }
  // As far from one end of the bin as from the other, relatively.
  return (2 * factor ** (first + i)) / (factor + 1);
}

/** The times of all of them. */
export function mergeSketches(all: readonly { readonly sketch: TimeSketch }[]): TimeSketch {
  let zeros = 0;
  let first = Infinity;
  let end = -Infinity;
  for (const { sketch } of all) {
    zeros += sketch.zeros;
    if (sketch.bins.length === 0) continue;
    first = Math.min(first, sketch.first);
    end = Math.max(end, sketch.first + sketch.bins.length);
  }
  if (end < first) return { relativeError: error, zeros, first: 0, bins: [] };
  const bins: number[] = [];
  for (let i = first; i < end; i++) bins.push(0);
  for (const { sketch } of all) {
    const at = sketch.first - first;
    for (let i = 0; i < sketch.bins.length; i++) bins[at + i] = (bins[at + i] as number) + (sketch.bins[i] as number);
  }
  return { relativeError: error, zeros, first, bins };
}

/** A sketch of other bins cannot be merged. */
export function checkSketch(value: TimeSketch, name: string): TimeSketch {
  const sketch = value === undefined ? undefined : checkOptions(value, name);
  const fits = sketch?.relativeError === error && Array.isArray(sketch.bins) && Number.isInteger(sketch.first);
  if (!fits) throw typeError(name, `a sketch of ${error} relative error`, value);
  return sketch;
}
