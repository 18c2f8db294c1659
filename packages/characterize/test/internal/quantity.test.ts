import * as fc from "fast-check";
import { expect, test } from "vitest";

import { fastest, quantityOf, rateOf } from "../../src/measure/quantity.js";
import { smallestStep } from "../../src/measure/timer-group.js";

const samples = fc.array(fc.double({ min: 1e-9, max: 1e9, noNaN: true }), { minLength: 1, maxLength: 50 });

test("quantity() returns ordered statistics of its samples, independent of their order", () => {
  fc.assert(
    fc.property(samples, (values) => {
      const { median, p10, p90, samples: count } = quantityOf(values, "s");
      expect(count).toBe(values.length);
      expect(p10).toBeGreaterThanOrEqual(Math.min(...values));
      expect(p90).toBeLessThanOrEqual(Math.max(...values));
      expect(p10).toBeLessThanOrEqual(median);
      expect(median).toBeLessThanOrEqual(p90);
      expect(quantityOf(values.toReversed(), "s")).toEqual(quantityOf(values, "s"));
    }),
  );
});

test("quantity() computes median and percentiles", () => {
  expect(quantityOf([5], "s")).toEqual({ median: 5, p10: 5, p90: 5, samples: 1, unit: "s" });
  expect(quantityOf([1, 2], "s").median).toBe(1.5);
  expect(quantityOf([11, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10], "s")).toMatchObject({ median: 6, p10: 2, p90: 10 });
});

test("a rate is work divided by time, per sample", () => {
  expect(rateOf([0.5, 0.25, 1], 100, "B/s")).toMatchObject({ median: 200, unit: "B/s" });
});

test("empty and non-finite samples give no quantity", () => {
  expect(() => quantityOf([], "s")).toThrow(RangeError);
  expect(() => quantityOf([1, NaN], "s")).toThrow(RangeError);
  expect(() => rateOf([0], 1, "B/s")).toThrow(RangeError);
});

test("fastest() returns the entry with the highest rate", () => {
  const entries = [3, 9, 4].map((median) => ({ rate: quantityOf([median], "B/s") }));
  expect(fastest(entries)).toBe(entries[1]);
  expect(fastest([])).toBeUndefined();
});

test("the timer resolution is the smallest nonzero difference between times", () => {
  expect(smallestStep([100n, 164n, 132n, 100n])).toBeCloseTo(32e-9, 15);
  expect(smallestStep([7n, 7n])).toBeUndefined();
  expect(smallestStep([])).toBeUndefined();
});
