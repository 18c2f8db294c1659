/** Writes traces to files. */
import { checkOptions, checkSignal, checkString, rangeError } from "@cl/base";

import { checkTrace } from "../model/check-trace.js";
import { chromeTraceParts } from "./chrome-trace.js";
import { traceCsvParts } from "./csv.js";
import { traceJsonParts } from "./json.js";
import { checkFormat, formatOf, isCompressed } from "./file-format.js";
import { speedscopeParts } from "./speedscope.js";
import type { Trace } from "../model/trace.js";
import { writeParts } from "./write-parts.js";

/** Formats of traces: for Perfetto and Chrome, for speedscope, the complete trace, a line for each command. */
export type TraceFormat = "chrome" | "speedscope" | "json" | "csv";

/** Options for writing a trace. */
export interface WriteTraceOptions {
  /** Format. Defaults to the format of the file extension. */
  readonly format?: TraceFormat;
  /** Aborts writing. An existing file is kept. */
  readonly signal?: AbortSignal;
}

/**
 * Writes a trace to a file: `.cl.json` for the complete trace, which `parseTrace` reads; `.speedscope.json` for speedscope; any
 * other `.json` for Perfetto and Chrome; `.csv` for spreadsheets. An additional `.gz` compresses the file. The file is written
 * atomically.
 *
 * @example
 * ```ts
 * const trace: Trace = {
 *   version: 1, started: "2026-01-01T00:00:00.000Z", origin: 0, queues: [], commands: [], hostSpans: [], memory: [], dropped: 0,
 * };
 * async function save(): Promise<void> {
 *   await writeTrace("trace.json", trace); // for https://ui.perfetto.dev
 * }
 * ```
 */
export async function writeTrace(path: string, trace: Trace, options?: WriteTraceOptions): Promise<void> {
  const { format, signal } = checkOptions(options, ["format", "signal"]);
  checkTrace(trace);
  const resolved = format ?? checkFormat(checkString(path, "path"), endings);
  if (!Object.hasOwn(writers, resolved)) {
    throw rangeError("options.format", `one of ${Object.keys(writers).join(", ")}`, format);
  }
  const parts = writers[resolved](trace);
  await writeParts(path, parts, { gzip: isCompressed(path), signal: checkSignal(signal) });
}

/** Returns the format that {@link writeTrace} derives from a file name; `undefined` if it derives none. */
export function traceFormatOf(path: string): TraceFormat | undefined {
  return formatOf(checkString(path, "path"), endings);
}

const writers: Readonly<Record<TraceFormat, (trace: Trace) => Iterable<string>>> = {
  chrome: chromeTraceParts,
  speedscope: (trace) => speedscopeParts(trace),
  json: traceJsonParts,
  csv: traceCsvParts,
};

const endings = [
  [".speedscope.json", "speedscope"],
  [".cl.json", "json"],
  [".json", "chrome"],
  [".csv", "csv"],
] as const;
