/** Formats the numbers of a column in one unit, with aligned decimal points. */
import { type NumberColumn, numberColumns } from "./columns.js";
import { percentile } from "../model/percentile.js";
import { absent, byteUnit, formatShare, timeUnit, type Unit } from "@cl/base/units";

/** Returns the title with its unit, and each number. */
export function numberCells(column: NumberColumn, values: readonly number[]): string[] {
  const { title, quantity } = numberColumns[column];
  switch (quantity) {
    case "count":
      return [title, ...values.map((value) => (Number.isFinite(value) ? String(value) : absent))];
    case "share":
      return [title, ...values.map(formatShare)];
    case "rate":
      return [title, ...inUnit(values, { name: "GB/s", size: 1 })];
    case "time":
    case "bytes": {
      const unit = (quantity === "time" ? timeUnit : byteUnit)(typical(values));
      return [`${title} [${unit.name}]`, ...inUnit(values, unit)];
    }
    default:
      return quantity satisfies never;
  }
}

/** Returns a bar for a share, in eighths of a character. */
export function bar(share: number, width: number): string {
  const eighths = Number.isFinite(share) ? Math.round(Math.min(1, Math.max(0, share)) * width * 8) : 0;
  const rest = eighths % 8;
  const text = "█".repeat(Math.floor(eighths / 8)) + (rest === 0 ? "" : (" ▏▎▍▌▋▊▉"[rest] as string));
  return text.padEnd(width);
}

function inUnit(values: readonly number[], unit: Unit): string[] {
  const decimals = decimalsFor(typical(values) / unit.size);
  return values.map((value) => (Number.isFinite(value) ? (value / unit.size).toFixed(decimals) : absent));
}

/** Returns the median of the nonzero values, which determines the unit. */
function typical(values: readonly number[]): number {
  const sizes = values.filter((value) => Number.isFinite(value) && value !== 0).map(Math.abs);
  const middle = percentile(
    sizes.sort((a, b) => a - b),
    0.5,
  );
  return Number.isNaN(middle) ? 0 : middle;
}

/** Returns the number of decimals that show three significant digits. */
function decimalsFor(value: number): number {
  const size = Math.abs(value);
  if (!(size > 0) || !Number.isFinite(size)) return 0;
  return Math.min(3, Math.max(0, 2 - Math.floor(Math.log10(size))));
}
