/** Running programs on several ranks with each MPI that is installed. */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { needs } from "@cl/base/testing";
import { childEnvironment } from "@cl/testing/child-environment";
import { isFull } from "@cl/testing/level";
import { beforeEach, describe } from "vitest";

/** An MPI, and how its launcher is called. */
export interface InstalledMpi {
  readonly name: "openmpi" | "mpich";
  readonly launcher: string;
  readonly options: readonly string[];
}

const known: readonly InstalledMpi[] = [
  {
    name: "openmpi",
    launcher: "mpirun.openmpi",
    options: ["--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "--quiet"],
  },
  { name: "mpich", launcher: "mpirun.mpich", options: [] },
];

/** The folders of this package that may contain shims. */
const shimFolders = ["build/shims", `prebuilds/${process.platform}-${process.arch}`].map((folder) =>
  path.join(createRequire(import.meta.url).resolve("@cl/mpi/package.json"), "..", folder),
);

/** Returns what the tests with an MPI lack on this computer. */
function missingFor({ name, launcher }: InstalledMpi): string | undefined {
  if (spawnSync(launcher, ["--version"], { stdio: "ignore" }).status !== 0) return `${launcher} is not installed`;
  if (shimFolders.some((folder) => existsSync(path.join(folder, `shim-${name}.so`)))) return undefined;
  return `@cl/mpi has no shim for ${name}: install mpicc.${name}, then run packages/mpi/scripts/build-shim.mjs`;
}

const usable = known.find((mpi) => missingFor(mpi) === undefined);

/** Defines tests for each MPI in a full run, and for an installed one in others. Those of a missing MPI are skipped. */
export function describeMpis(define: (mpi: InstalledMpi) => void): void {
  describe.each(isFull ? known : known.filter((mpi) => mpi === (usable ?? known[0])))("$name", (mpi) => {
    const missing = missingFor(mpi);
    beforeEach((run) => needs(run, missing === undefined, String(missing)));
    define(mpi);
  });
}

/** Numbers of ranks to test with. */
export const rankCounts: readonly number[] = isFull ? [1, 2, 3, 4] : [3];

/** How a job ended. */
export interface JobEnd {
  /** `null` if the job was killed because it took too long. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly milliseconds: number;
}

/** Options of a job. */
export interface JobOptions {
  readonly env?: NodeJS.ProcessEnv;
  /** Milliseconds after which the job is killed. */
  readonly limit?: number;
}

/** What programs begin with. They print one line of JSON for each result. */
const prelude = `
  import { CommandQueue, Context, DeviceBuffer, Program } from "@cl/core";
  import { CommandLauncher, HostLauncher, KernelLauncher, ListLauncher, Profiler } from "@cl/launcher";
  import { Field, gatherTrace, Grid, Mpi, RankStatistics, rankStatistics } from "@cl/mpi";
  import { chromeTrace, htmlReport } from "@cl/trace";
  const print = (value) => process.stdout.write(JSON.stringify(value) + "\\n");
  const expectError = async (name, run, pattern) => {
    let message = "nothing was thrown";
    try { await run(); } catch (error) { message = error.message; }
    if (!pattern.test(message)) throw new Error(name + ": " + message);
  };
`;

/** Creates a folder for a program, from which it can import the packages. */
export function programFolder(): string {
  const programs = fileURLToPath(new URL("../../build/", import.meta.url));
  mkdirSync(programs, { recursive: true });
  return mkdtempSync(path.join(programs, "test-"));
}

/** Runs a program, the source of a module, on some ranks. */
export function runRanks(mpi: InstalledMpi, ranks: number, source: string, options: JobOptions = {}): Promise<JobEnd> {
  return withProgram(source, (file) => runJob(mpi, ranks, [file], options));
}

/** Runs a program without a launcher. */
export function runAlone(source: string, options: JobOptions = {}): Promise<JobEnd> {
  return withProgram(source, (file) => runNode(["--expose-gc", file], options));
}

/** Runs Node with some arguments without a launcher. */
export function runNode(args: readonly string[], options: JobOptions = {}): Promise<JobEnd> {
  return run(process.execPath, args, options);
}

/** Writes the source of a module to a file. */
async function withProgram(source: string, use: (file: string) => Promise<JobEnd>): Promise<JobEnd> {
  // Imports are resolved from the program's folder.
  const folder = programFolder();
  const file = path.join(folder, "program.mjs");
  writeFileSync(file, prelude + source);
  try {
    return await use(file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs Node with some arguments on some ranks. */
export function runJob(
  mpi: InstalledMpi,
  ranks: number,
  args: readonly string[],
  options: JobOptions = {},
): Promise<JobEnd> {
  return run(mpi.launcher, [...mpi.options, "-n", String(ranks), process.execPath, ...args], options);
}

function run(command: string, args: readonly string[], { env = {}, limit = 120_000 }: JobOptions): Promise<JobEnd> {
  const start = performance.now();
  return new Promise<JobEnd>((resolve, reject) => {
    const child = spawn(command, args, {
      env: childEnvironment({ POCL_MAX_PTHREAD_COUNT: "1", ...env }),
      stdio: ["ignore", "pipe", "pipe"],
    });
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (part: Buffer) => (stdout += part.toString()));
    child.stderr.on("data", (part: Buffer) => (stderr += part.toString()));
    const timer = setTimeout(() => child.kill("SIGKILL"), limit);
    child.on("error", reject);
    child.on("close", (code) => {
      clearTimeout(timer);
      resolve({ code, stdout, stderr, milliseconds: performance.now() - start });
    });
  });
}

/** Returns stderr without the warning that a machine has fewer processors than the job has ranks. */
export function unexpected({ stderr }: JobEnd): string {
  return stderr.replace(/^@cl\/mpi: rank 0: the \d ranks of this node have .*\n/, "");
}

/** Returns what the ranks have printed, sorted, because ranks print in any order. Throws if the job failed. */
export function resultsOf({ code, stdout, stderr }: JobEnd): unknown[] {
  if (code !== 0) throw new Error(`the job ended with ${code}\n${stdout}\n${stderr}`);
  const lines = stdout
    .split("\n")
    .filter((line) => line.startsWith("{") || line.startsWith("[") || line.startsWith('"'));
  return lines.sort().map((line) => JSON.parse(line) as unknown);
}
