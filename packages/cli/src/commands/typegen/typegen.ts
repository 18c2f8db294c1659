/** `clkit typegen`: generates TypeScript modules from kernel files. */
import { type Command, defineCommand, UsageError } from "../../command.js";
import type { CommandIo } from "../../io.js";
import { style } from "../../style.js";
import { defineLine } from "./generate.js";
import { generateOnce, type TypegenJob, type TypegenListener, watchSources } from "./passes.js";

export const typegen: Command = defineCommand({
  name: "typegen",
  summary: "generate typed TypeScript modules from .cl files",
  usage: "[options] FILE|FOLDER|PATTERN…",
  options: {
    out: {
      type: "string",
      short: "o",
      value: "FOLDER",
      help: "output folder (default: next to the sources)",
    },
    check: { type: "boolean", help: "write nothing; list missing and stale modules and exit with 1 if there are any" },
    watch: { type: "boolean", short: "w", help: "keep running and regenerate modules when a source changes" },
    define: {
      type: "string",
      short: "D",
      multiple: true,
      value: "NAME=VALUE",
      help: "define a macro before the source",
    },
    inline: { type: "boolean", short: "i", help: 'inline files included with #include "…"' },
    include: {
      type: "string",
      short: "I",
      multiple: true,
      value: "FOLDER",
      help: "search this folder for files that --inline does not find next to the including file",
    },
    signatures: { type: "boolean", help: "derive types from the declarations alone, as for very long sources" },
  },
  maxPositionals: Number.POSITIVE_INFINITY,
  notes: [
    "The module of kernels/add.cl is kernels/add.cl.ts. It exports the source as `source`, for `new Program(context, source)`.",
    "A folder means all .cl files in it. Patterns support *, **, ?, [abc] and {a,b}.",
  ],
  async run(values, operands, io) {
    const { out, check = false, watch = false, define = [], inline = false, include = [] } = values;
    if (operands.length === 0) {
      throw new UsageError("A file, folder or pattern is required: clkit typegen kernels/*.cl.");
    }
    if (check && watch) throw new UsageError("--check cannot be combined with --watch.");
    if (include.length > 0 && !inline) throw new UsageError("--include requires --inline.");
    if (out === "") throw new UsageError("--out must be the name of a folder, received an empty string.");
    for (const text of define) checkDefine(text);
    const { signatures = false } = values;
    const job: TypegenJob = { operands, out, check, defines: define, inline, folders: include, signatures };
    return watch ? watchModules(job, io) : generateModules(job, io);
  },
});

async function generateModules(job: TypegenJob, io: CommandIo): Promise<number> {
  const { modules, changed, failed } = await generateOnce(job, listenerOf(io));
  if (job.check) {
    io.err.write(changed === 0 ? "all modules up to date\n" : `${changed} of ${count(modules - failed)} out of date\n`);
    return changed + failed > 0 ? 1 : 0;
  }
  io.err.write(`${count(modules - failed)}, ${changed === 0 ? "all up to date" : `${changed} written`}\n`);
  return failed > 0 ? 1 : 0;
}

/** Runs until the process ends or the signal is aborted. */
async function watchModules(job: TypegenJob, io: CommandIo): Promise<number> {
  io.err.write("watching; press Ctrl+C to stop\n");
  await watchSources(job, listenerOf(io), io.signal ?? new AbortController().signal);
  return 0;
}

function listenerOf({ out, err }: CommandIo): TypegenListener {
  return {
    changed: (module) => out.write(`${module}\n`),
    note: (message) => err.write(`${message}\n`),
    failed: (message) => err.write(`${style(err, "red", message)}\n`),
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
