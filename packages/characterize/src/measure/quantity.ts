/** Measured quantities with their spread. */
import { outOfRange } from "@cl/base";

/** Units of quantities. */
export type Unit = "s" | "B/s" | "flop/s" | "op/s" | "launches/s";

/** Median, 10th and 90th percentile of a measurement. */
export interface Quantity {
  readonly median: number;
  readonly p10: number;
  readonly p90: number;
  /** Number of samples. */
  readonly samples: number;
  readonly unit: Unit;
}

/** Returns the quantity of some samples. Throws unless there is at least one and all are finite. */
export function quantityOf(samples: readonly number[], unit: Unit): Quantity {
  if (samples.length === 0) throw outOfRange("samples must not be empty");
  const sorted = samples.toSorted((a, b) => a - b);
  if (!sorted.every(Number.isFinite)) throw outOfRange("samples must be finite numbers");
  const [median, p10, p90] = [0.5, 0.1, 0.9].map((part) => quantile(sorted, part)) as [number, number, number];
  return { median, p10, p90, samples: sorted.length, unit };
}

/** Returns the units of work per second from samples of seconds for `work` units. */
export function rateOf(seconds: readonly number[], work: number, unit: Unit): Quantity {
  return quantityOf(
    seconds.map((time) => work / time),
    unit,
  );
}

/** Returns a quantile of sorted samples with linear interpolation. */
function quantile(sorted: readonly number[], part: number): number {
  const position = (sorted.length - 1) * part;
  const below = Math.floor(position);
  const [low = NaN, high = low] = [sorted[below], sorted[below + 1]];
  return low + (high - low) * (position - below);
}

/** Returns the entry with the highest median rate; `undefined` for an empty array. */
export function fastest<T extends { readonly rate: Quantity }>(entries: readonly T[]): T | undefined {
  return entries.reduce<T | undefined>(
    (best, entry) => (best === undefined || entry.rate.median > best.rate.median ? entry : best),
    undefined,
  );
}
