/** Writes reports to files. */
import { checkOptions, checkSignal, checkString, rangeError } from "@cl/base";

import { writeParts } from "../formats/write-parts.js";
import { checkTrace } from "../model/check-trace.js";
import { statisticsCsv } from "../formats/csv.js";
import { htmlReport, type HtmlReportOptions } from "./html-report.js";
import { statisticsJson } from "../formats/json.js";
import type { StatisticsRow } from "../model/statistics-row.js";
import { statisticsTable } from "../table/table-text.js";
import type { Trace } from "../model/trace.js";
import { traceStatistics } from "../model/trace-statistics.js";
import { checkFormat, formatOf, isCompressed } from "../formats/file-format.js";

/** Formats of reports: the page, or only the statistics. */
export type ReportFormat = "html" | "text" | "csv" | "json";

/** Options for writing a report. */
export interface WriteReportOptions extends HtmlReportOptions {
  /** Format. Defaults to the format of the file extension. */
  readonly format?: ReportFormat;
  /** Aborts writing. An existing file is kept. */
  readonly signal?: AbortSignal;
}

/**
 * Writes a report to a file: `.html` for the page with the timeline, `.txt`, `.csv` or `.json` for the statistics alone. An
 * additional `.gz` compresses the file. The file is written atomically.
 *
 * @example
 * ```ts
 * const trace: Trace = {
 *   version: 1, started: "2026-01-01T00:00:00.000Z", origin: 0, queues: [], commands: [], hostSpans: [], memory: [], dropped: 0,
 * };
 * async function save(): Promise<void> {
 *   await writeReport("report.html", trace, { title: "A run of 2,000 steps" });
 * }
 * ```
 */
export async function writeReport(path: string, trace: Trace, options?: WriteReportOptions): Promise<void> {
  const { format, signal, ...page } = checkOptions(options, ["format", "signal", "title", "statistics"]);
  const resolved = format ?? checkFormat(checkString(path, "path"), endings);
  if (!Object.hasOwn(writers, resolved)) {
    throw rangeError("options.format", `one of ${Object.keys(writers).join(", ")}`, format);
  }
  const rows = (): readonly StatisticsRow[] => page.statistics ?? traceStatistics(checkTrace(trace));
  const text = writers[resolved](trace, rows, page);
  await writeParts(path, [text], { gzip: isCompressed(path), signal: checkSignal(signal) });
}

/** Returns the format that {@link writeReport} derives from a file name; `undefined` if it derives none. */
export function reportFormatOf(path: string): ReportFormat | undefined {
  return formatOf(checkString(path, "path"), endings);
}

type Writer = (trace: Trace, rows: () => readonly StatisticsRow[], page: HtmlReportOptions) => string;

const writers: Readonly<Record<ReportFormat, Writer>> = {
  html: (trace, _, page) => htmlReport(trace, page),
  text: (_, rows) => `${statisticsTable(rows())}\n`,
  csv: (_, rows) => statisticsCsv(rows()),
  json: (_, rows) => statisticsJson(rows()),
};

const endings = [
  [".html", "html"],
  [".htm", "html"],
  [".txt", "text"],
  [".csv", "csv"],
  [".json", "json"],
] as const;
