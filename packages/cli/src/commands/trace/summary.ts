/** Summarizes a trace: a row for each launcher or kernel, and the utilization of its queues. */
import { formatShare, formatTime } from "@cl/base/units";
import {
  statisticsTable,
  type StatisticsColumn,
  type StatisticsRow,
  type StatisticsTableOptions,
  type QueueUse,
  queueUses,
  type Trace,
  traceStatistics,
  traceSummary,
} from "@cl/trace";

import { UsageError } from "../../command.js";
import type { Output } from "../../io.js";
import { style } from "../../style.js";

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

export interface TableOptions {
  readonly sort: StatisticsColumn;
  readonly limit: number | undefined;
}

export function checkTable(sort: string | undefined, limit: string | undefined): TableOptions {
  const column = sort === undefined ? "total" : sortable.find((candidate) => candidate === sort);
  if (column === undefined) throw new UsageError(`--sort must be one of ${sortable.join(", ")}, received "${sort}".`);
  if (limit !== undefined && !/^[1-9]\d{0,8}$/u.test(limit)) {
    throw new UsageError(`--limit must be a number of rows of at least 1, received "${limit}".`);
  }
  return { sort: column, limit: limit === undefined ? undefined : Number(limit) };
}

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
  if (trace.commands.length === 0) parts.push("Only commands of queues with profiling: true are recorded.");
  if (rows.length > 0) parts.push(statisticsTable(rows, options));
  if (trace.queues.length > 0) parts.push(queueTable(queueUses(trace), output));
  return `${parts.join("\n\n")}\n`;
}

/** Returns the summary as JSON. Times are in nanoseconds; missing values are null. */
export function summaryJson(trace: Trace, { sort, limit }: TableOptions): string {
  const rows = sorted(traceStatistics(trace), sort).slice(0, limit);
  const queues = queueUses(trace).map(({ queue, ...use }) => ({ label: queue.label, device: queue.device, ...use }));
  const { started, dropped, commands } = trace;
  const { span } = traceSummary(trace);
  return `${JSON.stringify({ started, span, commands: commands.length, dropped, rows, queues }, null, 2)}\n`;
}

/** `12 commands on 2 queues in 3.4 ms, from 2026-03-01T12:00:00.000Z`. */
function headline(trace: Trace): string {
  const { commands, queues, dropped, started } = trace;
  const { span, failed } = traceSummary(trace);
  const facts = [`${some(commands.length, "command")} on ${some(queues.length, "queue")} in ${formatTime(span)}`];
  facts.push(`from ${printable(started)}`);
  if (failed > 0) facts.push(`${failed} failed`);
  if (dropped > 0) facts.push(`${dropped} dropped`);
  return facts.join(", ");
}

/** Sorts the rows like the table: descending, rows without a value last. */
function sorted(rows: readonly StatisticsRow[], column: TableOptions["sort"]): StatisticsRow[] {
  if (column === "name" || column === "kind") {
    return Array.from(rows).sort((a, b) => (a[column] < b[column] ? -1 : Number(a[column] > b[column])));
  }
  const number = (row: StatisticsRow): number => (column === "share" ? row.total : row[column]) ?? Number.NaN;
  return Array.from(rows).sort((a, b) => {
    const [x, y] = [number(a), number(b)];
    return Number(Number.isNaN(x)) - Number(Number.isNaN(y)) || y - x || 0;
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

/** Escapes control characters, since labels are untrusted and must not send escape sequences to the terminal. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
