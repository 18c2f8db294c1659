/** Columns of statistics tables. Also used by the report page, so without Node.js modules. */
import type { StatisticsRow } from "../model/statistics-row.js";

/**
 * Name of a column in options: a field of {@link StatisticsRow}, or the share of the total time of all commands (for host
 * steps, of all host steps).
 */
export type StatisticsColumn = "name" | "kind" | NumberColumn;

/** Numeric columns. */
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
  | "gbPerSecond"
  | "imbalance"
  | "slowest";

export type Quantity = "count" | "time" | "share" | "bytes" | "rate";

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
  imbalance: { title: "imbalance", quantity: "share" },
  slowest: { title: "slowest", quantity: "count" },
};

/** All columns in display order. */
export const statisticsColumns: readonly StatisticsColumn[] = [
  "name",
  "kind",
  ...(Object.keys(numberColumns) as NumberColumn[]),
];

/** Whether a column is numeric. */
export function isNumberColumn(column: StatisticsColumn): column is NumberColumn {
  return column !== "name" && column !== "kind";
}

/** Totals for shares: host and device time are separate, since they overlap. */
export interface Totals {
  readonly host: number;
  readonly device: number;
}

export function totalsOf(rows: readonly StatisticsRow[]): Totals {
  const [host, device] = [true, false].map((isHost) =>
    totalOf(rows.filter(({ kind }) => (kind === "host") === isHost)),
  );
  return { host: host as number, device: device as number };
}

/** Returns a row's number; NaN if it has none. */
export function numberIn(row: StatisticsRow, column: NumberColumn, totals: Totals): number {
  if (column === "share") {
    const total = row.kind === "host" ? totals.host : totals.device;
    return total > 0 ? row.total / total : Number.NaN;
  }
  if (column === "failed") return row.failed ?? 0;
  return row[column] ?? Number.NaN;
}

/** Returns a row's label: its launchers, and its name unless the last launcher has the same name. */
export function rowLabel(row: Pick<StatisticsRow, "name" | "launcher">): string {
  const { name, launcher } = row;
  if (launcher === undefined || launcher === "") return name;
  return launcher === name || launcher.endsWith(` > ${name}`) ? launcher : `${launcher}: ${name}`;
}

export function totalOf(rows: readonly StatisticsRow[]): number {
  return rows.reduce((sum, { total }) => sum + (Number.isFinite(total) ? total : 0), 0);
}

/** Sorts rows by a column: numbers descending with missing ones last, text ascending. Host steps are after all others. */
export function sortRows(
  rows: readonly StatisticsRow[],
  column: StatisticsColumn,
  direction?: "ascending" | "descending",
): StatisticsRow[] {
  const totals = totalsOf(rows);
  const sign = (direction ?? (isNumberColumn(column) ? "descending" : "ascending")) === "ascending" ? 1 : -1;
  return Array.from(rows).sort((a, b) => {
    if ((a.kind === "host") !== (b.kind === "host")) return a.kind === "host" ? 1 : -1;
    if (!isNumberColumn(column)) {
      const [x, y] = column === "name" ? [rowLabel(a), rowLabel(b)] : [a.kind, b.kind];
      return sign * (x < y ? -1 : Number(x > y));
    }
    const [x, y] = [numberIn(a, column, totals), numberIn(b, column, totals)];
    if (Number.isNaN(x) || Number.isNaN(y)) return Number(Number.isNaN(x)) - Number(Number.isNaN(y));
    return sign * (x - y);
  });
}
