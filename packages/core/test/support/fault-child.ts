/** Scripts in processes of their own, so that a crash is one failed test and says where it was. */
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { childEnvironment } from "./child-environment.js";

/** How a process ended. */
export interface FaultEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a process gets. */
export interface FaultOptions {
  /** A file of this folder; without one the script comes from `source`. */
  readonly file?: string;
  /** The text of an ES module. */
  readonly source?: string;
  readonly args?: readonly string[];
  /** Added to the environment; undefined takes a variable out. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Milliseconds after which it is killed. */
  readonly limit?: number;
}

/** Runs a script on the built package, with whatever OpenCL the environment names. */
export async function runFault({
  file,
  source,
  args = [],
  env = {},
  limit = 200_000,
}: FaultOptions): Promise<FaultEnd> {
  const scratch = await mkdtemp(path.join(tmpdir(), "cl-fault-"));
  const script = file === undefined ? ["--input-type=module"] : [fileURLToPath(new URL(file, import.meta.url))];
  try {
    const child = spawn(process.execPath, ["--expose-gc", ...script, ...args], {
      // The text of a module needs the package's folder, so that the package's own name resolves. Files find it anyway, and
      // some write files where they are.
      cwd: file === undefined ? fileURLToPath(new URL("../..", import.meta.url)) : scratch,
      env: childEnvironment({ CL_NO_CACHE: "1", FAULT_FOLDER: scratch, ...env }),
    });
    const timer = setTimeout(() => child.kill("SIGKILL"), limit);
    const ended = new Promise<Pick<FaultEnd, "code" | "signal">>((resolve, reject) => {
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

/** The last line of what was printed, as JSON; throws with the line before the end where there is none. */
export function lastResult({ code, signal, stdout, stderr }: FaultEnd): unknown {
  const lines = stdout.trimEnd().split("\n");
  const last = lines.at(-1) ?? "";
  if (code !== 0 || !last.startsWith("{")) {
    throw new Error(`ended with ${signal ?? code} at: ${lines.slice(-2).join(" | ")}\n${stderr.slice(-2000)}`);
  }
  return JSON.parse(last) as unknown;
}
