import { randomNumbers } from "@cl/base";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { combinations } from "../../src/tune/combinations.js";
import { fits, type LocalLimits, localSizes, product } from "../../src/tune/local-sizes.js";
import { sample } from "../../src/tune/sample.js";

const gpu: LocalLimits = { maxGroup: 1024, maxSizes: [1024, 1024, 64], multiple: 32, nonUniform: false };
const always = (): boolean => true;

describe("candidate work-group sizes", () => {
  test("are powers of two from the preferred multiple to the largest", () => {
    expect(localSizes([4096], gpu)).toEqual([[32], [64], [128], [256], [512], [1024]]);
    expect(localSizes([64, 2], gpu)).toEqual([
      [32, 1],
      [64, 1],
      [16, 2],
      [32, 2],
      [64, 2],
    ]);
  });

  test("divide global sizes that powers of two do not divide", () => {
    expect(localSizes([1000], gpu)).toEqual([40, 50, 100, 125, 200, 250, 500, 1000].map((size) => [size]));
    expect(localSizes([250], { ...gpu, multiple: 1 })).toEqual([1, 2, 5, 10, 25, 50, 125, 250].map((size) => [size]));
    expect(localSizes([96], gpu)).toEqual([[32], [48], [96]]);
    expect(localSizes([7919], gpu)).toEqual([[1]]);
  });

  test("do not have to divide the global size if groups can be non-uniform", () => {
    expect(localSizes([1000], { ...gpu, nonUniform: true })).toEqual([32, 64, 128, 256, 512].map((size) => [size]));
  });

  test("are limited to the size that the source requires", () => {
    expect(localSizes([64, 64], { ...gpu, required: [8, 4, 1] })).toEqual([[8, 4]]);
    expect(localSizes([64, 63], { ...gpu, required: [8, 4, 1] })).toEqual([]);
  });

  test("always fit, are distinct, and waste no lanes if possible", () => {
    const size = fc.integer({ min: 1, max: 5000 });
    const limits = fc.record({
      maxGroup: fc.integer({ min: 1, max: 4096 }),
      maxSizes: fc.tuple(
        fc.integer({ min: 1, max: 4096 }),
        fc.integer({ min: 1, max: 1024 }),
        fc.integer({ min: 1, max: 64 }),
      ),
      multiple: fc.constantFrom(1, 8, 32, 64),
      nonUniform: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(size, { minLength: 1, maxLength: 3 }), limits, (global, allowed) => {
        const found = localSizes(global, allowed);
        expect(found.length).toBeGreaterThan(0);
        expect(new Set(found.map(String)).size).toBe(found.length);
        for (const local of found) expect(fits(local, global, allowed)).toBe(true);
        const largest = Math.max(...found.map(product));
        for (const local of found) expect(product(local)).toBeGreaterThanOrEqual(Math.min(allowed.multiple, largest));
      }),
    );
  });
});

describe("combinations of tuning parameters", () => {
  test("include all allowed combinations, the last parameter fastest", () => {
    const space = { TILE: [8, 16], UNROLL: [1, 2, 4] };
    const { chosen, possible } = combinations(space, ({ TILE, UNROLL }) => Number(TILE) / Number(UNROLL) > 2, 64, 1);
    expect(chosen).toEqual([
      { TILE: 8, UNROLL: 1 },
      { TILE: 8, UNROLL: 2 },
      { TILE: 16, UNROLL: 1 },
      { TILE: 16, UNROLL: 2 },
      { TILE: 16, UNROLL: 4 },
    ]);
    expect(possible).toBe(5);
    expect(combinations({}, always, 64, 1)).toEqual({ chosen: [{}], possible: 1 });
  });

  test("are chosen by the seed if there are too many", () => {
    const space = { A: [...Array(30).keys()], B: [...Array(30).keys()] };
    const one = combinations(space, always, 16, 1);
    expect(one.possible).toBe(900);
    expect(one.chosen).toHaveLength(16);
    expect(combinations(space, always, 16, 1)).toEqual(one);
    expect(combinations(space, always, 16, 2).chosen).not.toEqual(one.chosen);
  });

  test("are not enumerated if there are too many", () => {
    const space = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`P${i}`, [...Array(10).keys()]]));
    let asked = 0;
    const { chosen, possible } = combinations(
      space,
      (values) => {
        asked++;
        return values["P0"] === 3;
      },
      20,
      7,
    );
    expect(possible).toBe(1e12);
    expect(chosen).toHaveLength(20);
    expect(asked).toBeLessThanOrEqual(100_000);
    expect(new Set(chosen.map((values) => JSON.stringify(values))).size).toBe(20);
    expect(combinations(space, () => false, 20, 7).chosen).toEqual([]);
  });

  test("are distinct, allowed, in order, and as many as requested if possible", () => {
    const values = fc.uniqueArray(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 6 });
    const parameters = { minKeys: 0, maxKeys: 4 };
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom("A", "B", "C", "D"), values, parameters),
        fc.integer({ min: 1, max: 40 }),
        fc.nat(),
        (space, limit, seed) => {
          const odd = (one: Readonly<Record<string, unknown>>): boolean =>
            Object.values(one).reduce<number>((sum, value) => sum + Number(value), 0) % 3 !== 1;
          const { chosen, possible } = combinations(space, odd, limit, seed);
          expect(chosen).toHaveLength(Math.min(limit, possible));
          expect(new Set(chosen.map((one) => JSON.stringify(one))).size).toBe(chosen.length);
          for (const one of chosen) {
            expect(odd(one)).toBe(true);
            expect(Object.keys(one)).toEqual(Object.keys(space));
            for (const [name, value] of Object.entries(one)) expect(space[name]).toContain(value);
          }
        },
      ),
    );
  });
});

test("a sample preserves the order of its items", () => {
  const items = [...Array(100).keys()];
  const some = sample(items, 10, randomNumbers(1));
  expect(some).toHaveLength(10);
  expect(some).toEqual([...new Set(some)].toSorted((a, b) => a - b));
  expect(sample(items, 100, randomNumbers(1))).toBe(items);
  expect(sample(items, 0, randomNumbers(1))).toEqual([]);
});
