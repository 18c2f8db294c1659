/** Medians of empty arrays and of complex numbers; expected values are NumPy's. */
import type { DeviceArray } from "@cl/array";
import type { Complex } from "@cl/core";
import { expect, test } from "vitest";

import { needsDoubles, xp } from "./support/device.js";

const of = (re: number, im: number): Complex => ({ re, im });
const complex = (values: readonly (readonly Complex[])[]): DeviceArray<"complex64"> =>
  xp.array(
    values.map((row) => [...row]),
    { dtype: "complex64" },
  );

test("the median of no elements is NaN", { tags: "full" }, async (run) => {
  const floats = xp.zeros([3, 0], { dtype: "float32" });
  expect(await floats.median().item()).toBeNaN();
  expect(await floats.median({ axis: 1 }).toNested()).toEqual([NaN, NaN, NaN]);
  expect(await floats.nanmedian({ axis: 1, keepDims: true }).toNested()).toEqual([[NaN], [NaN], [NaN]]);
  expect(await floats.nanquantile([0.1, 0.5], { axis: 1 }).toNested()).toEqual([
    [NaN, NaN, NaN],
    [NaN, NaN, NaN],
  ]);
  expect(floats.median({ axis: 0 }).shape).toEqual([0]);
  const out = xp.zeros([3], { dtype: "float32" });
  expect(floats.median({ axis: 1, out })).toBe(out);
  expect(await out.toNested()).toEqual([NaN, NaN, NaN]);
  expect(await xp.zeros([0], { dtype: "complex64" }).median().item()).toEqual(of(NaN, 0));
  needsDoubles(run);
  for (const dtype of ["bool", "int8", "int64"] as const) {
    expect(await xp.zeros([0, 2], { dtype }).median({ axis: 0 }).toNested()).toEqual([NaN, NaN]);
  }
});

test("rejects other quantiles of no elements", () => {
  const floats = xp.zeros([3, 0], { dtype: "float32" });
  expect(() => floats.quantile(0.5)).toThrow(RangeError);
  expect(() => xp.zeros([0], { dtype: "int32" }).nanquantile(0.5, { method: "lower" })).toThrow(RangeError);
});

test("the median of complex numbers uses lexicographic order", { tags: "full" }, async () => {
  const rows = complex([
    [of(3, 1), of(1, 5), of(1, 2)],
    [of(0, 0), of(2, -1), of(2, -3)],
  ]);
  expect(await rows.median({ axis: 1 }).toNested()).toEqual([of(1, 5), of(2, -3)]);
  expect(await rows.median({ axis: 0, keepDims: true }).toNested()).toEqual([
    [of(1.5, 0.5), of(1.5, 2), of(1.5, -0.5)],
  ]);
  expect(await rows.median().item()).toEqual(of(1.5, 1));
  expect(await rows.T.slice("::-1").median({ axis: 0 }).toNested()).toEqual([of(1, 5), of(2, -3)]);
  expect(() => rows.quantile(0.5)).toThrow(TypeError);
});

test("a complex median is NaN if either part is NaN, unless NaNs are skipped", { tags: "full" }, async () => {
  const rows = complex([
    [of(1, 1), of(0, NaN), of(5, 0)],
    [of(NaN, 0), of(NaN, 0), of(4, 4)],
    [of(3, 0), of(2, 0), of(1, 0)],
    [of(NaN, 0), of(0, NaN), of(NaN, NaN)],
  ]);
  const [first, second, third, fourth] = (await rows.median({ axis: 1 }).toNested()) as Complex[];
  const hasNaN = (value: Complex | undefined): boolean => Number.isNaN(value?.re) || Number.isNaN(value?.im);
  expect([first, second, third, fourth].map(hasNaN)).toEqual([true, true, false, true]);
  expect(third).toEqual(of(2, 0));
  const left = (await rows.nanmedian({ axis: 1 }).toNested()) as Complex[];
  expect(left.slice(0, 3)).toEqual([of(3, 0.5), of(4, 4), of(2, 0)]);
  expect(hasNaN(left[3])).toBe(true);
});
