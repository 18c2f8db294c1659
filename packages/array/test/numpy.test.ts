/**
 * Operators compared with NumPy: random pairs of dtypes and layouts from a fixed seed and a fresh one, which is printed
 * on failure. Values are around zero and at the limits of each dtype. Results, and rejected dtypes, must match exactly.
 */
import { isDeepStrictEqual } from "node:util";

import type { DeviceArray, DTypeName } from "@cl/array";
import type { Complex, DTypeValue } from "@cl/core";
import { expect, test } from "vitest";

import { isFull, sample, testSeed, testsEveryCase } from "@cl/testing/level";
import { hasDoubles, queue } from "./support/device.js";
import { randomNumbers } from "./support/numbers.js";
import { type CheckedCase, differencesOf, draw, type Operand, operand } from "./support/numpy-cases.js";
import { needsNumPy } from "./support/numpy.js";

const integers = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"] as const;
const types: readonly DTypeName[] = ["bool", ...integers, "float16", "float32", "float64", "complex64", "complex128"];

/** Names of our methods. */
const binary =
  "add sub mul div floorDivide remainder fmod maximum minimum fmax fmin equal notEqual less lessEqual greater greaterEqual " +
  "logicalAnd logicalOr logicalXor bitwiseAnd bitwiseOr bitwiseXor leftShift rightShift gcd lcm copysign heaviside nextafter";
const unary = "positive negative absolute invert logicalNot sqrt square conj signbit isnan isfinite rint fabs";
const others: Readonly<Record<string, string>> = { sub: "subtract", mul: "multiply", div: "true_divide" };
/** NumPy's name of a method. */
const theirName = (name: string): string =>
  others[name] ?? name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Each operator several times, with random dtypes and layouts. */
function calls(seed: number, times: number): readonly CheckedCase[] {
  const next = randomNumbers(seed);
  const usable = types.filter((type) => hasDoubles || (type !== "float64" && type !== "complex128"));
  // Integer-only operators would be rejected most of the time.
  const whole: readonly DTypeName[] = ["bool", ...integers];
  const make = (name: string): Operand => {
    const isWhole = /^(bitwise|leftShift|rightShift|gcd|lcm|invert)/.test(name) && next() < 0.9;
    return operand(draw(isWhole ? whole : usable, next), next);
  };
  const call = (name: string, count: number): CheckedCase => ({
    operator: theirName(name),
    operands: Array.from({ length: count }, () => make(name)),
    run: ([first, ...rest]) => (Reflect.get(first as DeviceArray, name) as Method).apply(first, rest),
    isRight: (value, expected, dtype) => isRight(name, dtype, value, expected),
  });
  return Array.from({ length: times }, () => [
    ...binary.split(" ").map((name) => call(name, 2)),
    ...unary.split(" ").map((name) => call(name, 1)),
  ]).flat();
}

type Method = (this: unknown, ...rest: readonly DeviceArray[]) => DeviceArray;

/** Devices without correctly rounded division may round float32 divisions and roots differently. */
const exactDivision = (queue.device.singleFpConfig & 0x80) !== 0;

function isRight(name: string, type: string, value: DTypeValue, expected: DTypeValue): boolean {
  if (typeof value === "object") {
    const [a, b] = [value as Complex, expected as Complex];
    return isPart(name, type, a.re, b.re, b.im) && isPart(name, type, a.im, b.im, b.re);
  }
  if (typeof value !== "number") return value === expected;
  return isPart(name, type, value, expected as number, 0);
}

/** Complex products, quotients, roots and absolute values are as exact as the larger part; everything else is exact. */
function isPart(name: string, type: string, value: number, expected: number, other: number): boolean {
  const isComplex = type.startsWith("complex");
  // Which of 0 and -0 is larger, and the sign of a vanishing part, depends on the processor in NumPy.
  const anyZero = isComplex || /^(maximum|minimum|fmax|fmin)$/.test(name);
  if (isDeepStrictEqual(value, expected) || (anyZero && value === 0 && expected === 0)) return true;
  if (!Number.isFinite(expected)) return false;
  const near = (digits: number): boolean =>
    Math.abs(value - expected) <= digits * Math.max(Math.abs(expected), Math.abs(other));
  if (isComplex || name === "absolute") return near(type.endsWith("64") && type !== "float64" ? 8e-7 : 2e-15);
  return !exactDivision && type === "float32" && (name === "div" || name === "sqrt") && near(4e-7);
}

for (const { kind, options, count } of [
  { kind: "a few", options: {}, count: 4 },
  { kind: "many", options: { tags: "ci" }, count: 24 },
]) {
  test(`${kind} operators match NumPy's dtypes, shapes and values`, { timeout: 600_000, ...options }, async (run) => {
    needsNumPy(run);
    const seed = testSeed(20_261_121);
    const list = calls(seed, testsEveryCase ? 4 : isFull ? 2 : 1);
    expect(await differencesOf(sample(list, count)), `seed ${seed}`).toEqual([]);
  });
}
