/** The report: one file with everything in it, which asks nothing of any network. */
import { createHash } from "node:crypto";

import { checkOptions, checkString, typeError } from "@cl/base";

import { checkTrace } from "./check-trace.js";
import { html, scriptJson } from "./html.js";
import { droppedNotice, headerOf, kernelCards, summaryCard, tableCard, timelineCard } from "./markup.js";
import { script, style } from "./page/bundle.js";
import { pageData } from "./page-data.js";
import { sortRows } from "./columns.js";
import type { StatisticsRow } from "./statistics-row.js";
import type { Trace } from "./trace.js";
import { traceStatistics } from "./trace-statistics.js";
import { mainThread } from "./tracks.js";

/** What a report shows beside the trace. */
export interface HtmlReportOptions {
  /** What stands above it. */
  readonly title?: string;
  /** The rows of its tables. If they are left out, those of the trace's commands; a profiler knows also what is not there. */
  readonly statistics?: readonly StatisticsRow[];
}

/**
 * The report as a page of HTML: a timeline that zooms, each kernel's share of time, histograms, a table that sorts. It needs
 * no other file and no network, and can be used by keyboard.
 *
 * @example
 * ```ts
 * const page = htmlReport({
 *   version: 1, started: "2026-01-01T00:00:00.000Z", origin: 0, hostSpans: [], memory: [], dropped: 0,
 *   queues: [{ id: 0, label: "main", device: "cpu", outOfOrder: false }],
 *   commands: [{ name: "advect", kind: "kernel", queue: 0, queued: 0, submitted: 10, started: 100, ended: 300 }],
 * }, { title: "A run" });
 * console.log(page.includes("<h1>A run</h1>")); // true
 * ```
 */
export function htmlReport(trace: Trace, options?: HtmlReportOptions): string {
  const { title: given = "OpenCL trace", statistics } = checkOptions(options, ["title", "statistics"]);
  const title = checkString(given, "options.title");
  if (statistics !== undefined && !Array.isArray(statistics)) {
    throw typeError("options.statistics", "an array of statistics", statistics);
  }
  const rows = sortRows(statistics ?? traceStatistics(checkTrace(trace)), "total").map(plainRow);
  const body = html`${headerOf(title, trace)}
    <main>${summaryCard(trace)} ${droppedNotice(trace)} ${timelineCard()} ${kernelCards()} ${tableCard(rows)}</main>
    <footer>Times are nanoseconds on the host's clock since the trace began. Made by @cl/launcher.</footer>`;
  // What is in names cannot run: only this program and this style may.
  const policy = `default-src 'none'; script-src '${hashOf(script)}'; style-src '${hashOf(style)}'; img-src data:; base-uri 'none'; form-action 'none'`;
  const head = html`<meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${title}</title>
    <link rel="icon" href="${icon}" />`;
  return [
    `<!doctype html>\n<html lang="en">\n<head>\n${head.safe}\n<style>${style}</style>\n</head>\n<body>\n${body.safe}`,
    `<script type="application/json" id="data">${scriptJson(pageData(checkTrace(trace), rows, title, mainThread))}</script>`,
    `<script>${script}</script>\n</body>\n</html>\n`,
  ].join("\n");
}

const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="4" fill="#0b6e84"/><path d="M3 4h6v2H3zm3 3h7v2H6zm-2 3h5v2H4z" fill="#fff"/></svg>',
)}`;

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

/** A row's own values, since it may be an object of a class. */
function plainRow(row: StatisticsRow): StatisticsRow {
  const { name, kind, launcher, count, failed, total, mean, std, min, max, p50, p95 } = row;
  const { queueDelay, submitDelay, bytes, gbPerSecond } = row;
  const optional = Object.entries({ launcher, failed, queueDelay, submitDelay, bytes, gbPerSecond });
  return {
    name,
    kind,
    count,
    total,
    mean,
    std,
    min,
    max,
    p50,
    p95,
    ...Object.fromEntries(optional.filter(([, value]) => value !== undefined)),
  };
}
