/** What a measurement is: not one number, but the middle of several and how far they spread. */

/** Units of the results: seconds, and things a second. */
export type Unit = "s" | "B/s" | "flop/s" | "op/s" | "launches/s";

/** A measured figure. Half of the samples are at most `median`, a tenth at most `p10`, nine tenths at most `p90`. */
export interface Quantity {
  readonly median: number;
  readonly p10: number;
  readonly p90: number;
  /** How many samples there were. */
  readonly samples: number;
  readonly unit: Unit;
}

/** The quantity that samples make. There must be at least one, and all must be finite. */
export function quantityOf(samples: readonly number[], unit: Unit): Quantity {
  if (samples.length === 0) throw new RangeError("a quantity needs at least one sample");
  const sorted = samples.toSorted((a, b) => a - b);
  if (!sorted.every(Number.isFinite)) throw new RangeError("a quantity's samples must be finite numbers");
  const [median, p10, p90] = [0.5, 0.1, 0.9].map((part) => quantile(sorted, part)) as [number, number, number];
  return { median, p10, p90, samples: sorted.length, unit };
}

/** From the seconds that one took: how many units of work a second, where one does `work` of them. */
export function rateOf(seconds: readonly number[], work: number, unit: Unit): Quantity {
  return quantityOf(
    seconds.map((time) => work / time),
    unit,
  );
}

/** The value below which so much of the sorted samples lies, between neighbours in proportion. */
function quantile(sorted: readonly number[], part: number): number {
  const position = (sorted.length - 1) * part;
  const below = Math.floor(position);
  const [low = NaN, high = low] = [sorted[below], sorted[below + 1]];
  return low + (high - low) * (position - below);
}

/** Whichever quantity has the highest median; nothing of nothing. */
export function fastest<T extends { readonly rate: Quantity }>(of: readonly T[]): T | undefined {
  return of.reduce<T | undefined>(
    (best, one) => (best === undefined || one.rate.median > best.rate.median ? one : best),
    undefined,
  );
}
