/** Compares the accumulators with plain arrays of numbers. */
import { array, assert, constant, double, integer, oneof, property } from "fast-check";
import { describe, expect, test } from "vitest";

import { native } from "../../src/binding/native.js";
import { handleOf } from "../../src/binding/resource.js";
import { CommandStatistics } from "../../src/profile/command-statistics.js";
import { mergeTimeStatistics, quantile, type TimeStatistics } from "../../src/profile/time-statistics.js";
import { outOfRange, wrongType } from "@cl/testing/error-like";

/** From 0 ns to three hours, on a logarithmic scale. */
const duration = oneof(
  constant(0),
  integer({ min: 1, max: 5000 }),
  double({ min: 0, max: 31, noNaN: true }).map((power) => Math.floor(2 ** power)),
);
const durations = array(duration, { minLength: 1, maxLength: 32 });

/** Counts time spans of about these durations, and returns the exact ones. */
function counted(wanted: readonly number[]): { statistics: TimeStatistics; exact: number[] } {
  const statistics = new CommandStatistics();
  for (const one of wanted) native.countSpan(handleOf(statistics), 0, Math.max(0, native.hostTime() - one), false);
  const exact = statistics.recent.map(({ start, end }) => Number(end - start));
  return { statistics: statistics.snapshot(), exact };
}

function near(a: number, b: number, relative: number): boolean {
  return Math.abs(a - b) <= relative * Math.max(Math.abs(a), Math.abs(b)) + 1e-6;
}

/** Compares all figures exactly, except those affected by rounding. */
function expectSame(a: TimeStatistics, b: TimeStatistics): void {
  const { std, mean, ...exact } = a;
  const { std: otherStd, mean: otherMean, ...otherExact } = b;
  expect(exact).toEqual(otherExact);
  expect(near(mean || 0, otherMean || 0, 1e-12)).toBe(true);
  expect(near(std || 0, otherStd || 0, 1e-6)).toBe(true);
}

describe("time statistics", () => {
  test("are exact, and quantiles are within one percent", () => {
    assert(
      property(durations, (wanted) => {
        const { statistics, exact } = counted(wanted);
        const total = exact.reduce((sum, one) => sum + one, 0);
        const mean = total / exact.length;
        const std = Math.sqrt(exact.reduce((sum, one) => sum + (one - mean) ** 2, 0) / exact.length);
        expect(statistics).toMatchObject({ count: exact.length, total, mean });
        expect(statistics.min).toBe(Math.min(...exact));
        expect(statistics.max).toBe(Math.max(...exact));
        expect(near(statistics.std, std, 1e-9)).toBe(true);
        const sorted = exact.toSorted((a, b) => a - b);
        for (const share of [0, 0.01, 0.25, 0.5, 0.75, 0.95, 0.99, 1]) {
          const rank = Math.max(1, Math.ceil(share * sorted.length));
          const exactQuantile = sorted[rank - 1] as number;
          expect(Math.abs(quantile(statistics, share) - exactQuantile)).toBeLessThanOrEqual(
            0.01 * exactQuantile * 1.0001 + 1e-9,
          );
        }
      }),
    );
  });

  test("merge to the statistics of all commands, in any order and grouping", () => {
    assert(
      property(array(array(duration, { maxLength: 10 }), { minLength: 1, maxLength: 4 }), (groups) => {
        const parts = groups.map((group) => counted(group));
        const merged = mergeTimeStatistics(...parts.map(({ statistics }) => statistics));
        const all = parts.flatMap(({ exact }) => exact);
        const total = all.reduce((sum, one) => sum + one, 0);
        expect(merged).toMatchObject({ count: all.length, total });
        expect(merged.min).toBe(all.length === 0 ? Number.NaN : Math.min(...all));
        expect(merged.max).toBe(all.length === 0 ? Number.NaN : Math.max(...all));
        const mean = total / all.length;
        const std = Math.sqrt(all.reduce((sum, one) => sum + (one - mean) ** 2, 0) / all.length);
        if (all.length > 0) expect(near(merged.std, std, 1e-6)).toBe(true);
        const [first, ...rest] = parts.map(({ statistics }) => statistics);
        expectSame(mergeTimeStatistics(mergeTimeStatistics(...rest), first as TimeStatistics), merged);
        expectSame(mergeTimeStatistics(first as TimeStatistics, mergeTimeStatistics(...rest)), merged);
        expectSame(mergeTimeStatistics(merged, mergeTimeStatistics()), merged);
        const read = parts.map(({ statistics }) => JSON.parse(JSON.stringify(statistics)) as TimeStatistics);
        expect(mergeTimeStatistics(...read)).toEqual(merged);
      }),
    );
  });

  test("reject invalid statistics and quantiles", () => {
    const { statistics } = counted([5]);
    const other = { ...statistics, sketch: { ...statistics.sketch, relativeError: 0.1 } };
    expect(() => mergeTimeStatistics({} as never)).toThrow(wrongType("statistics[0]"));
    expect(() => mergeTimeStatistics(statistics, 7 as never)).toThrow(wrongType("statistics[1]"));
    expect(() => mergeTimeStatistics(other)).toThrow(wrongType("statistics[0].sketch"));
    expect(() => quantile(statistics, 2)).toThrow(outOfRange("share"));
    expect(quantile(mergeTimeStatistics(), 0.5)).toBeNaN();
  });
});
