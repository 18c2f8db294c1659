/**
 * PyOpenCL's test_clmath.py, re-expressed: its functions, ranges, sizes and error limits, for real and complex numbers.
 */
import type { DeviceArray } from "@cl/array";
import { arrays } from "@cl/array";
import { CommandQueue } from "@cl/core";
import { expect, test } from "vitest";

import { needs } from "@cl/base/testing";
import { context, hasDoubles, queue, xp } from "../support/device.js";
import { largestDifference } from "../support/numbers.js";

const sizes = [10, 128, 1024, 2048, 8192];
type Pair = readonly [re: number, im: number];

/** One of our functions, its range and error limit, the expected value, and the same for complex numbers. */
interface Case {
  readonly name: "exp";
  readonly range: Pair;
  readonly error: number;
  readonly right: (x: number) => number;
  readonly complexError?: number;
  readonly complexRight?: (x: number, y: number) => Pair;
}

const of = (
  name: string,
  range: Pair,
  error: number,
  right: (x: number) => number,
  complexError?: number,
  complexRight?: (x: number, y: number) => Pair,
): Case => ({
  name: name as "exp",
  range,
  error,
  right,
  ...(complexError === undefined || complexRight === undefined ? {} : { complexError, complexRight }),
});

const { sin, cos, sinh, cosh, hypot, PI } = Math;
const quotient = ([a, b]: Pair, [c, d]: Pair): Pair => {
  const length = c * c + d * d;
  return [(a * c + b * d) / length, (b * c - a * d) / length];
};
const sine = (x: number, y: number): Pair => [sin(x) * cosh(y), cos(x) * sinh(y)];
const cosine = (x: number, y: number): Pair => [cos(x) * cosh(y), -sin(x) * sinh(y)];
const hyperbolicSine = (x: number, y: number): Pair => [sinh(x) * cos(y), cosh(x) * sin(y)];
const hyperbolicCosine = (x: number, y: number): Pair => [cosh(x) * cos(y), sinh(x) * sin(y)];
const root = (x: number, y: number): Pair => {
  const t = Math.sqrt((hypot(x, y) + Math.abs(x)) / 2);
  return [t, y / (2 * t)];
};

const cases: readonly Case[] = [
  of("ceil", [-10, 10], 0, Math.ceil),
  of("floor", [-10, 10], 0, Math.floor),
  of("fabs", [-10, 10], 0, Math.abs),
  of("exp", [-3, 3], 1e-5, Math.exp, 1e-5, (x, y) => [Math.exp(x) * cos(y), Math.exp(x) * sin(y)]),
  of("log", [1e-5, 1], 1e-6, Math.log, 1e-6, (x, y) => [Math.log(hypot(x, y)), Math.atan2(y, x)]),
  of("log10", [1e-5, 1], 5e-7, Math.log10),
  of("sqrt", [1e-5, 1], 3e-7, Math.sqrt, 3e-7, root),
  of("sin", [-10, 10], 2e-7, sin, 2e-2, sine),
  of("cos", [-10, 10], 2e-7, cos, 2e-2, cosine),
  of("arcsin", [-0.9, 0.9], 5e-7, Math.asin),
  of("arccos", [-0.9, 0.9], 5e-7, Math.acos),
  of("tan", [-PI / 2 + 0.1, PI / 2 - 0.1], 4e-5, Math.tan, 4e-5, (x, y) => quotient(sine(x, y), cosine(x, y))),
  of("arctan", [-10, 10], 2e-7, Math.atan),
  of("sinh", [-3, 3], 3e-6, sinh, 2e-3, hyperbolicSine),
  of("cosh", [-3, 3], 3e-6, cosh, 2e-3, hyperbolicCosine),
  of("tanh", [-3, 3], 2e-6, Math.tanh, 2e-6, (x, y) => quotient(hyperbolicSine(x, y), hyperbolicCosine(x, y))),
];

/** Evenly spaced numbers of a range, without its end. */
function numbers([low, high]: Pair, count: number): Float32Array<ArrayBuffer> {
  return Float32Array.from({ length: count }, (_, i) => low + (i * (high - low)) / count);
}

test.each(cases)("$name (test_$name)", async ({ name, range, error, right }) => {
  for (const count of sizes) {
    const values = numbers(range, count);
    const actual = await xp.array(values)[name]().data();
    expect(largestDifference(actual, Array.from(values, right)), `${count} elements`).toBeLessThanOrEqual(error);
  }
});

test.for(cases)("$name in float64", async ({ name, range, right }, run) => {
  needs(run, hasDoubles, `'${queue.device.name}' has no float64`);
  const values = Float64Array.from(numbers(range, 1024));
  const actual = await xp.array(values)[name]().data();
  expect(largestDifference(actual as Float64Array, Array.from(values, right))).toBeLessThan(1e-13);
});

test.each(cases.filter(({ complexRight }) => complexRight !== undefined))(
  "$name of complex numbers (test_$name)",
  async ({ name, range, complexError = 0, complexRight = () => [0, 0] }) => {
    for (const count of sizes) {
      const values = numbers(range, count);
      // z = x + i x
      const z = xp.array(values).mul({ re: 1, im: 1 });
      const actual = (await z[name]().data()) as Float32Array;
      const expected = Array.from(values).flatMap((x) => [...complexRight(x, x)]);
      expect(largestDifference(actual, expected), `${count} elements`).toBeLessThanOrEqual(complexError);
    }
  },
);

test("angles of points in all four quadrants (test_atan2, test_atan2pi)", async () => {
  for (const count of sizes) {
    const y = Float32Array.from({ length: count }, (_, i) => (i - count / 2) / 100);
    const x = Float32Array.from({ length: count }, (_, i) => (count / 2 - 1 - i) / 100);
    const [ya, xa] = [xp.array(y), xp.array(x)];
    const right = Array.from(y, (value, i) => Math.atan2(value, x[i] as number));
    expect(largestDifference(await ya.arctan2(xa).data(), right)).toBeLessThan(1e-6);
    expect(
      largestDifference(
        await ya.atan2pi(xa).data(),
        right.map((angle) => angle / PI),
      ),
    ).toBeLessThan(1e-6);
  }
});

test("remainders of division rounded toward 0 (test_fmod)", async () => {
  for (const count of sizes) {
    const a = Float32Array.from({ length: count }, (_, i) => i / 10);
    const b = Float32Array.from({ length: count }, (_, i) => i / 45.2 + 0.1);
    const actual = await xp.array(a).fmod(xp.array(b)).data();
    expect(
      largestDifference(
        actual,
        Array.from(a, (value, i) => value % (b[i] as number)),
      ),
    ).toBeLessThan(1e-4);
  }
});

test("powers of two, mantissas and exponents are exact (test_ldexp, test_frexp)", async () => {
  for (const count of sizes) {
    const a = Float32Array.from({ length: count }, (_, i) => i);
    const exponents = Int32Array.from({ length: count }, (_, i) => Math.trunc(i * 1e-3));
    const scaled = await xp.array(a).ldexp(xp.array(exponents)).data();
    expect(scaled).toEqual(a.map((value, i) => value * 2 ** (exponents[i] as number)));
    const [mantissa, exponent] = xp.frexp(xp.array(a));
    const [m, e] = [await mantissa.data(), await exponent.data()];
    expect(m.every((value) => value === 0 || (value >= 0.5 && value < 1))).toBe(true);
    expect(m.map((value, i) => value * 2 ** (e[i] as number))).toEqual(a);
  }
});

test("integral parts are exact, fractional parts almost (test_modf)", async () => {
  for (const count of sizes) {
    const a = Float32Array.from({ length: count }, (_, i) => i / 10);
    const [fraction, whole] = xp.modf(xp.array(a));
    expect(await whole.data()).toEqual(a.map(Math.trunc));
    expect(
      largestDifference(
        await fraction.data(),
        Array.from(a, (value) => value % 1),
      ),
    ).toBeLessThan(1e-4);
  }
});

test("functions on an out-of-order queue wait for their operands (test_outoforderqueue_clmath)", async () => {
  const loose = arrays(new CommandQueue(context, { outOfOrder: true }));
  const values = Float32Array.from({ length: 10_000 }, (_, i) => i / 10_000);
  const actual = await loose.array(values).mul(5).sin().fabs().data();
  const expected = Array.from(values, (x) => Math.abs(sin(5 * x)));
  expect(largestDifference(actual, expected)).toBeLessThan(1e-5);
});

test("products and sums of complex numbers (test_complex_muladd)", async () => {
  const count = 100;
  const make = (seed: number): Float32Array<ArrayBuffer> =>
    Float32Array.from({ length: 2 * count }, (_, i) => sin(seed + 3 * i));
  const parts = [make(1), make(2), make(3)] as const;
  const [a, b, c] = parts.map((values) => xp.fromHost(values, { dtype: "complex64" })) as [
    DeviceArray<"complex64">,
    DeviceArray<"complex64">,
    DeviceArray<"complex64">,
  ];
  const [x, y, z] = parts as unknown as readonly [number[], number[], number[]];
  const expected = Array.from({ length: count }, (_, i) => {
    const [ar, ai, br, bi] = [x[2 * i], x[2 * i + 1], y[2 * i], y[2 * i + 1]] as [number, number, number, number];
    return [ar * br - ai * bi + (z[2 * i] as number), ar * bi + ai * br + (z[2 * i + 1] as number)];
  }).flat();
  expect(largestDifference(await a.mul(b).add(c).data(), expected)).toBeLessThan(1e-6);
});

test("integers are converted to a float dtype (PyOpenCL converts results to integers)", async (run) => {
  needs(run, hasDoubles, `'${queue.device.name}' has no float64`);
  expect(await xp.array([2], { dtype: "int32" }).sqrt().toNested()).toEqual([Math.SQRT2]);
});
