/** OpenCL functions that NumPy does not have, including special values. */
import { type DeviceArray, fuse } from "@cl/array";
import { expect, test } from "vitest";

import { needsDoubles, xp } from "./support/device.js";
import { largestDifference, randomNumbers } from "./support/numbers.js";

const next = randomNumbers(7);
const count = 300;
const x = Float32Array.from({ length: count }, () => (next() - 0.5) * 40);
const y = Float32Array.from({ length: count }, () => (next() - 0.5) * 9);
const [a, b] = [xp.array(x), xp.array(y)];
const of = (fn: (one: number, other: number) => number): Float32Array => x.map((one, i) => fn(one, y[i] as number));

test("fract, fdim, maxmag and minmag match their definitions", async () => {
  type Floats = DeviceArray<"float32">;
  const all = fuse((one: Floats, other: Floats) => [
    one.fract(),
    one.fdim(other),
    one.maxmag(other),
    one.minmag(other),
  ]);
  const values = (results: readonly Floats[]): Promise<Float32Array[]> =>
    Promise.all(results.map((result) => result.data()));
  expect(await values(all(a, b))).toEqual([
    of((one) => Math.min(one - Math.floor(one), 1 - 2 ** -24)),
    of((one, other) => (one > other ? one - other : 0)),
    of((one, other) => (Math.abs(one) > Math.abs(other) ? one : other)),
    of((one, other) => (Math.abs(one) < Math.abs(other) ? one : other)),
  ]);
  const edges = xp.array([-1e-10, -Infinity, NaN, 3], { dtype: "float32" });
  const [fract, , larger, smaller] = await values(all(edges, xp.full([4], -3, { dtype: "float32" })));
  expect(fract).toEqual(Float32Array.of(1 - 2 ** -24, -0, NaN, 0));
  expect(larger).toEqual(Float32Array.of(-3, -Infinity, -3, 3));
  expect(smaller).toEqual(Float32Array.of(-1e-10, -3, -3, -3));
});

test("rootn accepts negative numbers if the degree is odd", { tags: "ci" }, async () => {
  const actual = await a.rootn(xp.array([3], { dtype: "int32" })).data();
  expect(
    largestDifference(
      actual,
      of((one) => Math.cbrt(one)),
    ),
  ).toBeLessThan(2e-6);
  expect(
    await xp
      .array([16, -8, -1], { dtype: "float32" })
      .rootn(xp.array([4, 3, 2], { dtype: "int8" }))
      .toNested(),
  ).toEqual([2, -2, NaN]);
});

test("remquo and ieeeRemainder round the quotient to the nearest integer", { tags: "ci" }, async () => {
  const [rest, bits] = xp.remquo(a, b);
  const whole = of((one, other) => {
    const quotient = one / other;
    const down = Math.floor(quotient);
    return quotient - down > 0.5 || (quotient - down === 0.5 && down % 2 !== 0) ? down + 1 : down;
  });
  const right = x.map((one, i) => one - (whole[i] as number) * (y[i] as number));
  expect(largestDifference(await rest.data(), right)).toBeLessThan(5e-6);
  expect(await a.ieeeRemainder(b).data()).toEqual(await rest.data());
  const low = Array.from(await bits.data(), (value) => (Math.abs(value) % 8) * Math.sign(value) + 0);
  expect(low).toEqual(Array.from(whole, (value) => (Math.abs(value) % 8) * Math.sign(value) + 0));
});

test("fma rounds once, and sincos matches sin and cos", { tags: "ci" }, async (run) => {
  expect(await xp.fma(a, b, 1).data()).toEqual(of((one, other) => Math.fround(one * other + 1)));
  const [sine, cosine] = xp.sincos(a);
  // PoCL 7.1's differ in the last bit.
  expect(largestDifference(await sine.data(), await a.sin().data())).toBeLessThan(2 ** -23);
  expect(largestDifference(await cosine.data(), await a.cos().data())).toBeLessThan(2 ** -23);
  needsDoubles(run);
  const tenth = xp.array([0.1]);
  expect(await xp.fma(tenth, 10, -1).item()).toBe(5.551115123125783e-17);
});
