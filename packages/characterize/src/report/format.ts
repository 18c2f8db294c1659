/** Formats measured quantities. */
import { formatCompact, formatRate, formatTime } from "@cl/base/units";

import type { Quantity, Unit } from "../measure/quantity.js";

/** Formats a value with its unit, such as `21.4 GB/s` or `19 µs`. */
export function formatValue(value: number, unit: Unit): string {
  if (unit === "s") return formatTime(1e9 * value);
  return unit === "launches/s" ? `${formatCompact(value)} launches/s` : formatRate(value, unit);
}

/** Formats a quantity's median with three digits, a prefix and its unit, such as `21.4 GB/s`. */
export function formatQuantity(quantity: Quantity): string {
  return formatValue(quantity.median, quantity.unit);
}

/** Formats the spread of the samples as a percentage of the median: half the difference between p10 and p90. */
export function formatSpread(quantity: Quantity): string {
  const { median, p10, p90 } = quantity;
  if (median === 0) return "";
  return `±${Math.round((50 * (p90 - p10)) / median)} %`;
}
