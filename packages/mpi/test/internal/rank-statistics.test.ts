/** Statistics of ranks, from numbers that are known. */
import type { LauncherSnapshot } from "@cl/launcher";
import { mergeTimeStatistics } from "@cl/core";
import { expect, test } from "vitest";

import { RankStatistics } from "../../src/rank-statistics.js";

function launcher(name: string, kind: LauncherSnapshot["kind"], count: number, total: number): LauncherSnapshot {
  const none = mergeTimeStatistics();
  const sketch = { ...none.sketch, zeros: count };
  return { ...none, name, kind, count, total, sketch, std: 0, min: 0, max: total };
}

function list(...members: LauncherSnapshot[]): LauncherSnapshot {
  return { ...mergeTimeStatistics(...members), name: "step", kind: "list", members };
}

test("imbalance is how much longer the slowest rank takes than the mean", () => {
  const { rows, work, waiting } = new RankStatistics([
    list(launcher("a", "kernel", 5, 100), launcher("ghosts", "wait", 5, 60), launcher("save", "host", 1, 900)),
    list(launcher("a", "kernel", 5, 160), launcher("ghosts", "wait", 5, 0), launcher("b", "copy", 2, 40)),
  ]);
  expect(rows.map(({ launcher: path, total }) => [path, total])).toEqual([
    ["step > save", 900],
    ["step > a", 260],
    ["step > ghosts", 60],
    ["step > b", 40],
  ]);
  const shown = rows.map(({ min, mean, max, std, slowest, ranks, totals, count }) => {
    return { min, mean, max, std, slowest, ranks, totals, count };
  });
  const a = { min: 100, mean: 130, max: 160, std: 30, slowest: 1 };
  expect(shown[1]).toEqual({ ...a, ranks: [0, 1], totals: [100, 160], count: 5 });
  const b = { min: 40, mean: 40, max: 40, std: 0, slowest: 1 };
  expect(shown[3]).toEqual({ ...b, ranks: [1], totals: [40], count: 2 });
  expect(rows.map(({ imbalance }) => imbalance)).toEqual([0, 160 / 130 - 1, 1, 0]);
  expect([work.totals, work.imbalance, work.slowest]).toEqual([[100, 200], 200 / 150 - 1, 1]);
  expect([waiting.totals, waiting.imbalance, waiting.slowest]).toEqual([[60, 0], 1, 0]);
});

test("launchers of the same name in the same list are one", () => {
  const one = list(launcher("a", "kernel", 1, 10), launcher("a", "kernel", 2, 20));
  const { rows } = new RankStatistics([one, one]);
  expect(rows.map(({ count, totals }) => [count, totals])).toEqual([[3, [30, 30]]]);
});

test("launchers without time have no imbalance", () => {
  const statistics = new RankStatistics([list(launcher("a", "kernel", 0, 0)), list()]);
  expect(statistics.rows[0]?.imbalance).toBeNaN();
  expect(statistics.table()).toContain("a (rank 0)");
});

test("the table takes the options of statisticsTable", () => {
  const statistics = new RankStatistics([list(launcher("a", "kernel", 5, 3e6), launcher("b", "wait", 5, 1e6))]);
  expect(statistics.table({ columns: ["name", "mean"], sort: "name" }).split("\n")).toEqual([
    "name      mean",
    "step > a  3 ms",
    "step > b  1 ms",
    "work: mean 3 ms, max 3 ms on rank 0, imbalance 0.0 %",
    "waiting: mean 1 ms, max 1 ms on rank 0, imbalance 0.0 %",
  ]);
  expect(() => statistics.table({ order: 1 } as never)).toThrow(/order/);
  expect(() => new RankStatistics([])).toThrow(/snapshots must have/);
  expect(() => new RankStatistics([{} as never])).toThrow(/snapshots\[0\]\.name/);
});
