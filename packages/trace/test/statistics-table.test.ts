import { type StatisticsRow, statisticsTable, traceStatistics } from "@cl/trace";

import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { sampleTrace } from "./support/sample-trace.js";
import { outOfRange, wrongType } from "@cl/testing/error-like";

function row(name: string, total: number, more: Partial<StatisticsRow> = {}): StatisticsRow {
  const mean = total / 4;
  return { name, kind: "kernel", count: 4, total, mean, std: 0, min: mean, max: mean, p50: mean, p95: mean, ...more };
}

const rows = [row("diffuse", 1e6), row("advect", 3e6, { launcher: "timestep > advect" })];

describe("statisticsTable", () => {
  test("has a header and a line per row, the longest total first, with a unit for each number", () => {
    expect(statisticsTable(rows).split("\n")).toEqual([
      "name               kind    count  total   share               mean   std     min     p50     p95     max",
      "timestep > advect  kernel      4   3 ms  75.0 % ███████▌    750 µs  0 ns  750 µs  750 µs  750 µs  750 µs",
      "diffuse            kernel      4   1 ms  25.0 % ██▌         250 µs  0 ns  250 µs  250 µs  250 µs  250 µs",
    ]);
  });

  test("sorts by any column", () => {
    const names = (sort: "name" | "count" | "gbPerSecond"): string[] => {
      const list = [row("b", 1, { count: 7 }), row("a", 2, { gbPerSecond: 5 }), row("c", 3, { gbPerSecond: 9 })];
      const lines = statisticsTable(list, { sort, columns: ["name"] }).split("\n");
      return lines.slice(1);
    };
    expect(names("name")).toEqual(["a", "b", "c"]);
    expect(names("count")).toEqual(["b", "a", "c"]);
    // Rows without a value come last.
    expect(names("gbPerSecond")).toEqual(["c", "a", "b"]);
  });

  test("shows the given columns, and missing values as a dash", () => {
    const text = statisticsTable([row("x", 8e9, { bytes: 4 * 2 ** 30, gbPerSecond: 0.537 }), row("y", Number.NaN)], {
      columns: ["name", "total", "bytes", "gbPerSecond", "submitDelay"],
    });
    expect(text.split("\n")).toEqual([
      "name  total  bytes   GB/s  submitted",
      "x       8 s  4 GiB  0.537          –",
      "y         –      –      –          –",
    ]);
  });

  test("computes shares of device time and of host time separately", () => {
    const list = [row("a", 3e6), row("b", 1e6), row("write", 9e6, { kind: "host" })];
    const linesOf = (limit: number): string[] =>
      statisticsTable(list, { columns: ["name", "share"], bars: false, limit }).split("\n");
    expect(linesOf(3)).toEqual(["name     share", "a       75.0 %", "b       25.0 %", "", "write  100.0 %"]);
    expect(linesOf(1)).toEqual(["name   share", "a     75.0 %", "… 2 more, total 10 ms (25.0 %)"]);
  });

  test("shows failures and throughput only if present", () => {
    const head = (list: readonly StatisticsRow[]): string => statisticsTable(list).split("\n")[0] as string;
    expect(head(rows)).not.toMatch(/failed|GB\/s|bytes/);
    expect(head([row("x", 1, { failed: 2 })])).toContain("failed");
    expect(head([row("x", 1, { bytes: 8, gbPerSecond: 8 })])).toMatch(/bytes +GB\/s/);
  });

  test("shows the imbalance of processes and the slowest only if present", () => {
    expect(statisticsTable(rows).split("\n")[0]).not.toMatch(/imbalance|slowest/);
    const list = [row("x", 1e9, { imbalance: 0.256, slowest: 0 }), row("y", 1e8)];
    expect(statisticsTable(list).split("\n")[0]).toMatch(/ imbalance +slowest$/);
    expect(statisticsTable(list, { columns: ["name", "imbalance", "slowest"] }).split("\n")).toEqual([
      "name  imbalance  slowest",
      "x        25.6 %        0",
      "y             –        –",
    ]);
  });

  test("fits the given width, and always has names and totals", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(fc.string({ minLength: 1, unit: "grapheme" }), fc.double({ min: 0, max: 1e12, noNaN: true })),
          {
            minLength: 1,
            maxLength: 6,
          },
        ),
        fc.integer({ min: 40, max: 160 }),
        (list, width) => {
          const lines = statisticsTable(
            list.map(([name, total]) => row(name, total)),
            { width, colors: false },
          ).split("\n");
          expect(lines).toHaveLength(list.length + 1);
          expect(lines[0]).toContain("total");
          expect(Math.max(...lines.map((line) => Array.from(line).length))).toBeLessThanOrEqual(width);
        },
      ),
    );
  });

  test("omits bars first, then the ends of long names, then columns", () => {
    const list = [row("a name that is much longer than what a terminal has room for", 1e6), row("b", 3e6)];
    const at = (width: number): string => statisticsTable(list, { width });
    expect(at(200)).toContain("█");
    expect(at(200)).toContain("has room for");
    expect(at(130)).not.toContain("█");
    expect(at(130)).toContain("…");
    expect(at(130)).toContain("p95");
    expect(at(60)).not.toContain("p95");
    expect(at(60)).toContain("a name that is much");
  });

  test("escapes control characters in names", () => {
    const text = statisticsTable([row("a\nb\u001b[31m\u2028\u202e", 1)]);
    expect(text.split("\n")).toHaveLength(2);
    expect(text).toContain(String.raw`a\u000ab\u001b[31m\u2028\u202e`);
  });

  test("has no colors by default", () => {
    expect(statisticsTable(rows)).not.toContain("\u001b");
    expect(statisticsTable(rows, { colors: true })).toContain("\u001b[36m███████▌");
    expect(statisticsTable(rows, { colors: true, bars: false })).not.toContain("█");
  });

  test.each([
    [{ sort: "size" }, outOfRange("options.sort")],
    [{ columns: "name" }, wrongType("options.columns")],
    [{ columns: ["name", "size"] }, outOfRange("options.columns")],
    [{ width: 0 }, outOfRange("options.width")],
    [{ limit: 1.5 }, outOfRange("options.limit")],
    [{ bars: 1 }, wrongType("options.bars")],
  ])("rejects %j", (options, sentence) => {
    expect(() => statisticsTable(rows, options as never)).toThrow(sentence);
  });

  test("rejects rows of a wrong type, and accepts an empty array", () => {
    expect(() => statisticsTable("rows" as never)).toThrow(wrongType("rows"));
    expect(statisticsTable([])).toMatch(/^name +kind +count +total/);
  });
});

describe("traceStatistics", () => {
  test("has a row per launcher, and counts failed commands separately", () => {
    const all = traceStatistics(sampleTrace());
    expect(all.map(({ name, count, failed }) => [name, count, failed])).toEqual([
      ["advect", 2, 0],
      ["left", 1, 0],
      ["right", 1, 0],
      ["diffuse", 1, 0],
      ["third", 1, 0],
      ["probe", 1, 0],
      ['clear\n\u2028 "é"', 1, 0],
      ["</script><img src=x onerror=alert(1)>", 0, 1],
    ]);
    expect(all[0]).toEqual({
      name: "advect",
      kind: "kernel",
      launcher: "timestep > advect",
      count: 2,
      failed: 0,
      total: 6000.25,
      mean: 3000.125,
      std: 999.875,
      min: 2000.25,
      max: 4000,
      p50: 3000.125,
      p95: 3900.0125,
      queueDelay: 100,
      submitDelay: 2200,
      bytes: 8_388_608,
      gbPerSecond: 8_388_608 / 6000.25,
    });
  });
});
