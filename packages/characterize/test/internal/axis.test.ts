import * as fc from "fast-check";
import { expect, test } from "vitest";

import { formatQuantity, formatSpread, formatValue } from "../../src/report/format.js";
import { logAxis, majorTicks, minorTicks } from "../../src/report/log-axis.js";

test("an axis ends at powers of ten around its values and preserves their order", () => {
  const axis = logAxis([3, 450], 10, 0, 300);
  expect([axis.from, axis.to]).toEqual([1, 1000]);
  expect([1, 10, 100, 1000].map((value) => Math.round(axis.position(value)))).toEqual([0, 100, 200, 300]);
  expect(majorTicks(axis, 10)).toEqual([1, 10, 100, 1000]);
  expect(minorTicks(logAxis([1, 10], 10, 0, 1))).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
});

test("an axis of bytes has ticks at factors of sixteen and ends at the data's range", () => {
  const axis = logAxis([1, 2 ** 28], 2, 0, 100);
  expect([axis.from, axis.to]).toEqual([1, 2 ** 28]);
  expect(majorTicks(axis, 2)).toEqual([0, 4, 8, 12, 16, 20, 24, 28].map((power) => 2 ** power));
});

test("an axis contains all positive values, and exists even without values", () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 1e-12, max: 1e15, noNaN: true }), { maxLength: 20 }), (values) => {
      const axis = logAxis(values, 10, 10, 110);
      expect(axis.to).toBeGreaterThan(axis.from);
      for (const value of values) {
        expect(axis.position(value)).toBeGreaterThanOrEqual(10 - 1e-6);
        expect(axis.position(value)).toBeLessThanOrEqual(110 + 1e-6);
      }
      expect(majorTicks(axis, 10).length).toBeGreaterThanOrEqual(2);
    }),
  );
  expect(logAxis([NaN, 0, -1], 10, 0, 1)).toMatchObject({ from: 1, to: 10 });
});

test("values have three digits and a prefix", () => {
  const values = [formatValue(2.14e10, "B/s"), formatValue(1.94e-5, "s"), formatValue(999.7, "op/s")];
  expect(values).toEqual(["21.4 GB/s", "19.4 µs", "1 kop/s"]);
  expect(formatValue(0.9996e-3, "s")).toBe("1 ms");
  expect(formatValue(7.3e5, "launches/s")).toBe("730k launches/s");
  expect(formatValue(0, "s")).toBe("0 ns");
  const quantity = { median: 2e-6, p10: 1e-6, p90: 4e-6, samples: 3, unit: "s" } as const;
  expect(formatQuantity(quantity)).toBe("2 µs");
  expect(formatSpread(quantity)).toBe("±75 %");
});
