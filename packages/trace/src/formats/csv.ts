/**
 * Converts statistics and traces to comma-separated values (RFC 4180). Spreadsheets run fields that start like formulas, so those of
 * texts get an apostrophe.
 */
import { checkStatistics, checkTrace } from "../model/check-trace.js";
import { type NumberColumn, numberColumns, numberIn, totalsOf } from "../table/columns.js";
import { printable } from "../table/printable.js";
import type { StatisticsRow } from "../model/statistics-row.js";
import type { Trace } from "../model/trace.js";

/**
 * Returns a header and a line for each row. Times are in nanoseconds; missing values are empty.
 *
 * @example
 * ```ts
 * const times = { total: 30, mean: 10, std: 0, min: 10, max: 10, p50: 10, p95: 10 };
 * const csv = statisticsCsv([{ name: "advect", kind: "kernel", count: 3, ...times }]);
 * console.log(csv.split("\r\n")[1]); // advect,kernel,,3,0,30,1,10,0,10,10,10,10,,,,,,
 * ```
 */
export function statisticsCsv(rows: readonly StatisticsRow[]): string {
  const totals = totalsOf(checkStatistics(rows, "rows"));
  const columns = Object.keys(numberColumns) as NumberColumn[];
  const head = ["name", "kind", "launcher", ...columns.map(nameOf)];
  const lines = rows.map((row) => [
    row.name,
    row.kind,
    row.launcher,
    ...columns.map((column) => numberIn(row, column, totals)),
  ]);
  return [head, ...lines].map(lineOf).join("");
}

/** Returns a header and a line for each command. Sizes and indices of other commands are separated by spaces. */
export function traceCsv(trace: Trace): string {
  return Array.from(traceCsvParts(trace)).join("");
}

/** Yields {@link traceCsv} line by line. */
export function* traceCsvParts(trace: Trace): Generator<string> {
  const queues = new Map(checkTrace(trace).queues.map((queue) => [queue.id, queue]));
  yield lineOf(commandColumns);
  for (const [index, command] of trace.commands.entries()) {
    const queue = queues.get(command.queue);
    yield lineOf([
      index,
      command.name,
      command.kind,
      command.launcher,
      command.queue,
      queue?.label,
      queue?.device,
      command.queued,
      command.submitted,
      command.started,
      command.ended,
      command.ended - command.started,
      command.global?.join(" "),
      command.local?.join(" "),
      command.bytes,
      command.failed,
      command.waitsFor?.join(" "),
    ]);
  }
}

const commandColumns = [
  "index",
  "name",
  "kind",
  "launcher",
  "queue",
  "queue_label",
  "device",
  "queued_ns",
  "submitted_ns",
  "started_ns",
  "ended_ns",
  "duration_ns",
  "global",
  "local",
  "bytes",
  "failed",
  "waits_for",
];

function nameOf(column: NumberColumn): string {
  const name = column.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return numberColumns[column].quantity === "time" ? `${name}_ns` : name;
}

function lineOf(fields: readonly (string | number | undefined)[]): string {
  return `${fields.map(fieldOf).join(",")}\r\n`;
}

function fieldOf(value: string | number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return "";
  const text = typeof value === "number" ? String(value) : printable(value).replace(/^[=+\-@]/, "'$&");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
