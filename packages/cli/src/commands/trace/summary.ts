/** The summary of a trace: what it has, a row for each launcher or kernel, and how busy its queues were. */
import { formatShare, formatTime } from "@cl/base/units";
import {
  statisticsTable,
  type StatisticsColumn,
  type StatisticsRow,
  type StatisticsTableOptions,
  type Trace,
  traceStatistics,
} from "@cl/launcher";

import { UsageError } from "../../command.js";
import type { Output } from "../../io.js";
import { style } from "../../style.js";
import { type QueueUse, queueUses, spanOf } from "./queue-use.js";

const sortable: readonly StatisticsColumn[] = [
  "name",
  "kind",
  "count",
  "failed",
  "total",
  "share",
  "mean",
  "std",
  "min",
  "p50",
  "p95",
  "max",
  "queueDelay",
  "submitDelay",
  "bytes",
  "gbPerSecond",
];

/** What was said of the table. */
export interface TableOptions {
  readonly sort: StatisticsColumn;
  readonly limit: number | undefined;
}

/** Reads the options for the table. */
export function checkTable(sort: string | undefined, limit: string | undefined): TableOptions {
  const column = sort === undefined ? "total" : sortable.find((one) => one === sort);
  if (column === undefined) throw new UsageError(`--sort takes one of ${sortable.join(", ")}, received "${sort}".`);
  if (limit !== undefined && !/^[1-9]\d{0,8}$/u.test(limit)) {
    throw new UsageError(`--limit takes a number of rows, at least 1, received "${limit}".`);
  }
  return { sort: column, limit: limit === undefined ? undefined : Number(limit) };
}

/** The summary in words and columns. */
export function summaryText(trace: Trace, { sort, limit }: TableOptions, output: Output): string {
  const rows = traceStatistics(trace);
  const columns: StatisticsColumn[] = ["name", "count", "total", "share", "mean", "min", "max"];
  if (rows.some(({ failed = 0 }) => failed > 0)) columns.splice(2, 0, "failed");
  if (rows.some(({ gbPerSecond = 0 }) => gbPerSecond > 0)) columns.push("gbPerSecond");
  const options: StatisticsTableOptions = {
    sort,
    ...(limit === undefined ? {} : { limit }),
    ...(output.live ? { width: output.width } : {}),
    columns,
    colors: output.color,
  };
  const parts = [headline(trace)];
  if (rows.length > 0) parts.push(statisticsTable(rows, options));
  if (trace.queues.length > 0) parts.push(queueTable(queueUses(trace), output));
  return `${parts.join("\n\n")}\n`;
}

/** The same as JSON. Times are nanoseconds; what has no value is null. */
export function summaryJson(trace: Trace, { sort, limit }: TableOptions): string {
  const rows = sorted(traceStatistics(trace), sort).slice(0, limit);
  const queues = queueUses(trace).map(({ queue, ...use }) => ({ label: queue.label, device: queue.device, ...use }));
  const { started, dropped, commands } = trace;
  return `${JSON.stringify({ started, span: spanOf(trace), commands: commands.length, dropped, rows, queues }, null, 2)}\n`;
}

/** `12 commands on 2 queues in 3.4 ms, from 2026-03-01T12:00:00.000Z`. */
function headline(trace: Trace): string {
  const { commands, queues, dropped, started } = trace;
  const failed = commands.filter((command) => command.failed !== undefined).length;
  const words = [
    `${some(commands.length, "command")} on ${some(queues.length, "queue")} in ${formatTime(spanOf(trace))}`,
  ];
  words.push(`from ${printable(started)}`);
  if (failed > 0) words.push(`${failed} failed`);
  if (dropped > 0) words.push(`${dropped} more are not in the trace`);
  return words.join(", ");
}

/** The numbers of the table, in its order: from the largest, and those without one last. */
function sorted(rows: readonly StatisticsRow[], column: TableOptions["sort"]): StatisticsRow[] {
  if (column === "name" || column === "kind") {
    return Array.from(rows).sort((a, b) => (a[column] < b[column] ? -1 : Number(a[column] > b[column])));
  }
  const number = (row: StatisticsRow): number => (column === "share" ? row.total : row[column]) ?? Number.NaN;
  return Array.from(rows).sort((a, b) => {
    const [one, other] = [number(a), number(b)];
    return Number(Number.isNaN(one)) - Number(Number.isNaN(other)) || other - one || 0;
  });
}

function queueTable(uses: readonly QueueUse[], output: Output): string {
  const rows = uses.map(({ queue, commands, busy, idle, share, longestGap }) => [
    printable(`${queue.label} (${queue.device})`),
    String(commands),
    formatTime(busy),
    formatTime(idle),
    formatShare(share),
    formatTime(longestGap),
  ]);
  const table = [["queue", "commands", "busy", "idle", "share", "longest gap"], ...rows];
  const widths = (table[0] as string[]).map((_, i) => Math.max(...table.map((row) => (row[i] as string).length)));
  const lines = table.map((row) =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] as number) : cell.padStart(widths[i] as number))).join("  "),
  );
  return [style(output, "bold", lines[0] as string), ...lines.slice(1)].join("\n");
}

function some(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** Labels come from whoever wrote the file: an escape sequence in one must not reach the terminal. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, (one) => {
    return `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
