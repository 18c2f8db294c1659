import { Context } from "@cl/core";
import { errorLike } from "@cl/testing/error-like";
import { type Binning, DeferredAllocator, leadingBits, MemoryPool } from "@cl/tools";
import { assert, integer, oneof, property, tuple } from "fast-check";
import { describe, expect, test } from "vitest";

const sizes = oneof(
  integer({ min: 1, max: 70_000 }),
  integer({ min: 1, max: 2 ** 31 }),
  integer({ min: 1, max: 2 ** 50 }),
  tuple(integer({ min: 0, max: 50 }), integer({ min: -1, max: 1 })).map(([k, d]) => Math.max(1, 2 ** k + d)),
);

describe.each([0, 1, 2, 4, 6, 10])("leadingBits(%i)", (bits) => {
  const { binOf, sizeOf } = leadingBits(bits);

  test("returns sufficient sizes and wastes at most a fraction of 2 ** -bits", () => {
    assert(
      property(sizes, (bytes) => {
        const size = sizeOf(binOf(bytes));
        expect(size).toBeGreaterThanOrEqual(bytes);
        expect(size - bytes).toBeLessThan(Math.max(1, bytes / 2 ** bits));
      }),
    );
  });

  test("returns the largest size of each bin", () => {
    assert(
      property(sizes, (bytes) => {
        const bin = binOf(bytes);
        expect(binOf(sizeOf(bin))).toBe(bin);
        expect(binOf(sizeOf(bin) + 1)).not.toBe(bin);
      }),
    );
  });

  test("is monotonic", () => {
    assert(
      property(sizes, sizes, (a, b) => {
        const [less, more] = a < b ? [a, b] : [b, a];
        expect(binOf(less)).toBeLessThanOrEqual(binOf(more));
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
  expect(() => pool({ binOf: () => 0, sizeOf: () => 10 }).allocate(11)).toThrow(
    errorLike(RangeError, "ERR_OUT_OF_RANGE"),
  );
  expect(() => pool({ binOf: () => 0.5, sizeOf: () => 10 }).allocate(1)).toThrow(
    errorLike(RangeError, "ERR_OUT_OF_RANGE"),
  );
  for (const other of ["0", 0n, -1, NaN]) {
    const bins = [0, other];
    const changing = pool({ binOf: () => (bins.shift() ?? 0) as number, sizeOf: () => 10 });
    changing.allocate(1);
    expect(() => changing.allocate(1)).toThrow(/binning.binOf/);
  }
  expect(() => pool({ binOf: 3 } as never)).toThrow(
    errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options.binning.binOf"),
  );
});
