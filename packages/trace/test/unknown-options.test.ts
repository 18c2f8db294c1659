/** Unknown options, such as misspelled ones, are rejected by name. */
import { htmlReport, statisticsTable, writeReport, writeTrace } from "@cl/trace";
import { expect, test } from "vitest";

test.each<readonly [string, (unknown: object) => unknown]>([
  ["htmlReport", (unknown) => htmlReport({} as never, unknown)],
  ["statisticsTable", (unknown) => statisticsTable([], unknown)],
  ["writeReport", (unknown) => writeReport("a.html", {} as never, unknown)],
  ["writeTrace", (unknown) => writeTrace("a.json", {} as never, unknown)],
])("%s rejects an unknown option by name", async (_, call) => {
  await expect((async () => call({ noSuchOption: 1 }))()).rejects.toThrow(/options.*noSuchOption/);
});
