/** Validates rows of statistics. */
import { typeError } from "@cl/base";

import type { StatisticsRow } from "./statistics-row.js";

/** Returns the value if it is an array of objects, otherwise throws. Missing fields are shown as absent. */
export function checkStatistics(value: unknown, name: string): readonly StatisticsRow[] {
  if (!Array.isArray(value)) throw typeError(name, "an array of statistics", value);
  for (const [i, row] of (value as readonly unknown[]).entries()) {
    if (typeof row !== "object" || row === null) throw typeError(`${name}[${i}]`, "statistics", row);
  }
  return value as readonly StatisticsRow[];
}
