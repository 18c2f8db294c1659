/** `clkit trace`: summarizes and converts traces. */
import {
  chromeTrace,
  htmlReport,
  mergeTraces,
  readTrace,
  reportFormatOf,
  speedscopeProfile,
  statisticsTable,
  type Trace,
  traceCsv,
  traceFormatOf,
  traceJson,
  traceStatistics,
  writeReport,
  writeTrace,
} from "@cl/trace";

import { type Command, defineCommand, UsageError } from "../../command.js";
import { checkTable, summaryJson, summaryText } from "./summary.js";

const formats = ["chrome", "speedscope", "csv", "json", "html", "text"] as const;
type Format = (typeof formats)[number];

/** The command `clkit trace`. */
export const trace: Command = defineCommand({
  name: "trace",
  summary: "summarize or convert traces",
  usage: "[options] FILE…",
  options: {
    sort: {
      type: "string",
      short: "s",
      value: "COLUMN",
      help: "sort by name, count, total, mean, max, … (default: total)",
    },
    limit: { type: "string", short: "n", value: "N", help: "maximum number of rows" },
    json: { type: "boolean", help: "print the summary as JSON" },
    to: { type: "string", short: "t", value: "FORMAT", help: `convert to ${formats.join(", ")}` },
    out: {
      type: "string",
      short: "o",
      value: "FILE",
      help: "output file (default: stdout); without --to, its name determines the format",
    },
  },
  maxPositionals: Number.POSITIVE_INFINITY,
  notes: [
    'FILE is a trace that `writeTrace` of @cl/trace wrote as ".cl.json" or ".json", or the same with ".gz". Several',
    "files, of threads or processes of one machine, are merged by their common clock.",
    "",
    "Examples:",
    "  clkit trace run.cl.json --sort mean --limit 10",
    "  clkit trace rank0.cl.json rank1.cl.json --out both.html",
  ],
  async run(values, files, io) {
    const { sort, limit, json = false, to, out } = values;
    if (files.length === 0) throw new UsageError("A file is required: clkit trace run.cl.json.");
    const converts = to !== undefined || out !== undefined;
    if (converts && (json || sort !== undefined || limit !== undefined)) {
      throw new UsageError("--json, --sort and --limit cannot be combined with --to and --out.");
    }
    if (to !== undefined && !isFormat(to)) {
      throw new UsageError(`--to must be one of ${formats.join(", ")}, received "${to}".`);
    }
    if (out !== undefined && to === undefined && (traceFormatOf(out) ?? reportFormatOf(out)) === undefined) {
      throw new UsageError(`--out "${out}" has no known extension; add --to with one of ${formats.join(", ")}.`);
    }
    const table = checkTable(sort, limit);
    const merged = await readAll(files);
    if (converts) {
      await convertTrace(merged, to, out, (text) => io.out.write(text));
      if (out !== undefined) io.err.write(`Wrote ${merged.commands.length} commands to ${out}\n`);
      return 0;
    }
    io.out.write(json ? summaryJson(merged, table) : summaryText(merged, table, io.out));
    return 0;
  },
});

async function readAll(files: readonly string[]): Promise<Trace> {
  const traces: Trace[] = [];
  for (const file of files) traces.push(await readTrace(file));
  return traces.length === 1 ? (traces[0] as Trace) : mergeTraces(traces, files);
}

function isFormat(text: string): text is Format {
  return (formats as readonly string[]).includes(text);
}

/** Converts a trace, atomically to a file or to stdout. */
async function convertTrace(
  trace: Trace,
  to: Format | undefined,
  out: string | undefined,
  write: (text: string) => void,
): Promise<void> {
  if (out === undefined) {
    write(formatTrace(trace, to as Format));
    return;
  }
  // Where both have a format, as for .csv, a trace is wanted.
  const format = to ?? traceFormatOf(out) ?? reportFormatOf(out);
  if (format === "html" || format === "text") await writeReport(out, trace, { format });
  else await writeTrace(out, trace, format === undefined ? {} : { format });
}

function formatTrace(trace: Trace, format: Format): string {
  switch (format) {
    case "chrome":
      return chromeTrace(trace);
    case "speedscope":
      return speedscopeProfile(trace);
    case "csv":
      return traceCsv(trace);
    case "json":
      return traceJson(trace);
    case "html":
      return htmlReport(trace);
    case "text":
      return `${statisticsTable(traceStatistics(trace))}\n`;
    default:
      return format satisfies never;
  }
}
