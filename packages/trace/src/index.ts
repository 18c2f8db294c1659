/** Public API of `@cl/trace`. */
export {
  type CommandKind,
  commandKinds,
  type Trace,
  type TraceCommand,
  type TraceMemory,
  type TraceQueue,
  type TraceSpan,
} from "./model/trace.js";
export { checkTrace } from "./model/check-trace.js";
export { mergeTraces } from "./model/merge-traces.js";
export type { StatisticsRow } from "./model/statistics-row.js";
export { traceStatistics } from "./model/trace-statistics.js";
export { traceSummary, type TraceSummary } from "./model/trace-summary.js";
export { type QueueUse, queueUses } from "./model/queue-uses.js";
export { chromeTrace } from "./formats/chrome-trace.js";
export { statisticsCsv, traceCsv } from "./formats/csv.js";
export { parseStatistics, parseTrace, statisticsJson, traceJson } from "./formats/json.js";
export { readTrace } from "./formats/read-trace.js";
export { speedscopeProfile } from "./formats/speedscope.js";
export { type TraceFormat, traceFormatOf, writeTrace, type WriteTraceOptions } from "./formats/write-trace.js";
export type { NumberColumn, StatisticsColumn } from "./table/columns.js";
export { statisticsTable, type StatisticsTableOptions } from "./table/table-text.js";
export { htmlReport, type HtmlReportOptions } from "./report/html-report.js";
export { type ReportFormat, reportFormatOf, writeReport, type WriteReportOptions } from "./report/write-report.js";
