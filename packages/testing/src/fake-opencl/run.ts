/** Runs a script against the fake OpenCL library, in a process of its own. */
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { buildFakeOpenCL } from "./build.js";
import type { FakeOptions } from "./build.js";

/** What the fake library counted, written when the process exits. */
export interface FakeReport {
  /** Live objects by kind: context, queue, mem, event, program, kernel, sampler, device (sub-devices), svm, map. */
  readonly live: Readonly<Record<string, number>>;
  /** Uses of dead or foreign handles, and values that a binding must not let through to a driver. */
  readonly misuse: number;
  /** The first of those, each as `routine: what was wrong`. */
  readonly notes: readonly string[];
  /** OpenCL calls, all together and by routine. */
  readonly total: number;
  readonly calls: Readonly<Record<string, number>>;
}

/** How a run ended. */
export interface FakeRun {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Absent where the library was never opened, or the process did not come to its regular end. */
  readonly report: FakeReport | undefined;
}

/** The library's variant, and the process it runs in. */
export interface RunOptions extends FakeOptions {
  /** Further environment variables: the `FAKE_CL_…` controls that README.md lists. */
  readonly env?: Readonly<Record<string, string>>;
  /** Flags for Node, such as `--expose-gc`. */
  readonly nodeFlags?: readonly string[];
  /** Milliseconds after which the process is killed. Default: 20 000. */
  readonly timeout?: number;
}

/**
 * Runs the text of an ES module with the fake library in place of the system's; `@cl/core` in it is the built package.
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
        // A cache of programs that this run has to itself.
        XDG_CACHE_HOME: scratch,
        ...options.env,
      },
    });
    const timer = setTimeout(() => child.kill("SIGKILL"), options.timeout ?? 20_000);
    const ended = new Promise<Pick<FakeRun, "code" | "signal">>((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code, signal) => resolve({ code, signal }));
    });
    // A process that dies before it has read its script says so by its code; the broken pipe adds nothing.
    child.stdin.on("error", () => undefined);
    child.stdin.end(script);
    const [stdout, stderr, end] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    clearTimeout(timer);
    return { ...end, stdout, stderr, report: await readReport(path) };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** This process's environment, without what would steer OpenCL or Node. */
function inherited(): NodeJS.ProcessEnv {
  const foreign = /^(CL_|FAKE_CL_|POCL_|OCL_|NODE_OPTIONS$|VITEST)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)));
}

async function readReport(path: string): Promise<FakeReport | undefined> {
  const json = await readFile(path, "utf8").catch(() => undefined);
  return json === undefined ? undefined : (JSON.parse(json) as FakeReport);
}
