import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { outOfRange, wrongType } from "@cl/testing/error-like";

import { type LaunchSizes, writeSizes } from "../../src/kernel/kernel-sizes.js";
import { scratchShape } from "../../src/kernel/launch-error.js";

const named = { nx: 6, ny: 4, n: 24n, zero: 0, negative: -1, text: "six", half: 0.5, huge: 2n ** 60n };

/** Returns the sizes that the native side receives; undefined for an empty range. */
function written(sizes: LaunchSizes): ReturnType<typeof scratchShape> | undefined {
  return writeSizes(sizes, Object.keys(named), Object.values(named)) ? scratchShape() : undefined;
}

test("sizes are one to three numbers, argument names, or a function of the named arguments", () => {
  expect(written({ global: 5 })).toEqual({ global: [5], local: undefined, offset: undefined });
  expect(written({ global: [5, 6, 7], local: [1, 2, 7], offset: [0, 1, 2] })).toEqual({
    global: [5, 6, 7],
    local: [1, 2, 7],
    offset: [0, 1, 2],
  });
  expect(written({ global: "nx" })?.global).toEqual([6]);
  expect(written({ global: ["ny", 3, "n"] })?.global).toEqual([4, 3, 24]);
  expect(
    written({ global: ({ nx, ny }) => [Number(nx) + 2, Number(ny)], local: ({ ny }) => [1, Number(ny)] }),
  ).toMatchObject({ global: [8, 4], local: [1, 4] });
  expect(written({ global: 8, offset: ({ ny }) => Number(ny) })?.offset).toEqual([4]);
  expect(written({ global: () => ["nx", "ny"] })?.global).toEqual([6, 4]);
});

test("a function may leave the local size and the offset to the driver", () => {
  expect(written({ global: 8, local: () => null, offset: () => undefined })).toEqual({
    global: [8],
    local: undefined,
    offset: undefined,
  });
  expect(written({ global: 8, local: null, offset: null })).toEqual({
    global: [8],
    local: undefined,
    offset: undefined,
  });
});

test("the sizes of each launch are independent of earlier launches", () => {
  const shape = fc.integer({ min: 1, max: 3 }).chain((length) => {
    const extent = fc.integer({ min: 1, max: Math.floor(Number.MAX_SAFE_INTEGER ** (1 / length)) });
    return fc.record({
      global: fc.array(extent, { minLength: length, maxLength: length }),
      local: fc.option(fc.array(extent, { minLength: length, maxLength: length }), { nil: undefined }),
      offset: fc.option(fc.array(fc.nat(), { minLength: length, maxLength: length }), { nil: undefined }),
    });
  });
  fc.assert(
    fc.property(shape, (sizes) => {
      expect(written(sizes as LaunchSizes)).toEqual(sizes);
    }),
  );
});

describe("globalInGroups", () => {
  test("makes global a number of groups, as in CUDA", () => {
    expect(written({ global: [3, 5], local: [4, 2], globalInGroups: true })).toEqual({
      global: [12, 10],
      local: [4, 2],
      offset: undefined,
    });
  });

  test("also multiplies offsets, and pads shorter sizes with 1", () => {
    expect(written({ global: 3, local: [4, 2], offset: [1, 1], globalInGroups: true })).toEqual({
      global: [12, 2],
      local: [4, 2],
      offset: [4, 2],
    });
    expect(written({ global: [3, 5, 7], local: 4, offset: 2, globalInGroups: true })).toEqual({
      global: [12, 5, 7],
      local: [4, 1, 1],
      offset: [8, 0, 0],
    });
    expect(written({ global: 1, local: 1, offset: [0, 0, 2], globalInGroups: true })).toEqual({
      global: [1, 1, 1],
      local: [1, 1, 1],
      offset: [0, 0, 2],
    });
  });

  test("requires a local size, and a product that is a safe integer", () => {
    expect(() => written({ global: 3, globalInGroups: true })).toThrow(wrongType("sizes.local"));
    expect(() => written({ global: 2 ** 52, local: 4, globalInGroups: true })).toThrow(outOfRange());
  });
});

describe("an empty range", () => {
  test("throws, unless allowEmpty is set", () => {
    expect(() => written({ global: 0 })).toThrow(outOfRange("sizes.global"));
    expect(() => written({ global: [3, 0, 2] })).toThrow(RangeError);
    expect(() => written({ global: 4, local: 0 })).toThrow(outOfRange("sizes.local"));
    expect(() => written({ global: "zero" })).toThrow(RangeError);
    expect(written({ global: 0, allowEmpty: true })).toBeUndefined();
    expect(written({ global: [3, 0, 2], local: [1, 1, 1], allowEmpty: true })).toBeUndefined();
    expect(written({ global: 2, local: 0, globalInGroups: true, allowEmpty: true })).toBeUndefined();
  });
});

describe("rejects sizes", () => {
  const writing =
    (sizes: unknown): (() => void) =>
    () =>
      void written(sizes as LaunchSizes);

  test("without a global size", () => {
    for (const global of [undefined, null]) {
      expect(writing({ global })).toThrow(wrongType("sizes.global"));
    }
    expect(writing([1024])).toThrow(wrongType("sizes.global"));
    expect(writing({ global: () => undefined })).toThrow(wrongType("sizes.global"));
  });

  test.each([-1, 1.5, NaN, Infinity, 2 ** 53])("with %d items", (size) => {
    expect(writing({ global: size })).toThrow(outOfRange("sizes.global"));
    expect(writing({ global: [1, size] })).toThrow(outOfRange("sizes.global[1]"));
    expect(writing({ global: 4, local: size })).toThrow(outOfRange("sizes.local"));
    expect(writing({ global: [4, 4], offset: [0, size] })).toThrow(outOfRange("sizes.offset[1]"));
  });

  test.each([
    [{ global: [2 ** 32, 2 ** 32] }, outOfRange("sizes.global")],
    [{ global: [2 ** 30, 2 ** 30], local: [2 ** 30, 2 ** 30] }, outOfRange("sizes.global")],
    [{ global: [1, 1], local: [2 ** 32, 2 ** 32] }, outOfRange("sizes.local")],
    [{ global: [2 ** 20, 2 ** 20], local: [2 ** 10, 2 ** 10], globalInGroups: true }, outOfRange("sizes.global")],
  ])("whose number of items is not a safe integer: %j", (sizes, error) => {
    expect(writing(sizes)).toThrow(error);
  });

  test("that are not numbers", () => {
    for (const size of [4n, true, {}, Symbol("x"), [null], [[4]], [4n]]) {
      expect(writing({ global: size })).toThrow(wrongType());
    }
    expect(writing({ global: 4, local: "nowhere" })).toThrow(RangeError);
    expect(writing({ global: new Uint32Array([1, 2]) })).toThrow(TypeError);
  });

  test("with zero or four dimensions, or with different numbers of them", () => {
    expect(writing({ global: [] })).toThrow(outOfRange("sizes.global"));
    expect(writing({ global: [1, 1, 1, 1] })).toThrow(outOfRange("sizes.global"));
    expect(writing({ global: [8, 8], local: 8 })).toThrow(outOfRange("sizes.local"));
    expect(writing({ global: 8, offset: [0, 0] })).toThrow(outOfRange("sizes.offset"));
  });

  test("that name no argument, or one that is not a size", () => {
    expect(writing({ global: "nz" })).toThrow(outOfRange("sizes.global"));
    expect(writing({ global: ["nx", "toString"] })).toThrow(outOfRange("sizes.global[1]"));
    for (const name of ["text", "huge"]) expect(writing({ global: name })).toThrow(wrongType("sizes.global"));
    for (const name of ["negative", "half"]) expect(writing({ global: name })).toThrow(outOfRange("sizes.global"));
  });
});
