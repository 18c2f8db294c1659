/** Runs scripts that look for faults on the fake driver. */
import { randomUUID } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { expect } from "vitest";

import { buildFakeOpenCL, type FakeOptions } from "@cl/testing/fake-opencl/build";
import type { FakeReport } from "@cl/testing/fake-opencl/run";
import { lastResult, runModule } from "@cl/testing/run-module";

/** The last line that a script printed. */
interface FaultResult {
  /** Number of calls or runs. */
  readonly made: number;
  /** Descriptions of all failures. */
  readonly problems: readonly string[];
  /** Routines named by NotSupportedErrors. */
  readonly notSupported?: readonly string[];
}

/** Enables all optional features of the fake driver. */
const allFeatures = { FAKE_CL_EXTENSIONS: "all", FAKE_CL_PIPES: "1" };

/** Runs a file in this folder on the fake driver. It must find no problems, make no invalid call and leak no handle. */
export async function runFaultOnFake(
  file: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
  { canLeak = false, ...options }: FakeOptions & { readonly canLeak?: boolean } = {},
): Promise<Pick<FaultResult, "made" | "notSupported">> {
  const library = await buildFakeOpenCL(options);
  const json = path.join(tmpdir(), `cl-fault-${randomUUID()}.json`);
  try {
    const end = await runModule({
      file: new URL(file, import.meta.url),
      args,
      env: { CL_LIBRARY_PATH: library, FAKE_CL_REPORT: json, ...allFeatures, ...env },
    });
    const { problems, ...result } = lastResult(end) as FaultResult;
    const report = JSON.parse(await readFile(json, "utf8")) as FakeReport;
    const left = canLeak ? {} : Object.fromEntries(Object.entries(report.live).filter(([, count]) => count > 0));
    const { misuse, notes } = report;
    expect({ problems, misuse, notes, left }).toEqual({ problems: [], misuse: 0, notes: [], left: {} });
    return result;
  } finally {
    await rm(json, { force: true });
  }
}
