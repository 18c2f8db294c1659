/** Converts traces and statistics to JSON and back. */
import { checkString, typeError, wrongValue } from "@cl/base";

import { checkStatistics, checkTrace } from "../model/check-trace.js";
import type { StatisticsRow } from "../model/statistics-row.js";
import { fromChromeTrace, isChromeTrace } from "./parse-chrome-trace.js";
import { commandKinds, type Trace } from "../model/trace.js";

/** Returns a trace as JSON, with one line per command. */
export function traceJson(trace: Trace): string {
  return Array.from(traceJsonParts(trace)).join("");
}

/** Yields {@link traceJson} in parts. */
export function* traceJsonParts(trace: Trace): Generator<string> {
  const { commands, ...rest } = checkTrace(trace);
  yield `${JSON.stringify(rest).slice(0, -1)},"commands":[`;
  for (const [index, command] of commands.entries()) yield `${index === 0 ? "\n" : ",\n"}${JSON.stringify(command)}`;
  yield "\n]}\n";
}

/**
 * Parses a trace written by {@link traceJson} or `chromeTrace`, as files of `writeTrace` with the extension `.json`. Throws
 * if it is invalid.
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
  const value = parse(text, "trace");
  return checkTrace(isChromeTrace(value) ? fromChromeTrace(value) : value);
}

/** Returns statistics as JSON, with one line per row. */
export function statisticsJson(rows: readonly StatisticsRow[]): string {
  // List the names, since rows may be instances of a class with getters.
  return `[\n${checkStatistics(rows, "rows")
    .map((row) => JSON.stringify(row, fieldNames))
    .join(",\n")}\n]\n`;
}

/** Parses rows written by {@link statisticsJson}. Numbers without a value are `null` in JSON and become NaN. */
export function parseStatistics(text: string): StatisticsRow[] {
  const rows = parse(text, "statistics");
  if (!Array.isArray(rows)) throw typeError("statistics", "an array of rows", rows);
  return rows.map((row: unknown, index) => checkRow(row, `statistics[${index}]`));
}

const kinds: ReadonlySet<unknown> = new Set(commandKinds);
const requiredFields = ["count", "total", "mean", "std", "min", "max", "p50", "p95"] as const;
const optionalFields = ["failed", "queueDelay", "submitDelay", "bytes", "gbPerSecond", "imbalance", "slowest"] as const;
const fieldNames = ["name", "kind", "launcher", ...requiredFields, ...optionalFields];

function checkRow(row: unknown, path: string): StatisticsRow {
  if (typeof row !== "object" || row === null) throw typeError(path, "an object", row);
  const fields: Record<string, unknown> = { ...row };
  checkString(fields["name"], `${path}.name`);
  if (fields["launcher"] !== undefined) checkString(fields["launcher"], `${path}.launcher`);
  if (!kinds.has(fields["kind"])) throw typeError(`${path}.kind`, `one of ${commandKinds.join(", ")}`, fields["kind"]);
  for (const field of [...requiredFields, ...optionalFields.filter((name) => fields[name] !== undefined)]) {
    fields[field] ??= Number.NaN;
    if (typeof fields[field] === "number" && field in row) continue;
    throw typeError(`${path}.${field}`, "a number", fields[field]);
  }
  return fields as unknown as StatisticsRow;
}

function parse(text: string, name: string): unknown {
  try {
    return JSON.parse(checkString(text, name));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw Object.assign(wrongValue(`${name} must be JSON: ${error.message}`), { cause: error });
  }
}
