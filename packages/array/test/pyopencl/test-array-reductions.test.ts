/** PyOpenCL's test_array.py, re-expressed: reductions, also of empty arrays and NaN. */
import { expect, test } from "vitest";

import { needs } from "@cl/base/testing";
import { errorLike } from "@cl/testing/error-like";
import { hasDoubles, xp } from "../support/device.js";

const real = hasDoubles ? "float64" : "float32";

test("any is true for one true element, all only for all of them (test_any_all)", async () => {
  const a = xp.zeros([20_000], { dtype: "int8" });
  expect([await a.all().item(), await a.any().item()]).toEqual([false, false]);
  a.slice(15_213).assign(1);
  expect([await a.all().item(), await a.any().item()]).toEqual([false, true]);
  a.assign(1);
  expect([await a.all().item(), await a.any().item()]).toEqual([true, true]);
});

test("empty arrays have a sum, but no min or max (test_empty_reductions_vs_numpy)", async () => {
  const nothing = xp.empty([0], { dtype: real });
  expect(await nothing.sum().item()).toBe(0);
  expect(await nothing.prod().item()).toBe(1);
  expect([await nothing.any().item(), await nothing.all().item()]).toEqual([false, true]);
  expect(() => nothing.max()).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE"));
  expect(() => nothing.min()).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE"));
});

test("NaN propagates (test_reduction_nan_handling)", async () => {
  for (const values of [
    [NaN, NaN],
    [NaN, 1],
    [1, NaN],
  ]) {
    const a = xp.array(values, { dtype: real });
    expect([await a.sum().item(), await a.max().item(), await a.min().item()]).toEqual([NaN, NaN, NaN]);
  }
  expect(await xp.array([NaN, 1], { dtype: real }).nanmax().item()).toBe(1);
});

test("a sum has the requested or a wide enough dtype (test_dtype_conversions)", async (run) => {
  needs(run, hasDoubles, "the device has no float64");
  const a = xp.linspace(1, 1, 100);
  expect([a.sum().dtype.name, a.sum({ dtype: "float32" }).dtype.name]).toEqual(["float64", "float32"]);
  expect(await a.sum({ dtype: "float32" }).item()).toBe(100);
  const bytes = xp.full([1000], 100, { dtype: "int8" });
  expect([bytes.sum().dtype.name, await bytes.sum().item()]).toEqual(["int64", 100_000n]);
});

test("reduces views with offsets in place (PyOpenCL: starts at the first element)", async () => {
  const a = xp.array([1, 0, 0, 0], { dtype: "int8" });
  expect([await a.slice("1:").any().item(), await a.slice(":1").all().item()]).toEqual([false, true]);
  expect(await a.slice("::-1").argmax().item()).toBe(3n);
});

test("reduction results can be operands (test_outoforderqueue_reductions)", async () => {
  const a = xp.zeros([1_000_000], { dtype: "float32" });
  a.slice("::3").assign(1);
  a.slice(800_000).assign(10);
  const total = a.sum();
  expect(await total.item()).toBe(333_334 + 10);
  expect(await a.less(5).all().item()).toBe(false);
  expect(await a.div(total).sum().item()).toBeCloseTo(1, 4);
});
