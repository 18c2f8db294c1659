/** Runs ES modules in child processes, so that a crash is one failed test with its location. */
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { childEnvironment } from "./child-environment.js";

/** Exit status and output of a process. */
export interface ModuleEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Options of a process. */
export interface ModuleOptions {
  /** File of the module. @defaultValue `source` is run */
  readonly file?: URL;
  /** Source of the module. */
  readonly source?: string;
  /** Folder in which `source` resolves its imports. @defaultValue this package, which finds `@cl/core` */
  readonly from?: URL;
  readonly args?: readonly string[];
  /** Changes to the environment; `undefined` removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Milliseconds after which the process is killed. @defaultValue 200_000 */
  readonly limit?: number;
}

/** Runs a module with the built package and the OpenCL library that the environment selects. */
export async function runModule({
  file,
  source,
  from = new URL(".", import.meta.url),
  args = [],
  env = {},
  limit = 200_000,
}: ModuleOptions): Promise<ModuleEnd> {
  const scratch = await mkdtemp(path.join(tmpdir(), "cl-module-"));
  const script = file === undefined ? ["--input-type=module"] : [fileURLToPath(file)];
  try {
    const child = spawn(process.execPath, ["--expose-gc", ...script, ...args], {
      // `source` resolves its imports from the working directory. Files use a scratch directory, since some write
      // files.
      cwd: file === undefined ? fileURLToPath(from) : scratch,
      env: childEnvironment({ CL_NO_CACHE: "1", FAULT_FOLDER: scratch, ...env }),
    });
    // Ends a hung process.
    const timer = setTimeout(() => child.kill("SIGKILL"), limit);
    const ended = new Promise<Pick<ModuleEnd, "code" | "signal">>((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code, signal) => resolve({ code, signal }));
    });
    child.stdin.on("error", () => undefined);
    child.stdin.end(source ?? "");
    const [stdout, stderr, end] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    clearTimeout(timer);
    return { ...end, stdout, stderr };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Parses the last line of a module's output as JSON. Throws with its last output if it failed or printed no JSON. */
export function lastResult({ code, signal, stdout, stderr }: ModuleEnd): unknown {
  const lines = stdout.trimEnd().split("\n");
  const last = lines.at(-1) ?? "";
  if (code !== 0 || !/^[{[]/.test(last)) {
    throw new Error(`ended with ${signal ?? code} at: ${lines.slice(-2).join(" | ")}\n${stderr.slice(-2000)}`);
  }
  return JSON.parse(last) as unknown;
}
