/** How often which duration occurs. */

/** A histogram's bars. */
export interface Bins {
  /** Where the bars begin and end: one more than there are. */
  readonly edges: readonly number[];
  readonly counts: readonly number[];
}

/** Bars of durations, equally wide, or equally wide on a logarithmic axis. All durations are in one of them. */
export function bins(durations: ArrayLike<number>, count: number, logarithmic: boolean): Bins {
  let [least, most] = [Number.POSITIVE_INFINITY, 0];
  for (let i = 0; i < durations.length; i++) {
    least = Math.min(least, durations[i] as number);
    most = Math.max(most, durations[i] as number);
  }
  if (durations.length === 0) return { edges: [], counts: [] };
  if (logarithmic) least = Math.max(1, least);
  if (most <= least) {
    // One value: a bar around it.
    [least, most] = [least * 0.9, Math.max(most, least) * 1.1 + 1];
  }
  const edges = Array.from({ length: count + 1 }, (_, i) =>
    logarithmic ? least * (most / least) ** (i / count) : least + ((most - least) * i) / count,
  );
  const counts = Array.from({ length: count }, () => 0);
  const place = logarithmic
    ? (value: number): number => Math.log(Math.max(value, least) / least) / Math.log(most / least)
    : (value: number): number => (value - least) / (most - least);
  for (let i = 0; i < durations.length; i++) {
    const bin = Math.min(count - 1, Math.max(0, Math.floor(place(durations[i] as number) * count)));
    counts[bin] = (counts[bin] as number) + 1;
  }
  return { edges, counts };
}

/** A number of bars that shows the shape of so many values. */
export function binCount(values: number): number {
  return Math.max(8, Math.min(60, Math.ceil(3 * Math.cbrt(values))));
}
