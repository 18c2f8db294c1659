/** Files that are traces: what `writeTrace` wrote with the complete trace, and nothing else. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readTrace, reportFormatOf, statisticsJson, traceFormatOf, writeReport, writeTrace } from "@cl/trace";
import { afterAll, beforeAll, expect, test } from "vitest";

import { sampleTrace } from "./support/sample-trace.js";
import { needs } from "@cl/base/testing";
import { wrongType } from "@cl/testing/error-like";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "read-trace-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

test.each(["run.json", "run.cl.json", "RUN.JSON.GZ", "run.cl.json.gz"])("reads %s back", async (name) => {
  const path = join(folder, name);
  await writeTrace(path, sampleTrace());
  expect(await readTrace(path)).toEqual(sampleTrace());
});

test.each([
  ["run.speedscope.json", "a speedscope profile"],
  ["run.csv", "not a trace: it is not JSON"],
])("says what %s is", async (name, sentence) => {
  const path = join(folder, name);
  await writeTrace(path, sampleTrace());
  await expect(readTrace(path)).rejects.toThrow(sentence);
});

test("says what a report and statistics are", async () => {
  const page = join(folder, "page.html");
  await writeReport(page, sampleTrace());
  await expect(readTrace(page)).rejects.toThrow("not a trace: it is an HTML page");
  const statistics = join(folder, "statistics.json");
  writeFileSync(statistics, statisticsJson([]));
  await expect(readTrace(statistics)).rejects.toThrow("an array, such as of statistics");
});

test("names a file that does not exist, and a path that is no string", async () => {
  await expect(readTrace(join(folder, "none.json"))).rejects.toThrow("none.json does not exist");
  await expect(readTrace(1 as never)).rejects.toThrow(wrongType());
});

test("refuses what does not end", { tags: "ci" }, async (run) => {
  needs(run, existsSync("/dev/zero"), "there is no /dev/zero");
  await expect(readTrace("/dev/zero")).rejects.toThrow("the longest possible string");
});

test("file names tell the formats of traces and reports", () => {
  const names = ["a.json", "a.cl.json.gz", "a.speedscope.json", "A.CSV", "a.html", "a.htm.gz", "a.txt", "a.png"];
  expect(names.map((name) => traceFormatOf(name))).toEqual(["chrome", "json", "speedscope", "csv", ...none(4)]);
  expect(names.map((name) => reportFormatOf(name))).toEqual([
    ..."json json json csv html html text".split(" "),
    ...none(1),
  ]);
});

function none(count: number): undefined[] {
  return Array.from({ length: count }, () => undefined);
}
