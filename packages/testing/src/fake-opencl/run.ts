/** Runs a script with the fake OpenCL library in a child process. */
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { buildFakeOpenCL } from "./build.js";
import type { FakeOptions } from "./build.js";

/** Counters of the fake library, written when the process exits. */
export interface FakeReport {
  /** Live objects by kind: context, queue, mem, event, program, kernel, sampler, device (sub-devices), svm, map. */
  readonly live: Readonly<Record<string, number>>;
  /** Number of uses of released or foreign handles and of values that a binding must not pass to a driver. */
  readonly misuse: number;
  /** The first misuses, each as `routine: problem`. */
  readonly notes: readonly string[];
  /** Number of OpenCL calls. */
  readonly total: number;
  /** Number of OpenCL calls by routine. */
  readonly calls: Readonly<Record<string, number>>;
}

/** Result of a run. */
export interface FakeRun {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Undefined if the library was never opened or the process did not exit normally. */
  readonly report: FakeReport | undefined;
}

/** Options of the library variant and of the process. */
export interface RunOptions extends FakeOptions {
  /** Additional environment variables: the `FAKE_CL_…` controls in README.md. */
  readonly env?: Readonly<Record<string, string>>;
  /** Node.js flags, such as `--expose-gc`. */
  readonly nodeFlags?: readonly string[];
  /** Milliseconds after which the process is killed. @defaultValue 100_000 */
  readonly timeout?: number;
}

/**
 * Runs the source of an ES module with the fake library in place of the system's. It imports `@cl/core` from the built
 * package.
 *
 * @example
 * ```ts
 * const { code, report } = await runWithFake(`import { Context } from "@cl/core"; Context.create();`, {
 *   env: { FAKE_CL_FAIL: "clCreateContext=-6" },
 * });
 * ```
 */
export async function runWithFake(script: string, options: RunOptions = {}): Promise<FakeRun> {
  const library = await buildFakeOpenCL(options);
  const scratch = await mkdtemp(join(tmpdir(), "fake-opencl-"));
  try {
    const path = join(scratch, "report.json");
    const child = spawn(process.execPath, [...(options.nodeFlags ?? []), "--input-type=module"], {
      cwd: fileURLToPath(new URL("../../", import.meta.url)),
      env: {
        ...inherited(),
        CL_LIBRARY_PATH: library,
        FAKE_CL_REPORT: path,
        // A separate program cache for this run.
        XDG_CACHE_HOME: scratch,
        ...options.env,
      },
    });
    // Ends a hung process.
    const timer = setTimeout(() => child.kill("SIGKILL"), options.timeout ?? 100_000);
    const ended = new Promise<Pick<FakeRun, "code" | "signal">>((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code, signal) => resolve({ code, signal }));
    });
    // Ignores the broken pipe of a process that exits before reading its script; its exit code shows the failure.
    child.stdin.on("error", () => undefined);
    child.stdin.end(script);
    const [stdout, stderr, end] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    clearTimeout(timer);
    return { ...end, stdout, stderr, report: await readReport(path) };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Returns this process's environment without variables that affect OpenCL or Node.js. */
function inherited(): NodeJS.ProcessEnv {
  const excluded = /^(CL_|FAKE_CL_|POCL_|OCL_|NODE_OPTIONS$|VITEST)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !excluded.test(name)));
}

async function readReport(path: string): Promise<FakeReport | undefined> {
  const json = await readFile(path, "utf8").catch(() => undefined);
  return json === undefined ? undefined : (JSON.parse(json) as FakeReport);
}
