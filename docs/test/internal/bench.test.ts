/** Benchmark records: files, comparison with earlier records, plots. Nothing is measured here. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { expect, test } from "vitest";

import type { BenchRecord } from "../../../bench/src/records.mjs";
import { readRecords, RecordFile } from "../../../bench/src/record-file.mjs";
import { compareRatios, describeComparison } from "../../../bench/src/regressions.mjs";
import { writePlots } from "../../../bench/src/plots/index.mjs";
import { ratioBars } from "../../../bench/src/plots/ratios.mjs";
import { scalingCurves } from "../../../bench/src/plots/scaling.mjs";

function record(job: string, size: string | undefined, ours: number, others: Record<string, number>): BenchRecord {
  const ratio = Object.fromEntries(Object.entries(others).map(([peer, value]) => [peer, ours / value]));
  const sized = size === undefined ? {} : { size };
  return {
    package: "array",
    job,
    ...sized,
    unit: "us",
    ours,
    ...others,
    ratio,
    p10: {},
    max: {},
    rounds: 5,
    machine: "",
  };
}

test("compareRatios() reports regressions beyond noise, worst first, ignores new peers and lists new and missing jobs", () => {
  const before = [record("add", "1e6", 10, { cpp: 10, numpy: 20 }), record("sum", "1e6", 10, { cpp: 10 })];
  const now = [
    record("add", "1e6", 13, { cpp: 10, numpy: 5 }),
    record("sum", "1e6", 12, { cpp: 10, cupy: 1 }),
    record("dot", "1e6", 99, { cpp: 1 }),
  ];
  const comparison = compareRatios(now, before);
  expect(comparison.compared).toBe(3);
  expect(comparison.worse.map(({ job, peer }) => `${job} ${peer}`)).toEqual([
    "array add 1e6 numpy",
    "array add 1e6 cpp",
  ]);
  expect(describeComparison(comparison)).toContain("array add 1e6: 1.3 × cpp, previously 1 × (1.30 times as long)");
  expect(describeComparison(comparison)).toMatch(/\nnot in the earlier records: array dot 1e6$/);
  // The other size was not run.
  const missing = compareRatios(now.slice(1), [...before, record("add", "1e7", 1, {})]);
  expect(describeComparison(missing)).toMatch(/\nonly in the earlier records: array add 1e6$/);
  expect(compareRatios(now.slice(1), before, ["sum"]).missing).toEqual([]);
});

test("RecordFile preserves all committed records", () => {
  const results = fileURLToPath(new URL("../../../bench/results/", import.meta.url));
  const folder = mkdtempSync(join(tmpdir(), "cl-records-"));
  try {
    for (const name of readdirSync(results).filter((file) => file.endsWith(".json"))) {
      const content = JSON.parse(readFileSync(join(results, name), "utf8")) as BenchRecord[] | { format: number };
      if ("format" in content) {
        expect(() => readRecords([join(results, name)])).toThrow(/is not a list of records$/);
        continue;
      }
      const path = join(folder, name);
      for (const merge of [false, true]) {
        new RecordFile(path, merge).write(content);
        expect(JSON.parse(readFileSync(path, "utf8"))).toEqual(content);
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("RecordFile replaces the rows of repeated jobs in place and keeps the others", () => {
  const folder = mkdtempSync(join(tmpdir(), "cl-records-"));
  try {
    const path = join(folder, "records.json");
    const content = (): string[] =>
      (JSON.parse(readFileSync(path, "utf8")) as BenchRecord[]).map(({ job, size, ours }) => `${job} ${size} ${ours}`);
    new RecordFile(path, true).write([
      record("add", "1e3", 1, {}),
      record("add", "1e6", 2, {}),
      record("sum", "1e3", 3, {}),
    ]);
    const merged = new RecordFile(path, true);
    merged.write([record("add", "1e6", 20, {})]);
    merged.write([record("add", "1e6", 20, {}), record("add", "1e7", 30, {}), record("dot", "1e3", 40, {})]);
    expect(content()).toEqual(["add 1e3 1", "add 1e6 20", "add 1e7 30", "sum 1e3 3", "dot 1e3 40"]);
    merged.write([record("add", "1e4", 15, {}), record("add", "5e2", 1, {})]);
    expect(content()).toEqual(["add 5e2 1", "add 1e3 1", "add 1e4 15", "add 1e6 2", "sum 1e3 3"]);
    new RecordFile(path, false).write([record("dot", "1e3", 5, {})]);
    expect(content()).toEqual(["dot 1e3 5"]);
    expect(readdirSync(folder)).toEqual(["records.json"]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("compareRatios() ignores a uniformly slower machine", () => {
  const before = [record("add", "1e6", 10, { cpp: 10 })];
  expect(compareRatios([record("add", "1e6", 50, { cpp: 50 })], before).worse).toEqual([]);
});

test("plots show each job with peers, and curves for jobs with several sizes", () => {
  const records = [
    record("add", "1e3", 10, { cpp: 5, pyopencl: 100 }),
    record("add", "1e6", 1000, { cpp: 1000, pyopencl: 20_000 }),
    record("a<b", undefined, 1, { cpp: 2 }),
    record("alone", undefined, 1, {}),
  ];
  const bars = ratioBars("array", records) as string;
  expect(bars).toContain(">20×<");
  expect(bars).toContain(">0.5×<");
  expect(bars).toContain("a&lt;b");
  expect(bars).not.toContain("alone");
  const curves = scalingCurves("array", records) as string;
  expect(curves.match(/class="line /g)).toHaveLength(3);
  expect(scalingCurves("array", records.slice(2))).toBeUndefined();
});

test("the committed plots match their records", () => {
  const results = fileURLToPath(new URL("../../../bench/results/", import.meta.url));
  const folder = mkdtempSync(join(tmpdir(), "cl-plots-"));
  try {
    for (const device of readdirSync(join(results, "plots"))) {
      const committed = join(results, "plots", device);
      const files = readdirSync(results).filter((file) => file.endsWith(`-${device}.json`));
      const records = files.flatMap((file) => {
        const content = JSON.parse(readFileSync(join(results, file), "utf8")) as BenchRecord[] | { format: number };
        // `characterize` writes an object.
        return "format" in content ? [] : content;
      });
      writePlots(records, join(folder, device));
      expect(readdirSync(committed)).toEqual(readdirSync(join(folder, device)));
      for (const file of readdirSync(committed)) {
        // To update them: `npm run bench -- --from … --plot bench/results/plots/…`.
        expect(readFileSync(join(committed, file), "utf8")).toBe(readFileSync(join(folder, device, file), "utf8"));
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
