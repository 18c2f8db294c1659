/** Benchmark records: files, comparison with earlier records, plots. Nothing is measured here. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { expect, test } from "vitest";

import type { BenchRecord } from "../../../bench/src/records.mjs";
import { keyOf, readRecords, type RecordFile, writeRecords } from "../../../bench/src/record-file.mjs";
import { compareRatios, describeComparison } from "../../../bench/src/regressions.mjs";
import { writePlots } from "../../../bench/src/plots/index.mjs";
import { ratioBars } from "../../../bench/src/plots/ratios.mjs";
import { scalingCurves } from "../../../bench/src/plots/scaling.mjs";
import { weakScaling } from "../../../bench/src/plots/weak-scaling.mjs";
import { parseOptions } from "../../../bench/src/options.mjs";
import { ranksTable } from "../../../bench/src/report.mjs";
import { withTables } from "../../../bench/src/tables.mjs";

const results = fileURLToPath(new URL("../../../bench/results/", import.meta.url));

/** The results files with records; those that `characterize` wrote have none. */
function recordFiles(): { name: string; content: RecordFile }[] {
  return readdirSync(results)
    .filter((file) => file.endsWith(".json"))
    .map((name) => ({ name, content: JSON.parse(readFileSync(join(results, name), "utf8")) as RecordFile }))
    .filter(({ content }) => "records" in content);
}

function record(job: string, size: string | undefined, ours: number, others: Record<string, number>): BenchRecord {
  const ratio = Object.fromEntries(Object.entries(others).map(([peer, value]) => [peer, ours / value]));
  const sized = size === undefined ? {} : { size };
  const rest = { p10: {}, max: {}, rounds: 5, device: "" };
  return { package: "array", job, ...sized, unit: "us", ours, ...others, ratio, ...rest };
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
  const worse = comparison.worse.map(({ job, peer }) => `${job} ${peer}`);
  expect(worse).toEqual(["array add 1e6 numpy", "array add 1e6 cpp"]);
  expect(describeComparison(comparison)).toContain("array add 1e6: 1.3 × cpp, previously 1 × (1.30 times as long)");
  expect(describeComparison(comparison)).toMatch(/\nnot in the earlier records: array dot 1e6$/);
  // The other size was not run.
  const missing = compareRatios(now.slice(1), [...before, record("add", "1e7", 1, {})]);
  expect(describeComparison(missing)).toMatch(/\nonly in the earlier records: array add 1e6$/);
  expect(compareRatios(now.slice(1), before, ["sum"]).missing).toEqual([]);
});

test("every results file is of one run of one day, with the sizes of each job in order", () => {
  const folder = mkdtempSync(join(tmpdir(), "cl-records-"));
  try {
    for (const { name, content } of recordFiles()) {
      expect(content.date, name).toMatch(/^\d{4}-\d{2}-\d{2}$/);
      expect(content.machine, name).toMatch(/ cores, /);
      const path = join(folder, name);
      writeRecords(path, content.records);
      expect(readRecords([path]), name).toEqual(content.records);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("records are written atomically, sorted by size within each job", () => {
  const folder = mkdtempSync(join(tmpdir(), "cl-records-"));
  try {
    const path = join(folder, "records.json");
    writeRecords(path, [record("sum", "1e3", 1, {})]);
    writeRecords(path, [
      record("add", "1e6", 2, {}),
      record("sum", "1e3", 3, {}),
      record("add", "1e3", 1, {}),
      record("dot", undefined, 4, {}),
    ]);
    expect(readRecords([path]).map(({ job, size }) => [job, size])).toEqual([
      ["add", "1e3"],
      ["add", "1e6"],
      ["sum", "1e3"],
      ["dot", undefined],
    ]);
    expect(readdirSync(folder)).toEqual(["records.json"]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("a file without records is rejected", () => {
  const characteristics = readdirSync(results).find((file) => file.startsWith("characterize-h200"));
  expect(() => readRecords([join(results, characteristics as string)])).toThrow(/must have a list of records$/);
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

test("jobs on several ranks have a table, and curves of the efficiency if their problem grows with the ranks", () => {
  const onRanks = (job: string, ranks: number, efficiency: Record<string, number>): BenchRecord => ({
    ...record(job, undefined, 100, { cpp: 80 }),
    package: "mpi",
    ranks,
    scaling: job === "transpose" ? "strong" : "weak",
    efficiency,
    hostBytes: 2e6,
  });
  const records = [
    onRanks("heat", 1, { ours: 1, cpp: 1 }),
    onRanks("heat", 2, { ours: 0.9, cpp: 0.95 }),
    onRanks("lattice", 1, { ours: 1 }),
    onRanks("lattice", 4, { ours: 1.25 }),
    onRanks("transpose", 1, { ours: 1 }),
    onRanks("transpose", 2, { ours: 0.5 }),
  ];
  const curves = weakScaling(records) as string;
  expect(curves.match(/class="line /g)).toHaveLength(3);
  expect(curves).not.toContain("transpose");
  expect(weakScaling(records.slice(4))).toBeUndefined();
  const rows = ranksTable(records).split("\n");
  expect(rows[3]).toMatch(/^\| heat +\| 2 +\| 100 +\| 80 +\| 1.25 +\| 90 % +\| 95 % +\| 2 +\|$/);
  expect(new Set(records.map(keyOf)).size).toBe(records.length);
});

test("the committed plots match their records", () => {
  const folder = mkdtempSync(join(tmpdir(), "cl-plots-"));
  try {
    for (const device of readdirSync(join(results, "plots"))) {
      const committed = join(results, "plots", device);
      const ofDevice = recordFiles().filter(({ name }) => name.endsWith(`-${device}.json`));
      const records = ofDevice.flatMap(({ content }) => content.records);
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

test("the tables of bench/README.md are those of the records", async () => {
  const readme = readFileSync(join(results, "../README.md"), "utf8");
  const tables = [...readme.matchAll(/^<!-- table (\S+) -->$/gm)].map(([, name]) => `${name}.json`);
  expect(tables.toSorted()).toEqual(recordFiles().map(({ name }) => name));
  // `node bench/src/tables.mjs` writes them.
  expect(readme).toBe(await withTables(readme));
});

test("--processes is a positive integer, 1 by default", () => {
  expect(parseOptions([])?.processes).toBe(1);
  expect(parseOptions(["--processes", "8"])?.processes).toBe(8);
  expect(() => parseOptions(["--processes", "0.5"])).toThrow(/--processes must be .* received 0.5/);
});

test("--json is rejected with --from, since the records are from another day or machine", () => {
  expect(() => parseOptions(["--from", "a.json", "--json", "b.json"])).toThrow(
    "--json writes measured records and cannot be combined with --from",
  );
});
