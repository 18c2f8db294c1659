import {
  parseStatistics,
  parseTrace,
  type StatisticsRow,
  statisticsCsv,
  statisticsJson,
  statisticsTable,
  traceCsv,
  traceJson,
  traceStatistics,
} from "@cl/trace";

import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { parseCsv } from "@cl/testing/parse-csv";
import { command, sampleTrace } from "./support/sample-trace.js";
import { wrongType, wrongValue } from "@cl/testing/error-like";

const text = fc.string({ unit: "grapheme" });
const number = fc.double({ noDefaultInfinity: true });

const someRow = fc.record<StatisticsRow>(
  {
    name: text,
    kind: fc.constantFrom("kernel", "read", "host"),
    launcher: text,
    count: fc.nat(),
    failed: fc.nat(),
    total: number,
    mean: number,
    std: number,
    min: number,
    max: number,
    p50: number,
    p95: number,
    queueDelay: number,
    submitDelay: number,
    bytes: number,
    gbPerSecond: number,
    imbalance: number,
    slowest: fc.nat(),
  },
  { requiredKeys: ["name", "kind", "count", "total", "mean", "std", "min", "max", "p50", "p95"] },
);

const times = { count: 1, total: 1, mean: 1, std: 0, min: 1, max: 1, p50: 1, p95: 1 };
const row: StatisticsRow = {
  ...times,
  name: "a",
  kind: "kernel",
};

/** A name as in a CSV file. */
function shownText(name: string): string {
  const escaped = name.replace(
    /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu,
    (character) => String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return /^[=+\-@]/.test(escaped) ? `'${escaped}` : escaped;
}

describe("CSV", () => {
  test("of statistics can be parsed, with any characters in names", () => {
    fc.assert(
      fc.property(fc.array(someRow), (rows) => {
        const [head, ...lines] = parseCsv(statisticsCsv(rows)) as [string[], ...string[][]];
        const back = lines.map((line) => Object.fromEntries(head.map((name, i) => [name, line[i]])));
        const shown = (value: number | undefined): string => (Number.isNaN(value ?? Number.NaN) ? "" : String(value));
        expect(back.map((row) => [row["name"], row["launcher"], row["total_ns"], row["gb_per_second"]])).toEqual(
          rows.map((row) => [
            shownText(row.name),
            shownText(row.launcher ?? ""),
            shown(row.total),
            shown(row.gbPerSecond),
          ]),
        );
      }),
    );
    expect.hasAssertions();
  });

  test("of names that start like formulas are texts, without control characters", () => {
    const rows = ['=HYPERLINK("x")', "+1", "-1", "@SUM(A1)", "\u001b[31m\u202e", "a=1"].map((name) => ({
      ...row,
      name,
    }));
    expect(parseCsv(statisticsCsv(rows)).map(([name]) => name)).toEqual([
      "name",
      '\'=HYPERLINK("x")',
      "'+1",
      "'-1",
      "'@SUM(A1)",
      String.raw`\u001b[31m\u202e`,
      "a=1",
    ]);
  });

  test("of a trace has a line for each command", () => {
    const lines = parseCsv(traceCsv(sampleTrace()));
    expect(lines).toHaveLength(10);
    expect(new Set(lines.map((line) => line.length))).toEqual(new Set([17]));
    const third = ["5", "third", "kernel", "", "7", 'side, "quoted"', "pthread", "960", "970", "6100", "7000", "900"];
    expect(lines[6]).toEqual([...third, "", "", "", "", "3 4"]);
    expect(lines[9]?.[1]).toBe(String.raw`clear\u000a\u2028 "é"`);
  });
});

test.each([statisticsCsv, statisticsJson, statisticsTable])("%o refuses what is no array of statistics", (format) => {
  expect(() => format(undefined as never)).toThrow(wrongType("rows"));
  expect(() => format([1] as never)).toThrow(wrongType("rows[0]"));
});

describe("JSON", () => {
  test("preserves a trace", () => {
    expect(parseTrace(traceJson(sampleTrace()))).toEqual(sampleTrace());
    fc.assert(
      fc.property(fc.array(fc.tuple(text, fc.nat(), fc.nat(), text)), (list) => {
        const commands = list.map(([name, from, length, failed]) =>
          command(name, 7, [0, 1.5, from, from + length], { failed }),
        );
        const trace = { ...sampleTrace(), commands };
        expect(parseTrace(traceJson(trace))).toEqual(trace);
      }),
    );
  });

  test("preserves rows of statistics, including missing values", () => {
    fc.assert(
      fc.property(fc.array(someRow), (rows) => {
        // JSON has no negative zero.
        const plain = (row: StatisticsRow): object =>
          Object.fromEntries(Object.entries(row).map(([key, value]) => [key, value === 0 ? 0 : (value as unknown)]));
        expect(parseStatistics(statisticsJson(rows)).map(plain)).toEqual(rows.map(plain));
      }),
    );
    expect.hasAssertions();
  });

  test("that is neither a trace nor statistics is rejected with the reason", () => {
    expect(() => parseTrace("{")).toThrow(wrongValue("trace"));
    expect(() => parseTrace("[]")).toThrow(wrongType("trace"));
    expect(() => parseTrace(5 as never)).toThrow(wrongType("trace"));
    expect(() => parseStatistics("{}")).toThrow(wrongType("statistics"));
    const [row] = JSON.parse(statisticsJson(traceStatistics(sampleTrace()))) as [object];
    for (const [change, sentence] of [
      [{ name: 1 }, wrongType("statistics[0].name")],
      [{ kind: "cook" }, wrongType("statistics[0].kind")],
      [{ mean: "1" }, wrongType("statistics[0].mean")],
      [{ count: undefined }, wrongType("statistics[0].count")],
      [{ bytes: true }, wrongType("statistics[0].bytes")],
    ] as const) {
      expect(() => parseStatistics(JSON.stringify([{ ...row, ...change }]))).toThrow(sentence);
    }
  });
});
