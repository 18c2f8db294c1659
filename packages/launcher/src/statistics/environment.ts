/**
 * `CL_TRACE` and `CL_PROFILE`: tracing and profiling of code that cannot be edited. They are read when the first launcher is
 * made, and are the only way by which this package prints, to stderr, and only because the user asked for it.
 */
import { threadId } from "node:worker_threads";
import { writeTextAtomicallySync } from "@cl/base/files";

import { statisticsCsv } from "../report/csv.js";
import { statisticsJson } from "../report/json.js";
import { htmlReport } from "../report/html-report.js";
import { chromeTrace } from "../report/chrome-trace.js";
import { Profiler } from "./profiler.js";
import { launchText, Tracer } from "./tracer.js";

/** What watches all launchers of this thread. */
export interface Watchers {
  readonly tracer: Tracer | undefined;
  readonly profiler: Profiler | undefined;
}

let watchers: Watchers | undefined;

/** What the environment asks for; the same each time. */
export function environmentWatchers(): Watchers {
  watchers ??= { tracer: tracerFor(process.env["CL_TRACE"]), profiler: profilerFor(process.env["CL_PROFILE"]) };
  return watchers;
}

const nothing = new Set(["", "0", "false", "off"]);
const everything = new Set(["1", "true", "on", "all", "*"]);

function tracerFor(value: string | undefined): Tracer | undefined {
  if (value === undefined || nothing.has(value)) return undefined;
  const names = value
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  const filter = everything.has(value) ? undefined : { filter: names };
  return new Tracer((launch) => void process.stderr.write(`${launchText(launch)}\n`), filter);
}

/** What is written at the end, by the end of the file's name. */
const writers: readonly (readonly [ending: string, text: (profiler: Profiler) => string, trace: boolean])[] = [
  [".trace.json", (profiler) => chromeTrace(profiler.trace()), true],
  [".html", (profiler) => htmlReport(profiler.trace(), { statistics: profiler.rows() }), true],
  [".json", (profiler) => statisticsJson(profiler.rows()), false],
  [".csv", (profiler) => statisticsCsv(profiler.rows()), false],
];

function profilerFor(value: string | undefined): Profiler | undefined {
  if (value === undefined || nothing.has(value)) return undefined;
  if (everything.has(value)) {
    const profiler = new Profiler({ trace: false });
    process.once("exit", () => process.stderr.write(`${tableOrWhyNot(profiler)}\n`));
    return profiler;
  }
  const writer = writers.find(([ending]) => value.toLowerCase().endsWith(ending));
  if (writer === undefined) {
    const endings = writers.map(([ending]) => ending).join(", ");
    process.emitWarning(`CL_PROFILE must be 1, or a file that ends in ${endings}, but is ${JSON.stringify(value)}`);
    return undefined;
  }
  const [ending, text, trace] = writer;
  const profiler = new Profiler({ trace });
  // Each thread has a profiler of its own.
  const path = threadId === 0 ? value : `${value.slice(0, -ending.length)}.${threadId}${ending}`;
  process.once("exit", () => write(path, () => text(profiler)));
  return profiler;
}

function tableOrWhyNot(profiler: Profiler): string {
  if (profiler.rows().some(({ count, failed = 0 }) => count + failed > 0)) return profiler.table();
  return "CL_PROFILE: nothing was timed. Launchers are timed on queues with profiling: new CommandQueue(context, { profiling: true })";
}

/** At the exit nobody could catch an error. */
function write(path: string, text: () => string): void {
  try {
    writeTextAtomicallySync(path, text(), { makeFolders: true });
  } catch (error) {
    process.stderr.write(`CL_PROFILE: ${(error as Error).message}\n`);
  }
}
