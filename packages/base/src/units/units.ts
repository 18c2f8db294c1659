/** Formats numbers with units. Integers are exact, other numbers are rounded to three digits. */

/** A unit and its size in base units. */
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
const byteUnits = ["B", "KiB", "MiB", "GiB", "TiB"].map((name, i): Unit => ({ name, size: 1024 ** i }));
const prefixes = ["", "k", "M", "G", "T", "P", "E"].map((name, i): Unit => ({ name, size: 1000 ** i }));

/** Text for a number that is missing or not finite. */
export const absent = "–";

/** Returns the largest unit that is not larger than a time in nanoseconds. Minutes start at 120 s. */
export function timeUnit(ns: number): Unit {
  return unitOf(timeUnits, ns, (unit) => (unit.size > 1e9 ? 2 * unit.size : unit.size));
}

/** Returns the largest unit that is not larger than a number of bytes. */
export function byteUnit(bytes: number): Unit {
  return unitOf(byteUnits, bytes);
}

/** Formats a time in nanoseconds: `12.3 µs`. */
export function formatTime(ns: number): string {
  return withUnit(ns, timeUnit(rounded(ns)), " ");
}

/** Formats a number of bytes: `1.5 KiB`. */
export function formatBytes(bytes: number): string {
  return withUnit(bytes, byteUnit(bytes), " ");
}

/** Formats a rate with a decimal prefix: `21.4 GB/s`. */
export function formatRate(value: number, unit: string): string {
  const { name, size } = unitOf(prefixes, rounded(value));
  return withUnit(value, { name: `${name}${unit}`, size }, " ");
}

/** Formats a number with a decimal prefix: `2.5M`. */
export function formatCompact(value: number): string {
  return withUnit(value, unitOf(prefixes, rounded(value)), "");
}

/** Formats a fraction as a percentage: `12.3 %`. */
export function formatShare(share: number): string {
  return Number.isFinite(share) ? `${(100 * share).toFixed(1)} %` : absent;
}

/** Formats an integer in groups of three digits. */
export function formatCount(count: number, separator = "\u202f"): string {
  return Number.isFinite(count) ? String(count).replace(/\B(?=(\d{3})+$)/g, separator) : absent;
}

function unitOf(units: readonly Unit[], value: number, from = (unit: Unit): number => unit.size): Unit {
  return units.findLast((unit) => Math.abs(value) >= from(unit)) ?? (units[0] as Unit);
}

function withUnit(value: number, { name, size }: Unit, space: string): string {
  if (!Number.isFinite(value)) return absent;
  const scaled = value / size;
  const digits = Number.isInteger(scaled) ? scaled : Math.abs(scaled) < 1000 ? rounded(scaled) : Math.round(scaled);
  return `${digits}${space}${name}`;
}

/** Rounds to three digits, so that 999.7 ns is shown as 1 µs and not as 1000 ns. */
function rounded(value: number): number {
  return Number(value.toPrecision(3));
}
