import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  chromeTrace,
  parseTrace,
  speedscopeProfile,
  statisticsJson,
  type Trace,
  traceCsv,
  traceJson,
  traceStatistics,
  writeTrace,
} from "@cl/trace";

import { call, type Ended } from "./support/clkit.js";

const kernel = { name: "advect", kind: "kernel", queue: 7, queued: 0, submitted: 0 } as const;
/** Two queues: the first is busy from 0 to 30 and from 50 to 60 µs, the second from 20 to 40. */
const example: Trace = {
  version: 1,
  started: "2026-03-01T12:00:00.000Z",
  origin: 1_000_000,
  queues: [
    { id: 7, label: "main", device: "a cpu", outOfOrder: true },
    { id: 3, label: "copies", device: "a cpu", outOfOrder: false },
    { id: 4, label: "\u001B[31midle", device: "a cpu", outOfOrder: false },
  ],
  commands: [
    { ...kernel, launcher: "step > advect", started: 0, ended: 20_000 },
    { ...kernel, launcher: "step > advect", started: 10_000, ended: 30_000, waitsFor: [0] },
    { ...kernel, name: "diffuse", launcher: "step > diffuse", started: 50_000, ended: 60_000 },
    { name: "read", kind: "read", queue: 3, queued: 0, submitted: 0, started: 20_000, ended: 40_000, bytes: 200_000 },
    { ...kernel, name: "bad", started: 20_000, ended: 20_000, failed: "CL_OUT_OF_RESOURCES" },
  ],
  hostSpans: [],
  memory: [],
  dropped: 2,
};
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "trace-"));
  write("run.cl.json", traceJson(example));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

function write(name: string, text: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

async function trace(...args: readonly string[]): Promise<Ended> {
  return call(["trace", ...args]);
}

describe("the summary", () => {
  test("has a row per launcher and the utilization of each queue", async () => {
    const { code, out, err } = await trace(join(folder, "run.cl.json"));
    expect([code, err]).toEqual([0, ""]);
    const lines = out.split("\n").map((line) => line.split(/ {2,}/));
    expect(lines[0]).toEqual(["5 commands on 3 queues in 60 µs, from 2026-03-01T12:00:00.000Z, 1 failed, 2 dropped"]);
    const columns = "name,count,failed,total,share,mean,min,max,GB/s";
    expect(lines[2]).toEqual(columns.split(","));
    expect(lines[3]?.slice(0, 4)).toEqual(["step > advect", "2", "0", "40 µs"]);
    expect(lines[3]?.[4]).toMatch(/^57\.1 %/);
    expect(lines[4]?.slice(0, 4)).toEqual(["read", "1", "0", "20 µs"]);
    expect(lines[4]?.at(-1)).toBe("10.0");
    expect(lines[5]?.slice(0, 4)).toEqual(["step > diffuse", "1", "0", "10 µs"]);
    expect(lines.slice(8, 12)).toEqual([
      ["queue", "commands", "busy", "idle", "share", "longest gap"],
      ["main (a cpu)", "4", "40 µs", "20 µs", "66.7 %", "20 µs"],
      ["copies (a cpu)", "1", "20 µs", "40 µs", "33.3 %", "0 ns"],
      ["\\u001b[31midle (a cpu)", "0", "0 ns", "60 µs", "0.0 %", "0 ns"],
    ]);
  });

  test("is sorted by the given column and limited to the given number of rows", async () => {
    const { out } = await trace(join(folder, "run.cl.json"), "--sort", "name", "--limit", "2");
    const starts = out.split("\n").map((line) => line.slice(0, 6));
    expect(starts.slice(3, 6)).toEqual(["bad   ", "read  ", "… 2 mo"]);
  });

  test("can be printed as JSON", async () => {
    const { out } = await trace(join(folder, "run.cl.json"), "--json", "--limit", "1");
    const summary = JSON.parse(out) as Record<string, unknown>;
    expect(summary).toMatchObject({
      span: 60_000,
      commands: 5,
      dropped: 2,
      rows: [{ launcher: "step > advect", count: 2, total: 40_000, mean: 20_000 }],
      queues: [
        { label: "main", busy: 40_000, idle: 20_000, longestGap: 20_000 },
        { label: "copies", busy: 20_000, idle: 40_000 },
        { busy: 0 },
      ],
    });
  });

  test("of several files combines them by their shared clock", async () => {
    const other = write("other.cl.json", traceJson({ ...example, origin: example.origin + 40_000, dropped: 0 }));
    const { out } = await trace(join(folder, "run.cl.json"), other);
    expect(out).toMatch(/^10 commands on 6 queues in 100 µs/);
    expect(out).toMatch(/run\.cl\.json: main \(a cpu\)/);
  });

  test("of a trace without commands is a message", async () => {
    const empty = write("empty.cl.json", traceJson({ ...example, commands: [], queues: [], dropped: 0 }));
    const { code, out } = await trace(empty);
    expect(code).toBe(0);
    expect(out).toContain("Only commands of queues with profiling: true are recorded.");
  });

  test("reads compressed traces", async () => {
    const { code, out } = await trace(write("run.cl.json.gz", gzipSync(traceJson(example))));
    expect(code).toBe(0);
    expect(out).toMatch(/^5 commands/);
  });
});

test("a file that writeTrace names trace.json is read like a .cl.json", async () => {
  const path = join(folder, "trace.json");
  await writeTrace(path, example);
  expect(await trace(path)).toEqual(await trace(join(folder, "run.cl.json")));
  expect(parseTrace((await trace(path, "--to", "json")).out)).toEqual(example);
});

test.each([
  ["chrome", "a.json", chromeTrace(example)],
  ["speedscope", "a.speedscope.json", speedscopeProfile(example)],
  ["csv", "a.csv", traceCsv(example)],
  ["json", "a.cl.json", traceJson(example)],
  ["text", "a.txt", /^name +kind/],
  ["html", "a.html", /^<!doctype html>/],
])("conversion to %s goes to stdout or into the file %s", async (format, name, text) => {
  const converted = await trace(join(folder, "run.cl.json"), "--to", format);
  if (typeof text === "string") expect(converted).toEqual({ code: 0, out: text, err: "" });
  else expect(converted.out).toMatch(text);
  const out = join(folder, name);
  const err = `Wrote 5 commands to ${out}\n`;
  expect(await trace(join(folder, "run.cl.json"), "--out", out)).toEqual({ code: 0, out: "", err });
  expect(readFileSync(out, "utf8")).toBe(converted.out);
});

test("--to determines the format of a file without an extension", async () => {
  const out = join(folder, "a");
  await trace(join(folder, "run.cl.json"), "-o", out, "--to", "json");
  expect(readFileSync(out, "utf8")).toBe(traceJson(example));
});

describe("errors", () => {
  test.each([
    ["", "A file is required"],
    ["a --to xml", "--to must be one of chrome, speedscope, csv, json, html, text"],
    ["a --sort size", "--sort must be one of name,"],
    ["a --limit 0", "--limit must be"],
    ["a --json --to csv", "cannot be combined with --to"],
    ["a --out b.xml", '--out "b.xml" has no known extension'],
  ])("%j exits with code 2", async (args, sentence) => {
    const { code, out, err } = await trace(...args.split(" ").filter((word) => word !== ""));
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(sentence);
  });

  test.each([
    ["no.cl.json", undefined, "does not exist"],
    [".", undefined, "is a folder, not a trace"],
    ["chrome.json", '{"traceEvents":[]}', "is a Chrome trace of another program, which cannot be read"],
    ["speedscope.json", speedscopeProfile(example), "is a speedscope profile"],
    ["statistics.json", statisticsJson(traceStatistics(example)), "is an array, such as of statistics"],
    ["page.html", "<!doctype html>", "is not a trace: it is an HTML page"],
    ["empty.json", "", "is not a trace: it is empty"],
    ["half.json", traceJson(example).slice(0, 99), "is not a trace: it is not JSON"],
    ["null.json", "null", "trace must be an object"],
    ["wrong.json", '{"version": 2}', "trace.version must be 1"],
    ["half.gz", gzipSync(traceJson(example)).subarray(0, 99), "cannot be decompressed"],
  ])("%s exits with code 1", async (name, text, sentence) => {
    const path = text === undefined ? join(folder, name) : write(name, text);
    const { code, out, err } = await trace(path);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain(sentence);
  });
});
