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
import { answersTo, type Case, differenceOf, draw, type Operand, operand } from "./support/numpy-cases.js";
import { needsNumPy } from "./support/numpy.js";

const integers = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"] as const;
const types: readonly DTypeName[] = ["bool", ...integers, "float16", "float32", "float64", "complex64", "complex128"];

const binary = {
  add: "add",
  sub: "subtract",
  mul: "multiply",
  div: "true_divide",
  floorDivide: "floor_divide",
  remainder: "remainder",
  fmod: "fmod",
  maximum: "maximum",
  minimum: "minimum",
  fmax: "fmax",
  fmin: "fmin",
  equal: "equal",
  notEqual: "not_equal",
  less: "less",
  lessEqual: "less_equal",
  greater: "greater",
  greaterEqual: "greater_equal",
  logicalAnd: "logical_and",
  logicalOr: "logical_or",
  logicalXor: "logical_xor",
  bitwiseAnd: "bitwise_and",
  bitwiseOr: "bitwise_or",
  bitwiseXor: "bitwise_xor",
  leftShift: "left_shift",
  rightShift: "right_shift",
  gcd: "gcd",
  lcm: "lcm",
  copysign: "copysign",
  heaviside: "heaviside",
  nextafter: "nextafter",
} as const;
const unary = {
  positive: "positive",
  negative: "negative",
  absolute: "absolute",
  invert: "invert",
  logicalNot: "logical_not",
  sqrt: "sqrt",
  square: "square",
  conj: "conjugate",
  signbit: "signbit",
  isnan: "isnan",
  isfinite: "isfinite",
  rint: "rint",
  fabs: "fabs",
} as const;
type Name = keyof typeof binary | keyof typeof unary;

interface Call extends Case {
  readonly name: Name;
}

/** Each operator several times, with random dtypes and layouts. */
function calls(seed: number, times: number): readonly Call[] {
  const next = randomNumbers(seed);
  const usable = types.filter((type) => hasDoubles || (type !== "float64" && type !== "complex128"));
  // Integer-only operators would be rejected most of the time.
  const whole: readonly DTypeName[] = ["bool", ...integers];
  const make = (name: string): Operand => {
    const isWhole = /^(bitwise|leftShift|rightShift|gcd|lcm|invert)/.test(name) && next() < 0.9;
    return operand(draw(isWhole ? whole : usable, next), next);
  };
  const list: Call[] = [];
  for (let i = 0; i < times; i++) {
    for (const [name, operator] of Object.entries(binary)) {
      list.push({ name: name as Name, operator, operands: [make(name), make(name)] });
    }
    for (const [name, operator] of Object.entries(unary)) {
      list.push({ name: name as Name, operator, operands: [make(name)] });
    }
  }
  return list;
}

function ours({ name, operands }: Call): DeviceArray | "TypeError" {
  const [first, second] = operands as readonly [Operand, Operand?];
  try {
    return second === undefined
      ? first.array[name as keyof typeof unary]()
      : first.array[name as keyof typeof binary](second.array);
  } catch (error) {
    if (error instanceof TypeError) return "TypeError";
    throw error;
  }
}

/** Devices without correctly rounded division may round float32 divisions and roots differently. */
const exactDivision = (queue.device.singleFpConfig & 0x80) !== 0;

function isRight({ name }: Call, type: string, value: DTypeValue, expected: DTypeValue): boolean {
  if (typeof value === "object") {
    const [a, b] = [value as Complex, expected as Complex];
    return isPart(name, type, a.re, b.re, b.im) && isPart(name, type, a.im, b.im, b.re);
  }
  if (typeof value !== "number") return value === expected;
  return isPart(name, type, value, expected as number, 0);
}

/** Complex products, quotients, roots and absolute values are as exact as the larger part; everything else is exact. */
function isPart(name: Name, type: string, value: number, expected: number, other: number): boolean {
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

async function differences(list: readonly Call[]): Promise<readonly string[]> {
  const answers = answersTo(list);
  const faults: string[] = [];
  for (const [i, one] of list.entries()) {
    const result = ours(one);
    const type = result === "TypeError" ? "" : result.dtype.name;
    const difference = await differenceOf(
      result,
      answers[i] as never,
      (value, expected) => isRight(one, type, value, expected),
      one.operands,
    );
    const text = one.operands.map(({ dtype, layout }) => `${dtype} ${layout}`).join(", ");
    if (difference !== undefined) faults.push(`${one.name}(${text}): ${difference}`);
  }
  return faults;
}

for (const { kind, options, count } of [
  { kind: "a few", options: {}, count: 4 },
  { kind: "many", options: { tags: "ci" }, count: 24 },
]) {
  test(`${kind} operators match NumPy's dtypes, shapes and values`, { timeout: 600_000, ...options }, async (run) => {
    needsNumPy(run);
    const seed = testSeed(20_261_121);
    const list = calls(seed, testsEveryCase ? 4 : isFull ? 2 : 1);
    expect(await differences(sample(list, count)), `seed ${seed}`).toEqual([]);
  });
}
