import * as fc from "fast-check";
import { expect, test } from "vitest";

import { getFloat16Bits } from "../../src/dtype/half.js";

/** Decodes 16 bits as a half, straight from the format's definition. */
function halfOf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25));
}

test("each half converts to a number and back to the same bits", () => {
  const mismatches: number[] = [];
  for (let bits = 0; bits < 0x10000; bits++) {
    const value = halfOf(bits);
    if (Number.isNaN(value)) continue;
    if (getFloat16Bits(value) !== bits) mismatches.push(value);
  }
  expect(mismatches).toEqual([]);
});

test("a number halfway between two halves rounds to even", () => {
  const mismatches: number[] = [];
  for (let bits = 0; bits < 0x7bff; bits++) {
    const middle = (halfOf(bits) + halfOf(bits + 1)) / 2;
    const even = bits % 2 === 0 ? bits : bits + 1;
    if (getFloat16Bits(middle) !== even) mismatches.push(middle);
  }
  expect(mismatches).toEqual([]);
});

test("a number nearer to the next power of two than to the largest half becomes infinite", () => {
  expect(getFloat16Bits(65504)).toBe(0x7bff);
  expect(getFloat16Bits(65519.99)).toBe(0x7bff);
  expect(getFloat16Bits(65520)).toBe(0x7c00);
  expect(getFloat16Bits(-1e300)).toBe(0xfc00);
});

test("each number converts to the nearest half", () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.double({ min: -65504, max: 65504, noNaN: true }), fc.double({ min: -1e-6, max: 1e-6, noNaN: true })),
      (value) => {
        const bits = getFloat16Bits(value);
        const error = Math.abs(halfOf(bits) - value);
        const magnitude = bits & 0x7fff;
        for (const neighbor of [magnitude - 1, magnitude + 1]) {
          if (neighbor < 0 || neighbor > 0x7bff) continue;
          expect(Math.abs(halfOf(neighbor | (bits & 0x8000)) - value)).toBeGreaterThanOrEqual(error);
        }
      },
    ),
  );
});
