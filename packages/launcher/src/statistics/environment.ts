/**
 * `CL_TRACE` and `CL_PROFILE`: trace and profile programs without editing them. They are read when the first launcher is
 * created. This is the only code of this package that prints.
 */
import { threadId } from "node:worker_threads";
import { writeTextAtomicallySync } from "@cl/base/files";
import { chromeTrace, htmlReport, statisticsCsv, statisticsJson } from "@cl/trace";

import { hasCommands, noCommands } from "./no-commands.js";
import { Profiler } from "./profiler.js";
import { formatLaunch, Tracer } from "./tracer.js";

/** Tracer and profiler of all launchers of this thread. */
export interface Watchers {
  readonly tracer: Tracer | undefined;
  readonly profiler: Profiler | undefined;
}

let watchers: Watchers | undefined;

/** Returns the tracer and profiler that the environment requests. */
export function environmentWatchers(): Watchers {
  watchers ??= { tracer: tracerFor(process.env["CL_TRACE"]), profiler: profilerFor(process.env["CL_PROFILE"]) };
  return watchers;
}

const offValues = new Set(["", "0", "false", "off"]);
const onValues = new Set(["1", "true", "on", "all", "*"]);

function tracerFor(value: string | undefined): Tracer | undefined {
  if (value === undefined || offValues.has(value)) return undefined;
  const names = value
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  const filter = onValues.has(value) ? undefined : { filter: names };
  return new Tracer((launch) => void process.stderr.write(`${formatLaunch(launch)}\n`), filter);
}

/** File formats by extension. */
const writers: readonly (readonly [ending: string, text: (profiler: Profiler) => string, trace: boolean])[] = [
  [".trace.json", (profiler) => chromeTrace(profiler.trace()), true],
  [".html", (profiler) => htmlReport(profiler.trace(), { statistics: profiler.rows() }), true],
  [".json", (profiler) => statisticsJson(profiler.rows()), false],
  [".csv", (profiler) => statisticsCsv(profiler.rows()), false],
];

function profilerFor(value: string | undefined): Profiler | undefined {
  if (value === undefined || offValues.has(value)) return undefined;
  if (onValues.has(value)) {
    const profiler = new Profiler({ trace: false });
    process.once("exit", () => process.stderr.write(`${tableOrHint(profiler)}\n`));
    return profiler;
  }
  const writer = writers.find(([ending]) => value.toLowerCase().endsWith(ending));
  if (writer === undefined) {
    const endings = writers.map(([ending]) => ending).join(", ");
    process.emitWarning(`CL_PROFILE must be 1 or a file that ends in ${endings}, received ${JSON.stringify(value)}`);
    return undefined;
  }
  const [ending, text, trace] = writer;
  const profiler = new Profiler({ trace });
  // Each thread has its own profiler and file.
  const path = threadId === 0 ? value : `${value.slice(0, -ending.length)}.${threadId}${ending}`;
  process.once("exit", () => write(path, () => text(profiler)));
  return profiler;
}

function tableOrHint(profiler: Profiler): string {
  return hasCommands(profiler.rows()) ? profiler.table() : `CL_PROFILE: ${noCommands}`;
}

/** Writes a file at exit. Reports errors, since they cannot be caught. */
function write(path: string, text: () => string): void {
  try {
    writeTextAtomicallySync(path, text(), { makeFolders: true });
  } catch (error) {
    process.stderr.write(`CL_PROFILE: ${(error as Error).message}\n`);
  }
}
