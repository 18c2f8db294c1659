/** Histogram bins. */

/** Bars of a histogram. */
export interface Bins {
  /** Edges of the bars: one more than bars. */
  readonly edges: readonly number[];
  readonly counts: readonly number[];
}

/** Returns bins of equal width on a linear or logarithmic axis, which contain all durations. */
export function bins(durations: ArrayLike<number>, count: number, logarithmic: boolean): Bins {
  let [min, max] = [Number.POSITIVE_INFINITY, 0];
  for (let i = 0; i < durations.length; i++) {
    min = Math.min(min, durations[i] as number);
    max = Math.max(max, durations[i] as number);
  }
  if (durations.length === 0) return { edges: [], counts: [] };
  if (logarithmic) min = Math.max(1, min);
  if (max <= min) {
    // A single value: use a bar around it.
    [min, max] = [min * 0.9, Math.max(max, min) * 1.1 + 1];
  }
  const edges = Array.from({ length: count + 1 }, (_, i) =>
    logarithmic ? min * (max / min) ** (i / count) : min + ((max - min) * i) / count,
  );
  const counts = Array.from({ length: count }, () => 0);
  const position = logarithmic
    ? (value: number): number => Math.log(Math.max(value, min) / min) / Math.log(max / min)
    : (value: number): number => (value - min) / (max - min);
  for (let i = 0; i < durations.length; i++) {
    const bin = Math.min(count - 1, Math.max(0, Math.floor(position(durations[i] as number) * count)));
    counts[bin] = (counts[bin] as number) + 1;
  }
  return { edges, counts };
}

/** Returns a number of bars that shows the distribution of this many values. */
export function binCount(values: number): number {
  return Math.max(8, Math.min(60, Math.ceil(3 * Math.cbrt(values))));
}
