/** Runs scripts on the fake driver and returns its report. */
import { randomUUID } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { buildFakeOpenCL, type FakeOptions } from "@cl/testing/fake-opencl/build";
import type { FakeReport } from "@cl/testing/fake-opencl/run";
import { lastResult, runModule } from "@cl/testing/run-module";

/** The last line that a script printed, and the driver's report. */
export interface FaultResult {
  /** Number of calls or runs. */
  readonly made: number;
  /** Descriptions of all failures. */
  readonly problems: readonly string[];
  /** Routines named by NotSupportedErrors. */
  readonly notSupported?: readonly string[];
  readonly report: FakeReport & { readonly liveInAll: number };
}

/** Enables all optional features of the fake driver. */
const allFeatures = { FAKE_CL_EXTENSIONS: "all", FAKE_CL_PIPES: "1" };

/** Runs a file in this folder on the fake driver. */
export async function runFaultOnFake(
  file: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
  options: FakeOptions = {},
): Promise<FaultResult> {
  const library = await buildFakeOpenCL(options);
  const json = path.join(tmpdir(), `cl-fault-${randomUUID()}.json`);
  try {
    const end = await runModule({
      file: new URL(file, import.meta.url),
      args,
      env: { CL_LIBRARY_PATH: library, FAKE_CL_REPORT: json, ...allFeatures, ...env },
    });
    const result = lastResult(end) as Omit<FaultResult, "report">;
    const report = JSON.parse(await readFile(json, "utf8")) as FakeReport;
    const liveInAll = Object.values(report.live).reduce((sum, count) => sum + count, 0);
    return { ...result, report: { ...report, liveInAll } };
  } finally {
    await rm(json, { force: true });
  }
}
