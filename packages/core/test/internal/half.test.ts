import * as fc from "fast-check";
import { expect, test } from "vitest";

import { getFloat16Bits } from "../../src/dtype/half.js";

/** The number that 16 bits are as a half, straight from the format's definition. */
function halfOf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25));
}

test("every half has the bits that it came from", () => {
  const wrong: number[] = [];
  for (let bits = 0; bits < 0x10000; bits++) {
    const value = halfOf(bits);
    if (Number.isNaN(value)) continue;
    if (getFloat16Bits(value) !== bits) wrong.push(value);
  }
  expect(wrong).toEqual([]);
});

test("NaN is a NaN, and infinities keep their signs", () => {
  expect(halfOf(getFloat16Bits(NaN))).toBeNaN();
  expect(getFloat16Bits(Infinity)).toBe(0x7c00);
  expect(getFloat16Bits(-Infinity)).toBe(0xfc00);
  expect(getFloat16Bits(-0)).toBe(0x8000);
});

test("what lies exactly between two halves goes to the even one", () => {
  const wrong: number[] = [];
  for (let bits = 0; bits < 0x7bff; bits++) {
    const middle = (halfOf(bits) + halfOf(bits + 1)) / 2;
    const even = bits % 2 === 0 ? bits : bits + 1;
    if (getFloat16Bits(middle) !== even) wrong.push(middle);
  }
  expect(wrong).toEqual([]);
});

test("what lies a little beside the middle goes to the nearer one, however little that is", () => {
  for (let bits = 0; bits < 0x7bff; bits += 7) {
    const middle = (halfOf(bits) + halfOf(bits + 1)) / 2;
    expect(getFloat16Bits(middle * (1 - 2 ** -52))).toBe(bits);
    expect(getFloat16Bits(middle * (1 + 2 ** -52))).toBe(bits + 1);
  }
});

test("what is nearer to the next power than to the largest half is infinite", () => {
  expect(getFloat16Bits(65504)).toBe(0x7bff);
  expect(getFloat16Bits(65519.99)).toBe(0x7bff);
  expect(getFloat16Bits(65520)).toBe(0x7c00);
  expect(getFloat16Bits(-1e300)).toBe(0xfc00);
});

test("no half is nearer to a number than the one that it gets", () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.double({ min: -65504, max: 65504, noNaN: true }), fc.double({ min: -1e-6, max: 1e-6, noNaN: true })),
      (value) => {
        const bits = getFloat16Bits(value);
        const error = Math.abs(halfOf(bits) - value);
        const magnitude = bits & 0x7fff;
        for (const neighbour of [magnitude - 1, magnitude + 1]) {
          if (neighbour < 0 || neighbour > 0x7bff) continue;
          expect(Math.abs(halfOf(neighbour | (bits & 0x8000)) - value)).toBeGreaterThanOrEqual(error);
        }
      },
    ),
  );
});
