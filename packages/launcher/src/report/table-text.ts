/** Statistics as a table of text. */
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
import { bar, numberCells } from "./table-cells.js";
import type { StatisticsRow } from "./statistics-row.js";
import { formatShare } from "@cl/base/units";

/** How a table of text looks. */
export interface StatisticsTableOptions {
  /** The column to sort by: numbers from the largest, words from A. `"total"` if it is left out. */
  readonly sort?: StatisticsColumn;
  /** The columns. If it is left out, those that have something to show; too narrow a `width` takes some of them away. */
  readonly columns?: readonly StatisticsColumn[];
  /** The widest that a line may be. Bars go first, then the ends of long names, then columns. Unlimited if it is left out. */
  readonly width?: number;
  /** How many rows; one line more tells how many are not shown, and their total. All if it is left out. */
  readonly limit?: number;
  /** False leaves out the bars beside the shares. */
  readonly bars?: boolean;
  /** True adds escape sequences for a terminal's colors. */
  readonly colors?: boolean;
}

/**
 * The rows in columns, each with one unit for all of its numbers.
 *
 * @example
 * ```ts
 * const row = { kind: "kernel", count: 2, std: 0, min: 5e3, max: 5e3, p50: 5e3, p95: 5e3 } as const;
 * const text = statisticsTable(
 *   [{ ...row, name: "diffuse", total: 1e4, mean: 5e3 }, { ...row, name: "advect", total: 3e4, mean: 15e3 }],
 *   { columns: ["name", "count", "total", "share"] },
 * );
 * console.log(text.split("\n")[1]); // advect       2       30.0  75.0 % ███████▌
 * ```
 */
export function statisticsTable(rows: readonly StatisticsRow[], options?: StatisticsTableOptions): string {
  const { sort, columns, width, limit, bars, colors } = checkTableOptions(rows, options);
  const totals = totalsOf(rows);
  const sorted = sortRows(rows, sort);
  const shown = sorted.slice(0, limit);
  const left = sorted.slice(limit);

  const cells = new Map(columns.map((column) => [column, cellsOf(shown, column, totals)]));
  const fit = fitted(columns, cells, {
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
    // A bar belongs to the number before it.
    return `${padded} ${style.bar(bar(numberIn(shown[row - 1] as StatisticsRow, "share", totals), fit.bar))}`;
  };
  const lines = Array.from({ length: shown.length + 1 }, (_, row) => {
    const line = fit.columns.map((column) => {
      const cell = cellOf(row, column);
      return row === 0 && column === "share" && fit.bar > 0 ? cell + " ".repeat(1 + fit.bar) : cell;
    });
    return line.join("  ").trimEnd();
  });
  if (left.length > 0) lines.push(shorten(remainder(left, totals), width));
  return lines.join("\n");
}

type Cells = readonly string[];

/** What a narrow table does without, the least important first. */
const droppable: readonly StatisticsColumn[] = [
  "submitDelay",
  "queueDelay",
  "bytes",
  "kind",
  "std",
  "p50",
  "min",
  "max",
  "gbPerSecond",
  "p95",
  "share",
  "mean",
  "failed",
];

/** So much of a name is kept before columns are left out, and so much in any case. */
const readableName = 24;
const shortestName = 8;
const longestBar = 10;

/** The words of a column, the title first. */
function cellsOf(rows: readonly StatisticsRow[], column: StatisticsColumn, totals: Totals): Cells {
  if (column === "name") return ["name", ...rows.map((row) => printable(rowLabel(row)))];
  if (column === "kind") return ["kind", ...rows.map((row) => row.kind)];
  return numberCells(
    column,
    rows.map((row) => numberIn(row, column, totals)),
  );
}

/** The columns, the bar and the name's length that a width has room for. */
function fitted(
  columns: readonly StatisticsColumn[],
  cells: ReadonlyMap<StatisticsColumn, Cells>,
  { width, bars, mayDrop }: { width: number; bars: boolean; mayDrop: boolean },
): { columns: readonly StatisticsColumn[]; bar: number; name: number } {
  let kept = columns;
  const room = (): number =>
    width - kept.reduce((sum, column) => sum + widthOf(cells, column), 2 * Math.max(0, kept.length - 1));
  let bar = 0;
  if (bars && kept.includes("share")) {
    bar = Math.min(longestBar, room() - 1);
    if (bar < 4) bar = 0;
  }
  const name = kept.includes("name") ? widthOf(cells, "name") : 0;
  const shortened = (shortest: number): number => Math.max(Math.min(shortest, name), Math.min(name, name + room()));
  for (const column of mayDrop ? droppable : []) {
    if (room() + name >= shortened(readableName)) break;
    kept = kept.filter((one) => one !== column);
  }
  return { columns: kept, bar, name: shortened(shortestName) };
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

/** Code points, which are nearer to what is seen than UTF-16's units. */
function length(text: string): number {
  return Array.from(text).length;
}

function shorten(text: string, width: number): string {
  const points = Array.from(text);
  return points.length <= width ? text : `${points.slice(0, Math.max(0, width - 1)).join("")}…`;
}

/** Names come from users: a line break or an escape sequence in one must not change the table. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, (one) => {
    return `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

/** Of what a limit left out. The host's steps are no part of the share. */
function remainder(left: readonly StatisticsRow[], { device }: Totals): string {
  const share = device > 0 ? ` (${formatShare(totalsOf(left).device / device)})` : "";
  return `… ${left.length} more, ${numberCells("total", [totalOf(left)]).join(" ")}${share}`;
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
  if (!Array.isArray(rows)) throw typeError("rows", "an array of statistics", rows);
  const given = checkOptions(options, ["sort", "columns", "width", "limit", "bars", "colors"]);
  const { sort = "total", columns = usefulColumns(rows) } = given;
  checkColumn(sort, "options.sort");
  if (!Array.isArray(columns)) throw typeError("options.columns", "an array of columns", columns);
  for (const column of columns) checkColumn(column, "options.columns");
  return {
    sort,
    columns: [...new Set(columns)],
    width: given.width === undefined ? Number.POSITIVE_INFINITY : checkInteger(given.width, "options.width", 1),
    limit: given.limit === undefined ? rows.length : checkInteger(given.limit, "options.limit"),
    bars: checkBoolean(given.bars, "options.bars", true),
    colors: checkBoolean(given.colors, "options.colors", false),
  };
}

/** Leaves out delays, which have to be asked for, and what no row has. */
function usefulColumns(rows: readonly StatisticsRow[]): StatisticsColumn[] {
  return statisticsColumns.filter((column) => {
    if (column === "queueDelay" || column === "submitDelay") return false;
    if (column === "failed") return rows.some(({ failed = 0 }) => failed > 0);
    if (column === "bytes" || column === "gbPerSecond") return rows.some((row) => (row[column] ?? 0) > 0);
    return true;
  });
}

function checkColumn(column: unknown, name: string): void {
  if ((statisticsColumns as readonly unknown[]).includes(column)) return;
  throw rangeError(name, `one of ${statisticsColumns.join(", ")}`, column);
}
