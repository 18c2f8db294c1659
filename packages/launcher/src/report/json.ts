/** Traces and statistics as JSON, and back. */
import { checkString, typeError, wrongValue } from "@cl/base";

import { checkTrace } from "./check-trace.js";
import type { StatisticsRow } from "./statistics-row.js";
import { commandKinds, type Trace } from "./trace.js";

/** A trace as JSON, a line for each command. */
export function traceJson(trace: Trace): string {
  return Array.from(traceJsonParts(trace)).join("");
}

/** The same in parts. */
export function* traceJsonParts(trace: Trace): Generator<string> {
  const { commands, ...rest } = checkTrace(trace);
  yield `${JSON.stringify(rest).slice(0, -1)},"commands":[`;
  for (const [index, command] of commands.entries()) yield `${index === 0 ? "\n" : ",\n"}${JSON.stringify(command)}`;
  yield "\n]}\n";
}

/**
 * The trace that {@link traceJson} wrote. What is none is refused with the reason.
 *
 * @example
 * ```ts
 * const trace: Trace = {
 *   version: 1, started: "2026-01-01T00:00:00.000Z", origin: 0, queues: [], commands: [], hostSpans: [], memory: [], dropped: 0,
 * };
 * console.log(parseTrace(traceJson(trace)).started); // 2026-01-01T00:00:00.000Z
 * ```
 */
export function parseTrace(text: string): Trace {
  return checkTrace(parse(text, "trace"));
}

/** Rows of statistics as JSON, a line for each. */
export function statisticsJson(rows: readonly StatisticsRow[]): string {
  // By name, since a row may be an object of a class whose values are not its own properties.
  return `[\n${rows.map((row) => JSON.stringify(row, fieldNames)).join(",\n")}\n]\n`;
}

/** The rows that {@link statisticsJson} wrote. JSON has no NaN: what has no value is `null` there. */
export function parseStatistics(text: string): StatisticsRow[] {
  const rows = parse(text, "statistics");
  if (!Array.isArray(rows)) throw typeError("statistics", "an array of rows", rows);
  return rows.map((row: unknown, index) => checkRow(row, `statistics[${index}]`));
}

const kinds: ReadonlySet<unknown> = new Set(commandKinds);
const needed = ["count", "total", "mean", "std", "min", "max", "p50", "p95"] as const;
const possible = ["failed", "queueDelay", "submitDelay", "bytes", "gbPerSecond"] as const;
const fieldNames = ["name", "kind", "launcher", ...needed, ...possible];

function checkRow(row: unknown, at: string): StatisticsRow {
  if (typeof row !== "object" || row === null) throw typeError(at, "an object", row);
  const fields: Record<string, unknown> = { ...row };
  checkString(fields["name"], `${at}.name`);
  if (fields["launcher"] !== undefined) checkString(fields["launcher"], `${at}.launcher`);
  if (!kinds.has(fields["kind"])) throw typeError(`${at}.kind`, `one of ${commandKinds.join(", ")}`, fields["kind"]);
  for (const field of [...needed, ...possible.filter((name) => fields[name] !== undefined)]) {
    fields[field] ??= Number.NaN;
    if (typeof fields[field] === "number" && field in row) continue;
    throw typeError(`${at}.${field}`, "a number", fields[field]);
  }
  return fields as unknown as StatisticsRow;
}

function parse(text: string, name: string): unknown {
  try {
    return JSON.parse(checkString(text, name));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw Object.assign(wrongValue(`${name} is no JSON: ${error.message}`), { cause: error });
  }
}
