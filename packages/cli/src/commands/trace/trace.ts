/** `clkit trace`: what is in files of traces, and other formats of it. */
import {
  chromeTrace,
  htmlReport,
  mergeTraces,
  speedscopeProfile,
  statisticsTable,
  type Trace,
  traceCsv,
  traceJson,
  traceStatistics,
  writeReport,
  writeTrace,
} from "@cl/launcher";

import { type Command, defineCommand, UsageError } from "../../command.js";
import { readTrace } from "./read-trace.js";
import { checkTable, summaryJson, summaryText } from "./summary.js";

const formats = ["chrome", "speedscope", "csv", "json", "html", "text"] as const;
type Format = (typeof formats)[number];

/** Sums traces up, or converts them. */
export const trace: Command = defineCommand({
  name: "trace",
  summary: "sums up what a trace says of kernels and queues, or converts it",
  usage: "[options] FILE…",
  options: {
    sort: { type: "string", short: "s", value: "COLUMN", help: "the table's order: name, count, total, mean, max, …" },
    limit: { type: "string", short: "n", value: "N", help: "so many rows of the table" },
    json: { type: "boolean", help: "writes the numbers of the summary as JSON" },
    to: { type: "string", short: "t", value: "FORMAT", help: `converts to ${formats.join(", ")}` },
    out: {
      type: "string",
      short: "o",
      value: "FILE",
      help: "where that goes, if not to stdout; its name says the format",
    },
  },
  maxPositionals: Number.POSITIVE_INFINITY,
  notes: [
    'FILE is what `writeTrace` of @cl/launcher wrote as ".cl.json" or ".cl.json.gz". Several, of threads or processes of one',
    "machine, are put together by its clock.",
    "",
    "Examples:",
    "  clkit trace run.cl.json --sort mean --limit 10",
    "  clkit trace rank0.cl.json rank1.cl.json --out both.html",
  ],
  async run(values, files, io) {
    const { sort, limit, json = false, to, out } = values;
    if (files.length === 0) throw new UsageError("There is no file to read: clkit trace run.cl.json.");
    const converts = to !== undefined || out !== undefined;
    if (converts && (json || sort !== undefined || limit !== undefined)) {
      throw new UsageError("--json, --sort and --limit are about the summary: they cannot be with --to and --out.");
    }
    if (to !== undefined && !isFormat(to)) {
      throw new UsageError(`--to takes one of ${formats.join(", ")}, received "${to}".`);
    }
    if (out !== undefined && to === undefined && !/\.(?:json|csv|html?|txt)(?:\.gz)?$/iu.test(out)) {
      throw new UsageError(`The name "${out}" does not say a format: --to does, with one of ${formats.join(", ")}.`);
    }
    const table = checkTable(sort, limit);
    const read = await readAll(files);
    if (converts) {
      await convert(read, to, out, (text) => io.out.write(text));
      if (out !== undefined) io.err.write(`${out} has ${read.commands.length} commands\n`);
      return 0;
    }
    io.out.write(json ? summaryJson(read, table) : summaryText(read, table, io.out));
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

/** Into a file, whole or not at all, or to where data goes. */
async function convert(
  trace: Trace,
  to: Format | undefined,
  out: string | undefined,
  write: (text: string) => void,
): Promise<void> {
  if (out === undefined) write(textOf(trace, to as Format));
  else if (to === "html" || to === "text") await writeReport(out, trace, { format: to });
  else if (to === undefined && /\.(?:html?|txt)(?:\.gz)?$/iu.test(out)) await writeReport(out, trace);
  else await writeTrace(out, trace, to === undefined ? {} : { format: to });
}

function textOf(trace: Trace, format: Format): string {
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
