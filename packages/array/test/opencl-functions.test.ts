/** OpenCL functions that NumPy does not have, including special values. */
import { expect, test } from "vitest";

import { needs } from "@cl/base/testing";
import { hasDoubles, queue, xp } from "./support/device.js";
import { largestDifference, randomNumbers } from "./support/numbers.js";

const next = randomNumbers(7);
const count = 300;
const x = Float32Array.from({ length: count }, () => (next() - 0.5) * 40);
const y = Float32Array.from({ length: count }, () => (next() - 0.5) * 9);
const [a, b] = [xp.array(x), xp.array(y)];
const of = (fn: (one: number, other: number) => number): Float32Array => x.map((one, i) => fn(one, y[i] as number));

test("fract, fdim, maxmag and minmag match their definitions", async () => {
  expect(await a.fract().data()).toEqual(of((one) => Math.min(one - Math.floor(one), 1 - 2 ** -24)));
  expect(await a.fdim(b).data()).toEqual(of((one, other) => (one > other ? one - other : 0)));
  expect(await a.maxmag(b).data()).toEqual(of((one, other) => (Math.abs(one) > Math.abs(other) ? one : other)));
  expect(await a.minmag(b).data()).toEqual(of((one, other) => (Math.abs(one) < Math.abs(other) ? one : other)));
  const edges = xp.array([-1e-10, -Infinity, NaN, 3], { dtype: "float32" });
  expect(await edges.fract().toNested()).toEqual([1 - 2 ** -24, -0, NaN, 0]);
  expect(await edges.maxmag(-3).toNested()).toEqual([-3, -Infinity, -3, 3]);
  expect(await edges.minmag(-3).toNested()).toEqual([Math.fround(-1e-10), -3, -3, -3]);
});

test("rootn accepts negative numbers if the degree is odd", async () => {
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

test("remquo and ieeeRemainder round the quotient to the nearest integer", async () => {
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

test("fma rounds once, and sincos matches sin and cos", async (run) => {
  expect(await xp.fma(a, b, 1).data()).toEqual(of((one, other) => Math.fround(one * other + 1)));
  const [sine, cosine] = xp.sincos(a);
  // PoCL 7.1's differ in the last bit.
  expect(largestDifference(await sine.data(), await a.sin().data())).toBeLessThan(2 ** -23);
  expect(largestDifference(await cosine.data(), await a.cos().data())).toBeLessThan(2 ** -23);
  needs(run, hasDoubles, `'${queue.device.name}' has no float64`);
  const tenth = xp.array([0.1]);
  expect(await xp.fma(tenth, 10, -1).item()).toBe(5.551115123125783e-17);
});
