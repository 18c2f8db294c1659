/**
 * Functions of real and complex floating-point numbers compared with NumPy for every dtype and layout. Results may differ
 * by OpenCL's error bound for the function plus NumPy's own error. Exact functions are in numpy.test.ts.
 */
import type { Complex, DTypeValue } from "@cl/core";
import type { DeviceArray, DTypeName } from "@cl/array";
import { beforeEach, describe, expect, test } from "vitest";

import { isFull, sample, testSeed, testsEveryCase } from "@cl/testing/level";
import { hasDoubles, xp } from "./support/device.js";
import { randomNumbers } from "./support/numbers.js";
import { type CheckedCase, differencesOf, draw, finiteOf, operand, type Values } from "./support/numpy-cases.js";
import { needsNumPy } from "./support/numpy.js";

interface Function {
  readonly name: string;
  readonly operands: 1 | 2;
  /** OpenCL's error bound in units in the last place. */
  readonly ulps: number;
  readonly complex: boolean;
  readonly run: (operands: readonly DeviceArray[]) => DeviceArray;
}

type Call = (...operands: readonly DeviceArray[]) => DeviceArray;

/** A function of `xp`; `theirs` is its name in NumPy. */
function fn(operands: 1 | 2, name: string, ulps: number, complex: boolean, theirs: string): Function {
  const call = (xp as unknown as Readonly<Record<string, Call>>)[name] as Call;
  return { name: theirs, operands, ulps, complex, run: (given) => call(...given) };
}
const unary = (name: string, ulps: number, complex = false, theirs = name): Function =>
  fn(1, name, ulps, complex, theirs);
const binary = (name: string, ulps: number, complex = false, theirs = name): Function =>
  fn(2, name, ulps, complex, theirs);

const functions: readonly Function[] = [
  unary("sqrt", 3, true),
  unary("cbrt", 2),
  unary("exp", 3, true),
  unary("exp2", 3, true),
  unary("expm1", 3, true),
  unary("log", 3, true),
  unary("log2", 3, true),
  unary("log10", 3, true),
  unary("log1p", 2, true),
  unary("sin", 4, true),
  unary("cos", 4, true),
  unary("tan", 5, true),
  unary("arcsin", 4, true),
  unary("arccos", 4, true),
  unary("arctan", 5, true),
  unary("sinh", 4, true),
  unary("cosh", 4, true),
  unary("tanh", 5, true),
  unary("arcsinh", 4, true),
  unary("arccosh", 4, true),
  unary("arctanh", 5, true),
  unary("degrees", 2),
  unary("radians", 2),
  unary("sinc", 6, true),
  unary("absolute", 4, true),
  unary("angle", 6, true),
  unary("square", 0.5, true),
  unary("reciprocal", 3, true),
  unary("isinf", 0, true),
  unary("sign", 0),
  unary("spacing", 0),
  { ...unary("absolute", 0), name: "modf:0", run: ([a]) => xp.modf(a as DeviceArray)[0] },
  { ...unary("absolute", 0), name: "modf:1", run: ([a]) => xp.modf(a as DeviceArray)[1] },
  { ...unary("absolute", 0), name: "frexp:0", run: ([a]) => xp.frexp(a as DeviceArray)[0] },
  { ...unary("absolute", 0), name: "frexp:1", run: ([a]) => xp.frexp(a as DeviceArray)[1] },
  { ...unary("absolute", 0, true), name: "real", run: ([a]) => (a as DeviceArray).real },
  { ...unary("absolute", 0, true), name: "imag", run: ([a]) => (a as DeviceArray).imag },
  binary("multiply", 0.5, true),
  binary("divide", 3, true, "true_divide"),
  binary("power", 16, true),
  binary("hypot", 4),
  binary("arctan2", 6),
  binary("logaddexp", 12),
  binary("logaddexp2", 12),
];

/** Error bound of NumPy's own functions. */
const theirUlps = 4;
const digits: Readonly<Record<string, readonly [bits: number, least: number]>> = {
  float16: [10, -14],
  float32: [23, -126],
  float64: [52, -1022],
};

/** One unit in the last place (ulp); subnormal numbers may be flushed to 0. */
function ulpOf(value: number, type: string): number {
  const [bits, least] = digits[type] as readonly [number, number];
  return 2 ** (Math.max(Math.floor(Math.log2(Math.abs(value))), least) - bits);
}

function isClose(value: number, expected: number, type: string, ulps: number, least: number): boolean {
  if (Object.is(value, expected)) return true;
  // The sign of a zero is not compared: NumPy's depends on the processor.
  if (value === 0 && expected === 0) return true;
  if (!Number.isFinite(value) || !Number.isFinite(expected)) return false;
  return Math.abs(value - expected) <= ulps * ulpOf(Math.max(Math.abs(expected), least), type);
}

/**
 * Compares complex results by their distance in the plane; parts much smaller than the other have few correct digits.
 */
function isRight(value: DTypeValue, expected: DTypeValue, type: string, ulps: number, least: number): boolean {
  if (typeof value === "number") return isClose(value, expected as number, type, ulps, least);
  if (typeof value !== "object") return value === expected;
  const part = type === "complex64" ? "float32" : "float64";
  const [a, b] = [value as Complex, expected as Complex];
  const largest = Math.max(Math.abs(b.re), Math.abs(b.im));
  const near = (x: number, y: number): boolean =>
    isClose(x, y, part, ulps, least) || (Number.isFinite(largest) && Math.abs(x - y) <= ulps * ulpOf(largest, part));
  return near(a.re, b.re) && near(a.im, b.im);
}

function tolerance({ ulps, operands, name }: Function, type: string): number {
  if (ulps === 0) return 0;
  // Exact, except that both products of a complex one are rounded, which NumPy avoids on some processors.
  if (ulps < 1) return type.startsWith("complex") ? 2 : 0;
  // float16 is computed as float and rounded.
  if (type === "float16") return 1;
  if (!type.startsWith("complex")) return ulps + theirUlps;
  return name === "power" ? 400 : 8 * (ulps + theirUlps) * operands;
}

/**
 * Smaller results may have the errors of one of this size, because NumPy's π is inexact, differences of logarithms have
 * their own error, and NumPy adds 1 to a complex number before it takes the logarithm.
 */
function leastMagnitude(name: string, type: string): number {
  if (/^(sinc|logaddexp)/.test(name) && !type.startsWith("complex")) return 4;
  return name === "log1p" && type.startsWith("complex") ? 1 : 0;
}

async function differences(
  list: readonly Function[],
  types: readonly DTypeName[],
  seed: number,
  values?: Values,
): Promise<readonly string[]> {
  const next = randomNumbers(seed);
  const usable = types.filter((type) => hasDoubles || (type !== "float64" && type !== "complex128"));
  const cases: CheckedCase[] = [];
  for (const [k, one] of list.entries()) {
    for (const [at, type] of usable.entries()) {
      // Kernels are slow to compile: only every other dtype with this seed.
      if (usable.length > 2 && (at + k + seed) % 2 === 0) continue;
      // NumPy throws for negative exponents of integers, which the values contain.
      if (one.name === "power" && type === "int16") continue;
      // NumPy's spacing goes toward 0 for negative float16, but away from it for all other dtypes; its sinc is NaN for
      // float16 0.
      if ((one.name === "spacing" || one.name === "sinc") && type === "float16") continue;
      const second = next() < 0.7 ? type : draw(usable, next);
      const operands = [type, second].slice(0, one.operands).map((dtype) => operand(dtype, next, values));
      cases.push({
        operator: one.name,
        operands,
        run: one.run,
        isRight: (a, b, dtype) => isRight(a, b, dtype, tolerance(one, dtype), leastMagnitude(one.name, dtype)),
      });
    }
  }
  return differencesOf(cases);
}

const real: readonly DTypeName[] = isFull ? ["float16", "float32", "float64", "int16"] : ["float32"];
const complex: readonly DTypeName[] = isFull ? ["complex64", "complex128"] : ["complex64"];
const seed = testSeed(20_261_121);

for (const { suffix, options, count } of [
  { suffix: "for a few functions", options: {}, count: 2 },
  { suffix: "for many functions", options: { tags: "ci" }, count: 9 },
]) {
  describe(`results match NumPy's ${suffix}`, { timeout: 600_000, ...options }, () => {
    beforeEach(needsNumPy);

    test("of real numbers", async () => {
      const list = testsEveryCase ? functions : functions.filter((_one, k) => k % 3 === 0);
      expect(await differences(sample(list, count), real, seed)).toEqual([]);
    });

    test("of complex numbers", async () => {
      const list = functions.filter((one) => one.complex);
      expect(await differences(sample(list, count), complex, seed, finiteOf)).toEqual([]);
    });
  });
}
