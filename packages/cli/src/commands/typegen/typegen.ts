/** `clkit typegen`: TypeScript modules of kernels that live in files. */
import { type Command, defineCommand, UsageError } from "../../command.js";
import type { CommandIo } from "../../io.js";
import { style } from "../../style.js";
import { defineLine } from "./generate.js";
import { pass, type TypegenJob, type TypegenListener, watchSources } from "./passes.js";

/** Makes a module of each source. */
export const typegen: Command = defineCommand({
  name: "typegen",
  summary: "makes typed TypeScript modules of .cl files",
  usage: "[options] FILE|FOLDER|PATTERN…",
  options: {
    out: {
      type: "string",
      short: "o",
      value: "FOLDER",
      help: "where the modules go; beside their sources if not said",
    },
    check: { type: "boolean", help: "writes nothing; ends with 1 if a module is missing or stale, and lists these" },
    watch: { type: "boolean", short: "w", help: "goes on, and makes them anew when a source changes" },
    define: {
      type: "string",
      short: "D",
      multiple: true,
      value: "NAME=VALUE",
      help: "puts a macro in front of the sources",
    },
    inline: { type: "boolean", short: "i", help: 'puts #include "…" into the modules' },
    include: {
      type: "string",
      short: "I",
      multiple: true,
      value: "FOLDER",
      help: "where --inline looks for what is not beside the including file",
    },
    signatures: { type: "boolean", help: "reads types from signatures alone, as of very long sources" },
  },
  maxPositionals: Number.POSITIVE_INFINITY,
  notes: [
    "The module of kernels/add.cl is kernels/add.cl.ts; it exports the source as `source`, for `new Program(context, source)`.",
    "A folder stands for all .cl files in it; a pattern has *, **, ?, [abc] and {a,b}.",
  ],
  async run(values, operands, io) {
    const { out, check = false, watch = false, define = [], inline = false, include = [] } = values;
    if (operands.length === 0) throw new UsageError("There is no file to read: clkit typegen kernels/*.cl.");
    if (check && watch) throw new UsageError("--check looks once: it cannot be with --watch.");
    if (include.length > 0 && !inline) throw new UsageError("--include is for --inline, which is not given.");
    if (out === "") throw new UsageError("--out needs the name of a folder.");
    for (const one of define) checkDefine(one);
    const { signatures = false } = values;
    const job: TypegenJob = { operands, out, check, defines: define, inline, folders: include, signatures };
    return watch ? watching(job, io) : once(job, io);
  },
});

async function once(job: TypegenJob, io: CommandIo): Promise<number> {
  const { modules, changed, failed } = await pass(job, listenerOf(io));
  if (job.check) {
    io.err.write(`${changed} of ${count(modules - failed)} must be made anew\n`);
    return changed + failed > 0 ? 1 : 0;
  }
  io.err.write(`${count(modules - failed)}, ${changed === 0 ? "none of which changed" : `${changed} written`}\n`);
  return failed > 0 ? 1 : 0;
}

/** Ends when the process does, or whoever called says so. */
async function watching(job: TypegenJob, io: CommandIo): Promise<number> {
  io.err.write("watching, until Ctrl+C\n");
  await watchSources(job, listenerOf(io), io.signal ?? new AbortController().signal);
  return 0;
}

function listenerOf({ out, err }: CommandIo): TypegenListener {
  return {
    changed: (module) => out.write(`${module}\n`),
    note: (sentence) => err.write(`${sentence}\n`),
    failed: (sentence) => err.write(`${style(err, "red", sentence)}\n`),
  };
}

function count(modules: number): string {
  return modules === 1 ? "1 module" : `${modules} modules`;
}

function checkDefine(define: string): void {
  try {
    defineLine(define);
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
}
