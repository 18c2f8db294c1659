/** Numbers as people read them. No part of Node.js is used here: the page of the report has this, too. */

/** A unit, and how many of the base unit it is. */
export interface Unit {
  readonly name: string;
  readonly size: number;
}

const timeUnits: readonly Unit[] = [
  { name: "ns", size: 1 },
  { name: "µs", size: 1e3 },
  { name: "ms", size: 1e6 },
  { name: "s", size: 1e9 },
  { name: "min", size: 60e9 },
  { name: "h", size: 3600e9 },
];

const byteUnits: readonly Unit[] = [
  { name: "B", size: 1 },
  { name: "KiB", size: 2 ** 10 },
  { name: "MiB", size: 2 ** 20 },
  { name: "GiB", size: 2 ** 30 },
  { name: "TiB", size: 2 ** 40 },
];

/** What is shown for a number that is not there. */
export const absent = "–";

/** The unit for a time in nanoseconds: the largest that is not larger. Minutes begin at two, since 90 s reads well. */
export function timeUnit(ns: number): Unit {
  const size = Math.abs(ns);
  return unitOf(timeUnits, size, (unit) => (unit.size > 1e9 ? 2 * unit.size : unit.size));
}

/** The unit for a number of bytes. */
export function byteUnit(bytes: number): Unit {
  return unitOf(byteUnits, Math.abs(bytes), (unit) => unit.size);
}

/** A time with its unit, in three or four digits: `12.3 µs`. */
export function formatTime(ns: number): string {
  return withUnit(ns, timeUnit(ns));
}

/** An amount of memory with its unit. */
export function formatBytes(bytes: number): string {
  return withUnit(bytes, byteUnit(bytes));
}

/** A share, as a percentage. */
export function formatShare(share: number): string {
  return Number.isFinite(share) ? `${(100 * share).toFixed(1)} %` : absent;
}

/** An integer in groups of three digits. */
export function formatCount(count: number): string {
  return Number.isFinite(count) ? String(count).replace(/\B(?=(\d{3})+$)/g, "\u202f") : absent;
}

/** How many decimals show three digits of a number. */
export function decimalsFor(value: number, digits = 3): number {
  const size = Math.abs(value);
  if (!(size > 0) || !Number.isFinite(size)) return 0;
  return Math.min(digits, Math.max(0, digits - 1 - Math.floor(Math.log10(size))));
}

function unitOf(units: readonly Unit[], size: number, from: (unit: Unit) => number): Unit {
  let chosen = units[0] as Unit;
  for (const unit of units) if (size >= from(unit)) chosen = unit;
  return chosen;
}

function withUnit(value: number, { name, size }: Unit): string {
  if (!Number.isFinite(value)) return absent;
  const scaled = value / size;
  const text = scaled.toFixed(decimalsFor(scaled));
  // What cannot have fractions, or has none, shows none.
  return `${Number.isInteger(scaled) ? String(scaled) : text} ${name}`;
}
