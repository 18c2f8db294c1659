/** Formats the numbers of a column, each with its own unit: the numbers of one row are compared more often than those of a column. */
import { type NumberColumn, numberColumns, type Quantity } from "./columns.js";
import { absent, formatBytes, formatShare, formatTime } from "@cl/base/units";

const formats: Readonly<Record<Quantity, (value: number) => string>> = {
  count: (value) => (Number.isFinite(value) ? String(value) : absent),
  time: formatTime,
  share: formatShare,
  bytes: formatBytes,
  rate: (value) => (Number.isFinite(value) ? value.toPrecision(3) : absent),
};

/** Returns the title, and each number. */
export function numberCells(column: NumberColumn, values: readonly number[]): string[] {
  const { title, quantity } = numberColumns[column];
  return [title, ...values.map(formats[quantity])];
}

/** Returns a bar for a share, in eighths of a character. */
export function bar(share: number, width: number): string {
  const eighths = Number.isFinite(share) ? Math.round(Math.min(1, Math.max(0, share)) * width * 8) : 0;
  const rest = eighths % 8;
  const text = "█".repeat(Math.floor(eighths / 8)) + (rest === 0 ? "" : (" ▏▎▍▌▋▊▉"[rest] as string));
  return text.padEnd(width);
}
