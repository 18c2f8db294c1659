/** Writes a trace into a file, in the format that its name says. */
import { checkOptions, checkSignal, checkString, rangeError, wrongValue } from "@cl/base";

import { writeParts } from "./write-parts.js";
import { checkTrace } from "./check-trace.js";
import { chromeTraceParts } from "./chrome-trace.js";
import { traceCsvParts } from "./csv.js";
import { traceJsonParts } from "./json.js";
import { speedscopeParts } from "./speedscope.js";
import type { Trace } from "./trace.js";

/** Formats of traces: for Perfetto and Chrome, for speedscope, all that is known, a line for each command. */
export type TraceFormat = "chrome" | "speedscope" | "json" | "csv";

/** How to write a trace. */
export interface WriteTraceOptions {
  /** The format. If it is left out, the file's name says it. */
  readonly format?: TraceFormat;
  /** Gives up, and leaves what was there. */
  readonly signal?: AbortSignal;
}

/**
 * Writes a trace into a file: `.speedscope.json` for speedscope, `.cl.json` to read it back with `parseTrace`, any other
 * `.json` for Perfetto and Chrome, `.csv` for spreadsheets; with `.gz` behind it compressed. The file appears when it is
 * complete; one of that name is replaced then.
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
  const chosen = format ?? formatOf(checkString(path, "path"), endings);
  if (!Object.hasOwn(writers, chosen)) throw rangeError("options.format", Object.keys(writers).join(", "), format);
  const parts = writers[chosen](trace);
  await writeParts(path, parts, { gzip: isCompressed(path), signal: checkSignal(signal) });
}

/** True if a file's name says that it is compressed. */
export function isCompressed(path: string): boolean {
  return /\.gz$/i.test(path);
}

/** The format that a name's ending says; the first that fits. */
export function formatOf<F extends string>(
  path: string,
  endings: readonly (readonly [ending: string, format: F])[],
): F {
  const name = path.toLowerCase().replace(/\.gz$/, "");
  for (const [ending, format] of endings) if (name.endsWith(ending)) return format;
  const known = endings.map(([ending]) => ending).join(", ");
  throw wrongValue(`path must end in ${known}, or options.format be given, received ${JSON.stringify(path)}`);
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
