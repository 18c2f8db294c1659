import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

import { htmlReport, parseStatistics, statisticsCsv, statisticsTable, traceStatistics, writeReport } from "@cl/trace";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { sampleTrace } from "./support/sample-trace.js";
import { outOfRange, wrongType, wrongValue } from "@cl/testing/error-like";

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
    const wrong: readonly [object, Error][] = [
      [{ format: "pdf" }, outOfRange("options.format")],
      [{ title: 5 }, wrongType("options.title")],
      [{ statistics: {} }, wrongType("options.statistics")],
    ];
    for (const [options, error] of wrong) await expect(writeReport(path, trace, options)).rejects.toThrow(error);
    await expect(writeReport(join(folder, "a.pdf"), trace)).rejects.toThrow(wrongValue("path"));
    await expect(writeReport(path, {} as never)).rejects.toThrow(outOfRange("trace.version"));
    await expect(writeReport(path, trace, { signal: AbortSignal.abort() })).rejects.toThrow("abort");
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe("htmlReport", () => {
  test("escapes control characters in names, which would reorder the text around them", () => {
    const commands = trace.commands.map((command) => ({ ...command, name: "a\u202eb\u001b" }));
    const page = htmlReport({ ...trace, commands }, { title: "c\u202ed" });
    for (const character of ["\u202e", "\u001b"]) expect(page.includes(character)).toBe(false);
    // In the table, and in the JSON of the timeline.
    const shown = [String.raw`a\u202eb\u001b`, String.raw`a\\u202eb\\u001b`];
    expect(shown.filter((name) => page.includes(name))).toEqual(shown);
  });

  test("is a self-contained page that allows only its own script", () => {
    const page = htmlReport(trace);
    expect(page).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(page.replace(/<script>[^]*?<\/script>/, "")).not.toMatch(/(src|href)="(?!#|data:)/);
    expect(page).toMatch(/Content-Security-Policy" content="default-src &#39;none&#39;; script-src &#39;sha256-/);
    expect(page.match(/<script\b/g)).toHaveLength(2);
    expect(page.match(/<\/script>/g)).toHaveLength(2);
  });
});
