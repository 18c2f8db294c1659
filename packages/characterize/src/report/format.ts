/** Numbers as people read them: three digits, and a prefix for the size. */
import type { Quantity, Unit } from "../measure/quantity.js";

const large = ["", "k", "M", "G", "T", "P", "E"];
const small = ["", "m", "µ", "n", "p"];

/** A value with its unit, such as `21.4 GB/s` or `19 µs`. */
export function formatValue(value: number, unit: Unit): string {
  return `${scaled(value, unit === "s")} ${unitText(value, unit)}`;
}

/** A quantity's median with three digits, a prefix and its unit, such as `21.4 GB/s`. */
export function formatQuantity(quantity: Quantity): string {
  return formatValue(quantity.median, quantity.unit);
}

/** How far the samples spread around the median, in percent: half the distance from p10 to p90. */
export function formatSpread(quantity: Quantity): string {
  const { median, p10, p90 } = quantity;
  if (median === 0) return "";
  return `±${Math.round((50 * (p90 - p10)) / median)} %`;
}

/** Bytes with a binary prefix, such as `64 KiB`. */
export function formatBytes(bytes: number): string {
  const steps = bytes < 1024 ? 0 : Math.min(4, Math.floor(Math.log2(bytes) / 10));
  return `${digits(bytes / 1024 ** steps)} ${["B", "KiB", "MiB", "GiB", "TiB"][steps]}`;
}

/** A bare number with a prefix, such as `2.5M`. */
export function formatCount(value: number): string {
  return `${scaled(value, false)}${prefix(value, false)}`;
}

function unitText(value: number, unit: Unit): string {
  const sign = prefix(value, unit === "s");
  return unit === "launches/s" ? `${sign === "" ? "" : `${sign} `}launches/s` : `${sign}${unit}`;
}

function steps(value: number, downwards: boolean): number {
  if (!(value > 0) || !Number.isFinite(value)) return 0;
  // By the rounded value, so that 999.7 becomes 1 k and not 1000.
  const exponent = Math.floor(Math.log10(Number(value.toPrecision(3))) / 3 + 1e-9);
  return downwards
    ? Math.max(0, Math.min(small.length - 1, -exponent))
    : Math.max(0, Math.min(large.length - 1, exponent));
}

function prefix(value: number, downwards: boolean): string {
  return (downwards ? small : large)[steps(value, downwards)] ?? "";
}

function scaled(value: number, downwards: boolean): string {
  return digits(downwards ? value * 1000 ** steps(value, true) : value / 1000 ** steps(value, false));
}

/** Three digits, no more zeros than they carry. */
function digits(value: number): string {
  return String(Number(value.toPrecision(3)));
}
