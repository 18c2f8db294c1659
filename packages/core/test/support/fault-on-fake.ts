/** Scripts on the fake driver, and what it saw of them. */
import { randomUUID } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { buildFakeOpenCL, type FakeOptions } from "@cl/testing/fake-opencl/build";
import type { FakeReport } from "@cl/testing/fake-opencl/run";
import { lastResult, runModule } from "@cl/testing/run-module";

/** What a script printed in its last line, and the driver's report. */
export interface FaultResult {
  /** How many calls or runs it made. */
  readonly made: number;
  /** Everything that was not as it should be. */
  readonly problems: readonly string[];
  /** Routines that were said to be missing. */
  readonly notSupported?: readonly string[];
  readonly report: FakeReport & { readonly liveInAll: number };
}

/** What devices of the fake driver can have. */
const everything = { FAKE_CL_EXTENSIONS: "all", FAKE_CL_PIPES: "1" };

/** Runs a file of this folder on the fake driver. */
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
      env: { CL_LIBRARY_PATH: library, FAKE_CL_REPORT: json, ...everything, ...env },
    });
    const result = lastResult(end) as Omit<FaultResult, "report">;
    const report = JSON.parse(await readFile(json, "utf8")) as FakeReport;
    const liveInAll = Object.values(report.live).reduce((sum, count) => sum + count, 0);
    return { ...result, report: { ...report, liveInAll } };
  } finally {
    await rm(json, { force: true });
  }
}
