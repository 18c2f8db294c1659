/** PyOpenCL's test_algorithm.py, re-expressed: sums, minima, maxima, dot products, and custom reductions. */
import { structType } from "@cl/core";
import { type DeviceArray, ReductionKernel } from "@cl/array";
import { expect, test } from "vitest";

import { hasDoubles, xp } from "../support/device.js";
import { randomFloats } from "../support/numbers.js";

const n = 200_000;

test("sums slices and elements at indices (test_sum)", async () => {
  const values = randomFloats(n);
  const a = xp.array(values);
  const c = xp.fromHost(randomFloats(2 * n, 3), { dtype: "complex64" });
  const sum = new ReductionKernel("const float *x", { dtype: "float32", reduce: "a + b", identity: "0" });
  for (const slice of [":", "1000:3000", "1000:-3000", "1000:", "1000::3", "1000:1000", "3000:1000:-7"]) {
    const part = await a.slice(slice).data();
    const expected = part.reduce((x, y) => x + y, 0);
    const near = Math.abs(expected) * 1e-5;
    expect(Math.abs((await a.slice(slice).sum().item()) - expected), slice).toBeLessThanOrEqual(near);
    expect(Math.abs((await sum.runWith({ slice }, a).item()) - expected), slice).toBeLessThanOrEqual(near);
    const { re, im } = await c.slice(slice).sum().item();
    const pairs = await c.slice(slice).data();
    for (const [k, actual] of [re, im].entries()) {
      const right = pairs.reduce((x, y, i) => (i % 2 === k ? x + y : x), 0);
      expect(Math.abs(actual - right), slice).toBeLessThanOrEqual(right * 1e-5);
    }
  }
});

test("sums indices without arrays (test_sum_without_data)", async () => {
  const sum = new ReductionKernel("", { dtype: "int32", map: "i", reduce: "a + b", identity: "0" });
  expect(await sum.runWith({ xp, range: 2000 }).item()).toBe((2000 * 1999) / 2);
});

test("the first parameter may be a value (test_reduction_not_first_argument)", async () => {
  const kernel = new ReductionKernel("float a, float *x, float *y", {
    dtype: "float32",
    map: "a * x[i] * y[i]",
    reduce: "a + b",
    identity: "0",
  });
  const [x, y] = [randomFloats(400), randomFloats(400, 5)];
  const expected = 0.1 * x.reduce((sum, value, i) => sum + value * (y[i] as number), 0);
  expect(await kernel.run(0.1, xp.array(x), xp.array(y)).item()).toBeCloseTo(expected, 4);
});

test("min and max are exact (test_minmax)", async () => {
  const floats = randomFloats(n);
  for (const a of [
    xp.array(floats),
    xp.array(floats.map((value) => Math.floor(value * 1e6))).astype("int32"),
    ...(hasDoubles ? [xp.array(Float64Array.from(floats, (value) => Math.sqrt(value)))] : []),
  ] as DeviceArray<"float32">[]) {
    const values = await a.data();
    expect(await a.min().item()).toBe(values.reduce((x, y) => Math.min(x, y)));
    expect(await a.max().item()).toBe(values.reduce((x, y) => Math.max(x, y)));
  }
});

test("min and max of a subset are exact (test_subset_minmax)", async () => {
  const values = randomFloats(n);
  const chosen = Int32Array.from({ length: n - Math.ceil(n / 5) }, (_, i) => i + Math.floor(i / 4) + 1);
  const expected = chosen.reduce((least, i) => Math.min(least, values[i] as number), Infinity);
  const [a, subset] = [xp.array(values), xp.array(chosen)];
  expect(await a.take(subset).min().item()).toBe(expected);
  const least = new ReductionKernel("const int *subset, const float *x", {
    dtype: "float32",
    map: "x[subset[i]]",
    reduce: "fmin(a, b)",
    identity: "INFINITY",
  });
  expect(await least.run(subset, a).item()).toBe(expected);
});

test("dot products, real and complex (test_dot)", async () => {
  const types = ["float32", "complex64", ...(hasDoubles ? (["float64", "complex128"] as const) : [])] as const;
  const [re, im] = [randomFloats(n), randomFloats(n, 9)];
  for (const one of types) {
    for (const other of types) {
      const make = (type: (typeof types)[number], shift: number): DeviceArray => {
        const real = xp.array(re).add(shift);
        return type.startsWith("complex")
          ? real
              .add(
                xp
                  .array(im)
                  .astype("complex64")
                  .mul(xp.full([], { re: 0, im: 1 }, { dtype: "complex64" })),
              )
              .astype(type)
          : real.astype(type);
      };
      const [x, y] = [make(one, 0), make(other, 1)];
      const part = (type: string, i: number): number => (type.startsWith("complex") ? (im[i] as number) : 0);
      let [dotRe, dotIm] = [0, 0];
      for (let i = 0; i < n; i++) {
        const [a, b, c, d] = [re[i] as number, part(one, i), (re[i] as number) + 1, part(other, i)];
        dotRe += a * c - b * d;
        dotIm += a * d + b * c;
      }
      const product: unknown = await x.dot(y).item();
      const found = typeof product === "number" ? { re: product, im: 0 } : (product as { re: number; im: number });
      expect(Math.abs(found.re - dotRe), `${one}, ${other}`).toBeLessThan(1e-4 * n);
      expect(Math.abs(found.im - dotIm), `${one}, ${other}`).toBeLessThan(1e-4 * n);
    }
  }
});

test("a struct collects the minimum and the maximum (test_struct_reduce)", async () => {
  const collector = structType("minmax_collector", { cur_min: "int32", cur_max: "int32", pad: "int32" });
  const kernel = new ReductionKernel("int *x", {
    dtype: collector,
    identity: "mmc_neutral()",
    reduce: "agg_mmc(a, b)",
    map: "mmc_from_scalar(x[i])",
    preamble: `
      minmax_collector mmc_neutral() {
        minmax_collector result;
        result.cur_min = 1 << 30;
        result.cur_max = -(1 << 30);
        result.pad = 0;
        return result;
      }
      minmax_collector mmc_from_scalar(int x) {
        minmax_collector result;
        result.cur_min = x;
        result.cur_max = x;
        result.pad = 0;
        return result;
      }
      minmax_collector agg_mmc(minmax_collector a, minmax_collector b) {
        minmax_collector result = a;
        if (b.cur_min < result.cur_min) result.cur_min = b.cur_min;
        if (b.cur_max > result.cur_max) result.cur_max = b.cur_max;
        return result;
      }`,
  });
  const values = Int32Array.from(randomFloats(20_000), (value) => Math.floor(value * 1e6));
  const found: unknown = await kernel.run(xp.array(values)).item();
  expect(found).toEqual({
    cur_min: values.reduce((x, y) => Math.min(x, y)),
    cur_max: values.reduce((x, y) => Math.max(x, y)),
    pad: 0,
  });
});
