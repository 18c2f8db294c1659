/** Scripts in processes of their own, on the built package. */
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { childEnvironment } from "../../../core/test/support/child-environment.js";

/** The last line that a module printed, as JSON; throws with what it said where it failed. */
export async function resultOfModule(
  source: string,
  env?: Readonly<Record<string, string | undefined>>,
): Promise<unknown> {
  const { code, signal, stdout, stderr } = await runModule(source, env);
  const last = stdout.trimEnd().split("\n").at(-1) ?? "";
  if (code !== 0) throw new Error(`ended with ${signal ?? code} after: ${last}\n${stderr.slice(-2000)}`);
  return JSON.parse(last) as unknown;
}

/** How a process ended, and what it printed. */
interface ChildEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the text of an ES module; it is killed if it does not end. */
async function runModule(source: string, env: Readonly<Record<string, string | undefined>> = {}): Promise<ChildEnd> {
  const child = spawn(process.execPath, ["--expose-gc", "--input-type=module"], {
    // The package's folder, so that its name and that of core resolve.
    cwd: fileURLToPath(new URL("../..", import.meta.url)),
    env: childEnvironment(env),
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), 25_000);
  const ended = new Promise<Pick<ChildEnd, "code" | "signal">>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal }));
  });
  child.stdin.end(source);
  const [stdout, stderr, end] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  clearTimeout(timer);
  return { ...end, stdout, stderr };
}
