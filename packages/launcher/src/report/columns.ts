/** The columns that tables of statistics can have. No part of Node.js is used here: the page of the report has this, too. */
import type { StatisticsRow } from "./statistics-row.js";

/** What a column is called in options: a field of {@link StatisticsRow}, or the share of all rows' total. */
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

/** A row's number; NaN where it has none. `all` is the total of all rows. */
export function numberIn(row: StatisticsRow, column: NumberColumn, all: number): number {
  if (column === "share") return all > 0 ? row.total / all : Number.NaN;
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
  const all = totalOf(rows);
  const sign = (direction ?? (isNumberColumn(column) ? "descending" : "ascending")) === "ascending" ? 1 : -1;
  return Array.from(rows).sort((a, b) => {
    if (!isNumberColumn(column)) {
      const [one, other] = column === "name" ? [rowLabel(a), rowLabel(b)] : [a.kind, b.kind];
      return sign * (one < other ? -1 : Number(one > other));
    }
    const [one, other] = [numberIn(a, column, all), numberIn(b, column, all)];
    if (Number.isNaN(one) || Number.isNaN(other)) return Number(Number.isNaN(one)) - Number(Number.isNaN(other));
    return sign * (one - other);
  });
}
