import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

import { chromeTrace, parseTrace, speedscopeProfile, traceCsv, traceJson, writeTrace } from "@cl/trace";
import { errorLike, outOfRange, wrongType, wrongValue } from "@cl/testing/error-like";

import { afterAll, beforeEach, describe, expect, test } from "vitest";

import { command, sampleTrace } from "./support/sample-trace.js";

const root = mkdtempSync(join(tmpdir(), "cl-trace-"));
let folder = root;
let count = 0;

beforeEach(() => {
  folder = join(root, String(count++));
  mkdirSync(folder);
});

afterAll(() => {
  rmSync(root, { recursive: true, force: true });
});

describe("writeTrace", () => {
  const trace = sampleTrace();

  test.each([
    ["a.json", chromeTrace(trace)],
    ["A.JSON", chromeTrace(trace)],
    ["a.speedscope.json", speedscopeProfile(trace)],
    ["a.cl.json", traceJson(trace)],
    ["a.csv", traceCsv(trace)],
  ])("infers the format from the name %s", async (name, text) => {
    await writeTrace(join(folder, name), trace);
    expect(readFileSync(join(folder, name), "utf8")).toBe(text);
    expect(readdirSync(folder)).toEqual([name]);
  });

  test("prefers the given format to that of the name, and compresses .gz files", async () => {
    await writeTrace(join(folder, "a.json.gz"), trace, { format: "json" });
    expect(parseTrace(gunzipSync(readFileSync(join(folder, "a.json.gz"))).toString())).toEqual(trace);
    await writeTrace(join(folder, "whatever"), trace, { format: "csv" });
    expect(readFileSync(join(folder, "whatever"), "utf8")).toBe(traceCsv(trace));
  });

  test("rejects invalid arguments before it writes", async () => {
    const wrong: readonly [path: string, error: Error, options?: object][] = [
      [join(folder, "a.txt"), wrongValue("path")],
      ["a", outOfRange("options.format"), { format: "pdf" }],
      ["a", outOfRange("options.format"), { format: "toString" }],
      [7 as never, wrongType("path")],
      ["a.json", wrongType("signal"), { signal: 1 }],
      [folder, wrongValue("path"), { format: "csv" }],
    ];
    for (const [path, error, options] of wrong) await expect(writeTrace(path, trace, options)).rejects.toThrow(error);
    await expect(writeTrace("a.json", {} as never)).rejects.toThrow(outOfRange("trace.version"));
    expect(readdirSync(folder)).toEqual([]);
  });

  test("throws if a folder cannot be created", async () => {
    // In /proc, mkdir fails with ENOENT, on which mkdir with `recursive` retries forever.
    await expect(writeTrace("/proc/cl-trace/deep/a.csv", trace)).rejects.toThrow(errorLike(Error, "ENOENT"));
  });

  test("creates folders, replaces files, and follows links", async () => {
    const path = join(folder, "new", "deep", "a.csv");
    await writeTrace(path, trace);
    writeFileSync(path, "old");
    const link = join(folder, "link.csv");
    symlinkSync(path, link);
    await writeTrace(link, trace);
    expect(readlinkSync(link)).toBe(path);
    expect(readFileSync(path, "utf8")).toBe(traceCsv(trace));
  });

  test("keeps the old file and leaves no temporary files if it is aborted", async () => {
    const path = join(folder, "a.json");
    writeFileSync(path, "old");
    const times = [0, 1, 2, 3] as const;
    const long = { ...trace, commands: Array.from({ length: 50_000 }, () => command("k", 0, times)) };
    await expect(writeTrace(path, long, { signal: AbortSignal.abort() })).rejects.toThrow("abort");
    const controller = new AbortController();
    const writing = writeTrace(path, long, { signal: controller.signal });
    setImmediate(() => controller.abort());
    await expect(writing).rejects.toThrow(errorLike(Error, "ABORT_ERR"));
    expect(readFileSync(path, "utf8")).toBe("old");
    expect(readdirSync(folder)).toEqual(["a.json"]);
  });
});
