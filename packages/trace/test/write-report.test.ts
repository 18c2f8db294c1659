import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

import { htmlReport, parseStatistics, statisticsCsv, statisticsTable, traceStatistics, writeReport } from "@cl/trace";
import { errorLike } from "@cl/testing/error-like";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { sampleTrace } from "./support/sample-trace.js";

const trace = sampleTrace();
const rows = traceStatistics(trace);
let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cl-report-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe("writeReport", () => {
  test.each([
    ["a.html", htmlReport(trace)],
    ["a.htm", htmlReport(trace)],
    ["a.txt", `${statisticsTable(rows)}\n`],
    ["a.csv", statisticsCsv(rows)],
  ])("infers the format from the name %s", async (name, text) => {
    await writeReport(join(folder, name), trace);
    expect(readFileSync(join(folder, name), "utf8")).toBe(text);
    expect(readdirSync(folder)).toEqual([name]);
  });

  test("uses the given format, title and statistics, and compresses .gz files", async () => {
    await writeReport(join(folder, "a"), trace, { format: "html", title: "Here & now", statistics: rows.slice(0, 1) });
    expect(readFileSync(join(folder, "a"), "utf8")).toBe(
      htmlReport(trace, { title: "Here & now", statistics: rows.slice(0, 1) }),
    );
    await writeReport(join(folder, "b.json.gz"), trace, { statistics: rows.slice(1, 3) });
    expect(parseStatistics(gunzipSync(readFileSync(join(folder, "b.json.gz"))).toString())).toEqual(rows.slice(1, 3));
  });

  test("rejects invalid arguments before it writes", async () => {
    const path = join(folder, "a.html");
    await expect(writeReport(join(folder, "a.pdf"), trace)).rejects.toThrow(
      errorLike(TypeError, "ERR_INVALID_ARG_VALUE", "path"),
    );
    await expect(writeReport(path, trace, { format: "pdf" as never })).rejects.toThrow(
      errorLike(RangeError, "ERR_OUT_OF_RANGE", "options.format"),
    );
    await expect(writeReport(path, trace, { title: 5 as never })).rejects.toThrow(
      errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options.title"),
    );
    await expect(writeReport(path, trace, { statistics: {} as never })).rejects.toThrow(
      errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options.statistics"),
    );
    await expect(writeReport(path, {} as never)).rejects.toThrow(
      errorLike(RangeError, "ERR_OUT_OF_RANGE", "trace.version"),
    );
    await expect(writeReport(path, trace, { signal: AbortSignal.abort() })).rejects.toThrow("abort");
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe("htmlReport", () => {
  test("is a self-contained page that allows only its own script", () => {
    const page = htmlReport(trace);
    expect(page).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(page.replace(/<script>[^]*?<\/script>/, "")).not.toMatch(/(src|href)="(?!#|data:)/);
    expect(page).toMatch(/Content-Security-Policy" content="default-src &#39;none&#39;; script-src &#39;sha256-/);
    expect(page.match(/<script\b/g)).toHaveLength(2);
    expect(page.match(/<\/script>/g)).toHaveLength(2);
  });

  test("is deterministic", () => {
    expect(htmlReport(trace)).toBe(htmlReport(sampleTrace()));
  });
});
