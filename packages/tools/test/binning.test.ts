import { Context } from "@cl/core";
import { type Binning, DeferredAllocator, leadingBits, MemoryPool } from "@cl/tools";
import { assert, integer, oneof, property, tuple } from "fast-check";
import { describe, expect, test } from "vitest";
import { outOfRange, wrongType } from "@cl/testing/error-like";

const sizes = oneof(
  integer({ min: 1, max: 70_000 }),
  integer({ min: 1, max: 2 ** 31 }),
  integer({ min: 1, max: 2 ** 50 }),
  tuple(integer({ min: 0, max: 50 }), integer({ min: -1, max: 1 })).map(([k, d]) => Math.max(1, 2 ** k + d)),
);

describe.each([0, 1, 2, 4, 6, 10])("leadingBits(%i)", (bits) => {
  const { binOf, sizeOf } = leadingBits(bits);

  test("returns the largest size of each bin, which wastes at most a fraction of 2 ** -bits, monotonically", () => {
    assert(
      property(sizes, sizes, (bytes, other) => {
        const bin = binOf(bytes);
        const size = sizeOf(bin);
        expect(size).toBeGreaterThanOrEqual(bytes);
        expect(size - bytes).toBeLessThan(Math.max(1, bytes / 2 ** bits));
        expect(binOf(size)).toBe(bin);
        expect(binOf(size + 1)).not.toBe(bin);
        expect(Math.sign(binOf(other) - bin) * Math.sign(other - bytes)).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

test("leadingBits(4) returns the sizes of PyOpenCL's pool", () => {
  const { binOf, sizeOf } = leadingBits(4);
  const known: readonly (readonly [number, number, number])[] = [
    [1, 0, 1],
    [2, 16, 2],
    [3, 24, 3],
    [17, 65, 17],
    [31, 79, 31],
    [32, 80, 33],
    [100, 105, 103],
    [255, 127, 255],
    [256, 128, 271],
    [1000, 159, 1023],
    [1024, 160, 1087],
    [4096, 192, 4351],
    [1_000_000, 318, 1_015_807],
    [2 ** 30, 480, 1_140_850_687],
    [2 ** 32, 512, 4_563_402_751],
    [2 ** 34 - 1, 543, 17_179_869_183],
    [2 ** 34, 544, 18_253_611_007],
  ];
  expect(known.map(([bytes]) => [bytes, binOf(bytes), sizeOf(binOf(bytes))])).toEqual(known);
});

test("a user-defined binning that returns too small sizes throws", () => {
  const pool = (binning: Binning): MemoryPool =>
    new MemoryPool(Object.assign(new DeferredAllocator(Context.create()), { deferred: false }), { binning });
  expect(() => pool({ binOf: () => 0, sizeOf: () => 10 }).allocate(11)).toThrow(outOfRange());
  expect(() => pool({ binOf: () => 0.5, sizeOf: () => 10 }).allocate(1)).toThrow(outOfRange());
  for (const [other, error] of [
    ["0", wrongType()],
    [0n, wrongType()],
    [-1, outOfRange()],
    [NaN, outOfRange()],
  ] as const) {
    const bins = [0, other];
    const changing = pool({ binOf: () => (bins.shift() ?? 0) as number, sizeOf: () => 10 });
    changing.allocate(1);
    expect(() => changing.allocate(1)).toThrow(error);
  }
  expect(() => pool({ binOf: 3 } as never)).toThrow(wrongType("options.binning.binOf"));
});
