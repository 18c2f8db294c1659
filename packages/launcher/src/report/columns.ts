/** The columns that tables of statistics can have. No part of Node.js is used here: the page of the report has this, too. */
import type { StatisticsRow } from "./statistics-row.js";

/**
 * What a column is called in options: a field of {@link StatisticsRow}, or the share of the total of all commands; for a step
 * on the host, of the total of all such steps.
 */
export type StatisticsColumn = "name" | "kind" | NumberColumn;

/** Columns of numbers. */
export type NumberColumn =
  | "count"
  | "failed"
  | "total"
  | "share"
  | "mean"
  | "std"
  | "min"
  | "p50"
  | "p95"
  | "max"
  | "queueDelay"
  | "submitDelay"
  | "bytes"
  | "gbPerSecond";

/** What a column's numbers are. */
export type Quantity = "count" | "time" | "share" | "bytes" | "rate";

/** How each column of numbers is shown. */
export const numberColumns: Readonly<Record<NumberColumn, { readonly title: string; readonly quantity: Quantity }>> = {
  count: { title: "count", quantity: "count" },
  failed: { title: "failed", quantity: "count" },
  total: { title: "total", quantity: "time" },
  share: { title: "share", quantity: "share" },
  mean: { title: "mean", quantity: "time" },
  std: { title: "std", quantity: "time" },
  min: { title: "min", quantity: "time" },
  p50: { title: "p50", quantity: "time" },
  p95: { title: "p95", quantity: "time" },
  max: { title: "max", quantity: "time" },
  queueDelay: { title: "queued", quantity: "time" },
  submitDelay: { title: "submitted", quantity: "time" },
  bytes: { title: "bytes", quantity: "bytes" },
  gbPerSecond: { title: "GB/s", quantity: "rate" },
};

/** All columns, in the order in which they stand. */
export const statisticsColumns: readonly StatisticsColumn[] = [
  "name",
  "kind",
  ...(Object.keys(numberColumns) as NumberColumn[]),
];

/** True for one with numbers. */
export function isNumberColumn(column: StatisticsColumn): column is NumberColumn {
  return column !== "name" && column !== "kind";
}

/** What shares are of. The host's time and the device's pass at once, and are no parts of one whole. */
export interface Totals {
  readonly host: number;
  readonly device: number;
}

/** The totals of all rows. */
export function totalsOf(rows: readonly StatisticsRow[]): Totals {
  const [host, device] = [true, false].map((wanted) =>
    totalOf(rows.filter(({ kind }) => (kind === "host") === wanted)),
  );
  return { host: host as number, device: device as number };
}

/** A row's number; NaN where it has none. */
export function numberIn(row: StatisticsRow, column: NumberColumn, totals: Totals): number {
  if (column === "share") {
    const all = row.kind === "host" ? totals.host : totals.device;
    return all > 0 ? row.total / all : Number.NaN;
  }
  if (column === "failed") return row.failed ?? 0;
  return row[column] ?? Number.NaN;
}

/** What a row is called: its launchers, and its own name unless the last of them has it. */
export function rowLabel(row: Pick<StatisticsRow, "name" | "launcher">): string {
  const { name, launcher } = row;
  if (launcher === undefined || launcher === "") return name;
  return launcher === name || launcher.endsWith(` > ${name}`) ? launcher : `${launcher}: ${name}`;
}

/** The total of all rows. */
export function totalOf(rows: readonly StatisticsRow[]): number {
  return rows.reduce((sum, { total }) => sum + (Number.isFinite(total) ? total : 0), 0);
}

/** The rows by a column: numbers from the largest, those that are not there last; words from A. */
export function sortRows(
  rows: readonly StatisticsRow[],
  column: StatisticsColumn,
  direction?: "ascending" | "descending",
): StatisticsRow[] {
  const totals = totalsOf(rows);
  const sign = (direction ?? (isNumberColumn(column) ? "descending" : "ascending")) === "ascending" ? 1 : -1;
  return Array.from(rows).sort((a, b) => {
    if (!isNumberColumn(column)) {
      const [one, other] = column === "name" ? [rowLabel(a), rowLabel(b)] : [a.kind, b.kind];
      return sign * (one < other ? -1 : Number(one > other));
    }
    const [one, other] = [numberIn(a, column, totals), numberIn(b, column, totals)];
    if (Number.isNaN(one) || Number.isNaN(other)) return Number(Number.isNaN(one)) - Number(Number.isNaN(other));
    return sign * (one - other);
  });
}
