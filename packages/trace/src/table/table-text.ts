/** Formats statistics as a text table. */
import { checkBoolean, checkInteger, checkOptions, rangeError, typeError } from "@cl/base";

import {
  isNumberColumn,
  numberIn,
  rowLabel,
  sortRows,
  statisticsColumns,
  type StatisticsColumn,
  totalOf,
  type Totals,
  totalsOf,
} from "./columns.js";
import { printable } from "./printable.js";
import { bar, numberCells } from "./table-cells.js";
import { checkStatistics } from "../model/check-trace.js";
import type { StatisticsRow } from "../model/statistics-row.js";
import { formatShare, formatTime } from "@cl/base/units";

/** Options of a text table. */
export interface StatisticsTableOptions {
  /** Column to sort by: numbers descending, text ascending. @defaultValue "total" */
  readonly sort?: StatisticsColumn;
  /** Columns. @defaultValue those that contain values, as far as they fit into `width` */
  readonly columns?: readonly StatisticsColumn[];
  /** Maximum line width. Bars are removed first, then long names shortened, then columns removed. @defaultValue unlimited */
  readonly width?: number;
  /** Maximum number of rows. A last line shows the number of omitted rows and their total. @defaultValue all */
  readonly limit?: number;
  /** Whether to show bars next to the shares. @defaultValue true */
  readonly bars?: boolean;
  /** Whether to add escape sequences for terminal colors. @defaultValue false */
  readonly colors?: boolean;
}

/**
 * Returns the rows as a table. Host steps follow after an empty line, since their shares are of the time of the host.
 *
 * @example
 * ```ts
 * const row = { kind: "kernel", count: 2, std: 0, min: 5e3, max: 5e3, p50: 5e3, p95: 5e3 } as const;
 * const text = statisticsTable(
 *   [{ ...row, name: "diffuse", total: 1e4, mean: 5e3 }, { ...row, name: "advect", total: 3e4, mean: 15e3 }],
 *   { columns: ["name", "count", "total", "share"] },
 * );
 * console.log(text.split("\n")[1]); // advect       2  30 µs  75.0 % ███████▌
 * ```
 */
export function statisticsTable(rows: readonly StatisticsRow[], options?: StatisticsTableOptions): string {
  const { sort, columns, width, limit, bars, colors } = checkTableOptions(rows, options);
  const totals = totalsOf(rows);
  const sorted = sortRows(rows, sort);
  const shown = sorted.slice(0, limit);
  const omitted = sorted.slice(limit);

  const cells = new Map(columns.map((column) => [column, cellsOf(shown, column, totals)]));
  const fit = fitColumns(columns, cells, {
    width,
    bars: bars && shown.length > 0,
    mayDrop: options?.columns === undefined,
  });
  const style = colors ? ansi : plain;
  const cellOf = (row: number, column: StatisticsColumn): string => {
    const text = (cells.get(column) as Cells)[row] as string;
    const padded =
      column === "name" ? fill(shorten(text, fit.name), fit.name) : pad(text, column, widthOf(cells, column));
    if (row === 0) return style.head(padded);
    if (column !== "share" || fit.bar === 0) return padded;
    // The bar follows its number.
    return `${padded} ${style.bar(bar(numberIn(shown[row - 1] as StatisticsRow, "share", totals), fit.bar))}`;
  };
  const lines = Array.from({ length: shown.length + 1 }, (_, row) => {
    const line = fit.columns.map((column) => {
      const cell = cellOf(row, column);
      return row === 0 && column === "share" && fit.bar > 0 ? cell + " ".repeat(1 + fit.bar) : cell;
    });
    return line.join("  ").trimEnd();
  });
  const firstHost = shown.findIndex(({ kind }) => kind === "host");
  if (firstHost > 0) lines.splice(firstHost + 1, 0, "");
  if (omitted.length > 0) lines.push(shorten(remainder(omitted, totals), width));
  return lines.join("\n");
}

type Cells = readonly string[];

/** Columns that narrow tables omit, least important first. */
const droppable: readonly StatisticsColumn[] = [
  "submitDelay",
  "queueDelay",
  "bytes",
  "kind",
  "std",
  "slowest",
  "p50",
  "min",
  "max",
  "gbPerSecond",
  "p95",
  "share",
  "mean",
  "failed",
];

/** Minimum length of names before columns are removed, and after. */
const preferredNameLength = 24;
const minNameLength = 8;
const maxBarWidth = 10;

/** Returns the cells of a column, title first. */
function cellsOf(rows: readonly StatisticsRow[], column: StatisticsColumn, totals: Totals): Cells {
  if (column === "name") return ["name", ...rows.map((row) => printable(rowLabel(row)))];
  if (column === "kind") return ["kind", ...rows.map((row) => row.kind)];
  return numberCells(
    column,
    rows.map((row) => numberIn(row, column, totals)),
  );
}

/** Returns the columns, the bar width and the name width that fit. */
function fitColumns(
  columns: readonly StatisticsColumn[],
  cells: ReadonlyMap<StatisticsColumn, Cells>,
  { width, bars, mayDrop }: { width: number; bars: boolean; mayDrop: boolean },
): { columns: readonly StatisticsColumn[]; bar: number; name: number } {
  let columnsLeft = columns;
  const room = (): number =>
    width - columnsLeft.reduce((sum, column) => sum + widthOf(cells, column), 2 * Math.max(0, columnsLeft.length - 1));
  let bar = 0;
  if (bars && columnsLeft.includes("share")) {
    bar = Math.min(maxBarWidth, room() - 1);
    if (bar < 4) bar = 0;
  }
  const name = columnsLeft.includes("name") ? widthOf(cells, "name") : 0;
  const shortened = (shortest: number): number => Math.max(Math.min(shortest, name), Math.min(name, name + room()));
  for (const column of mayDrop ? droppable : []) {
    if (room() + name >= shortened(preferredNameLength)) break;
    columnsLeft = columnsLeft.filter((candidate) => candidate !== column);
  }
  return { columns: columnsLeft, bar, name: shortened(minNameLength) };
}

function widthOf(cells: ReadonlyMap<StatisticsColumn, Cells>, column: StatisticsColumn): number {
  return (cells.get(column) as Cells).reduce((widest, text) => Math.max(widest, length(text)), 0);
}

function pad(text: string, column: StatisticsColumn, width: number): string {
  return isNumberColumn(column) ? " ".repeat(width - length(text)) + text : fill(text, width);
}

function fill(text: string, width: number): string {
  return text + " ".repeat(width - length(text));
}

/** Counts code points, which approximate the visible width better than UTF-16 code units. */
function length(text: string): number {
  return Array.from(text).length;
}

function shorten(text: string, width: number): string {
  const points = Array.from(text);
  return points.length <= width ? text : `${points.slice(0, Math.max(0, width - 1)).join("")}…`;
}

/** Summarizes the omitted rows. The share excludes host steps. */
function remainder(omitted: readonly StatisticsRow[], { device }: Totals): string {
  const share = device > 0 ? ` (${formatShare(totalsOf(omitted).device / device)})` : "";
  return `… ${omitted.length} more, total ${formatTime(totalOf(omitted))}${share}`;
}

const plain = { head: (text: string): string => text, bar: (text: string): string => text };
const ansi = {
  head: (text: string): string => `\u001b[1m${text}\u001b[22m`,
  bar: (text: string): string => `\u001b[36m${text}\u001b[39m`,
};

function checkTableOptions(
  rows: readonly StatisticsRow[],
  options: StatisticsTableOptions | undefined,
): Required<StatisticsTableOptions> {
  checkStatistics(rows, "rows");
  const checked = checkOptions(options, ["sort", "columns", "width", "limit", "bars", "colors"]);
  const { sort = "total", columns = usefulColumns(rows) } = checked;
  checkColumn(sort, "options.sort");
  if (!Array.isArray(columns)) throw typeError("options.columns", "an array of columns", columns);
  for (const column of columns) checkColumn(column, "options.columns");
  return {
    sort,
    columns: [...new Set(columns)],
    width: checked.width === undefined ? Number.POSITIVE_INFINITY : checkInteger(checked.width, "options.width", 1),
    limit: checked.limit === undefined ? rows.length : checkInteger(checked.limit, "options.limit"),
    bars: checkBoolean(checked.bars, "options.bars", true),
    colors: checkBoolean(checked.colors, "options.colors", false),
  };
}

/** Returns the columns that contain values, without delays, which must be requested. */
function usefulColumns(rows: readonly StatisticsRow[]): StatisticsColumn[] {
  return statisticsColumns.filter((column) => {
    if (column === "queueDelay" || column === "submitDelay") return false;
    if (column === "failed") return rows.some(({ failed = 0 }) => failed > 0);
    if (column === "imbalance" || column === "slowest") return rows.some((row) => row[column] !== undefined);
    if (column === "bytes" || column === "gbPerSecond") return rows.some((row) => (row[column] ?? 0) > 0);
    return true;
  });
}

function checkColumn(column: unknown, name: string): void {
  if ((statisticsColumns as readonly unknown[]).includes(column)) return;
  throw rangeError(name, `one of ${statisticsColumns.join(", ")}`, column);
}
