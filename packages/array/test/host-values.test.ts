/** Host numbers as operands: result dtypes and rejected numbers. Expected dtypes are NumPy's (NEP 50). */
import type { DeviceArray, DTypeName } from "@cl/array";
import { expect, test } from "vitest";

import { needsDoubles, xp } from "./support/device.js";
import { isFull, testsEveryCase } from "@cl/testing/level";

const real = [
  "hypot",
  "arctan2",
  "copysign",
  "nextafter",
  "heaviside",
  "logaddexp",
  "logaddexp2",
  "atan2pi",
  "fdim",
] as const;
type Call = (other: unknown) => DeviceArray;

const call = (array: DeviceArray, name: string, other: unknown): DeviceArray =>
  (Reflect.get(array, name) as Call).call(array, other);

test.for(real)("%s of small integers and a host number has NumPy's dtype", { tags: "full" }, async (name, run) => {
  needsDoubles(run);
  const small: readonly (readonly [DTypeName, DTypeName])[] = [
    ["bool", "float64"],
    ["int8", "float16"],
    ["uint8", "float16"],
    ["int16", "float32"],
    ["uint16", "float32"],
    ["int32", "float64"],
  ];
  // Each dtype and kind of number is a kernel to build.
  const drawn =
    testsEveryCase || name === "hypot"
      ? small
      : small.filter(([dtype]) => dtype === "int8" || (isFull && dtype === "bool"));
  for (const [dtype, whole] of drawn) {
    const array = xp.ones([2], { dtype });
    for (const [value, expected] of [
      [3, whole],
      [3n, whole],
      [0.5, "float64"],
      [1e300, "float64"],
      [1e30, "float64"],
      [Infinity, "float64"],
    ] as const) {
      using result = call(array, name, value);
      expect(result.dtype.name, `${name} of ${dtype} and ${value}`).toBe(expected);
    }
  }
  const both = xp.ones([2], { dtype: "float16" });
  expect(call(both, name, 0.5).dtype.name).toBe("float16");
});

test("numbers beyond float16 do not overflow in operations with small integers", { tags: "full" }, async (run) => {
  needsDoubles(run);
  const bytes = xp.array([0, 3], { dtype: "int8" });
  expect(await bytes.hypot(1e6).toNested()).toEqual([1e6, expect.closeTo(Math.hypot(3, 1e6), 8)]);
  expect(await xp.hypot(100_000.5, bytes).toNested()).toEqual([100_000.5, expect.closeTo(Math.hypot(100_000.5, 3), 8)]);
  expect(await xp.array([true, false]).hypot(100_000).toNested()).toEqual([expect.closeTo(Math.hypot(1, 1e5), 8), 1e5]);
  expect(await bytes.hypot(1000).toNested()).toEqual([1000, 1000]);
});

test("division and float64 functions accept integers of any size", { tags: "full" }, async (run) => {
  needsDoubles(run);
  const bytes = xp.array([0, 128], { dtype: "uint8" });
  expect(await bytes.div(256).toNested()).toEqual([0, 0.5]);
  expect(await bytes.div(-2).toNested()).toEqual([-0, -64]);
  expect(await xp.divide(2 ** 40, xp.array([2], { dtype: "int8" })).toNested()).toEqual([2 ** 39]);
  expect(await bytes.floatPower(-1).toNested()).toEqual([Infinity, 1 / 128]);
  expect(await xp.floatPower(300, xp.array([2], { dtype: "uint8" })).toNested()).toEqual([90_000]);
  expect(await xp.special.xlogy(xp.array([2], { dtype: "uint8" }), 300).toNested()).toEqual([
    expect.closeTo(2 * Math.log(300), 12),
  ]);
  expect(await bytes.div(2n ** 70n).toNested()).toEqual([0, 128 / 2 ** 70]);
});

test("integer operators reject numbers that do not fit the dtype", () => {
  const bytes = xp.array([0, 128], { dtype: "uint8" });
  for (const name of ["add", "mul", "power", "floorDivide", "remainder", "maximum", "bitwiseAnd", "leftShift"]) {
    expect(() => call(bytes as never, name, 256), name).toThrow(RangeError);
  }
  expect(() => xp.where(bytes, bytes, 256)).toThrow(RangeError);
});

test("diff of unsigned integers with `prepend` or `append` does not wrap around", { tags: "ci" }, async () => {
  const bytes = xp.array([3, 4, 9], { dtype: "uint8" });
  expect(await xp.diff(bytes, { prepend: 5 }).toNested()).toEqual([-2n, 1n, 5n]);
  expect(await xp.diff(bytes, { append: -1n }).toNested()).toEqual([1n, 5n, -10n]);
  expect(await xp.diff(bytes, { prepend: 300 }).toNested()).toEqual([-297n, 1n, 5n]);
  expect(xp.diff(bytes, { prepend: 5, n: 0 }).dtype.name).toBe("int64");
  expect(await xp.diff(bytes, { prepend: true }).toNested()).toEqual([2, 1, 5]);
  expect(() => xp.ediff1d(bytes, { toBegin: 300 })).toThrow(RangeError);
});

test("ediff1d rejects booleans, as NumPy does", async () => {
  expect(() => xp.ediff1d(xp.array([true, false]))).toThrow(TypeError);
  expect(await xp.diff(xp.array([true, false, false])).toNested()).toEqual([true, false]);
});

test("a reduction of complex numbers accepts an initial value", { tags: "ci" }, async () => {
  const z = xp.fromHost(Float32Array.of(1, 2, 3, -1), { dtype: "complex64", shape: [1, 2] });
  expect(await z.sum({ initial: { re: 10, im: 0.5 } }).item()).toEqual({ re: 14, im: 1.5 });
  expect([...(await z.sum({ initial: 2, axis: 0 }).data())]).toEqual([3, 2, 5, -1]);
  expect(await z.prod({ initial: { re: 0, im: 1 } }).item()).toEqual({ re: -5, im: 5 });
  expect(await z.max({ initial: { re: 3, im: 0 } }).item()).toEqual({ re: 3, im: 0 });
  expect(await z.min({ initial: -5 }).item()).toEqual({ re: -5, im: 0 });
  expect(
    await z
      .slice(":", ":0")
      .max({ initial: { re: 0, im: 7 } })
      .item(),
  ).toEqual({ re: 0, im: 7 });
  expect(await z.sum({ initial: 2 }).item()).toEqual({ re: 6, im: 1 });
});

test("a reduction of real numbers rejects a complex initial value", () => {
  expect(() => xp.ones([3], { dtype: "float32" }).sum({ initial: { re: 1, im: 2 } })).toThrow(TypeError);
  expect(() => xp.ones([3], { dtype: "int32" }).max({ initial: { re: 1, im: 2 } })).toThrow(TypeError);
});

test("safe integers fill arrays of 64-bit integers", { tags: "ci" }, async () => {
  for (const dtype of ["int64", "uint64"] as const) {
    expect(await xp.array([1, 2n, 2 ** 53 - 1], { dtype }).toNested()).toEqual([1n, 2n, 2n ** 53n - 1n]);
    const array = xp.full([3], 7, { dtype });
    expect(await array.toNested()).toEqual([7n, 7n, 7n]);
    expect(await array.assign(5).toNested()).toEqual([5n, 5n, 5n]);
    expect(
      await array
        .setAt([0], 1)
        .setAt([[1, 2]], [2, 3n])
        .toNested(),
    ).toEqual([1n, 2n, 3n]);
    expect(await array.addAt([[0, 0, 2]], 10).toNested()).toEqual([21n, 2n, 13n]);
    expect(await array.put([1], 4).toNested()).toEqual([21n, 4n, 13n]);
    expect(await xp.fullLike(array, 2).toNested()).toEqual([2n, 2n, 2n]);
    expect(await xp.pad(array, 1, { value: 9 }).toNested()).toEqual([9n, 21n, 4n, 13n, 9n]);
    expect(await xp.insert(array, 1, 6).toNested()).toEqual([21n, 6n, 4n, 13n]);
    expect(await xp.fromFunction((i) => i * 2, [3], { dtype }).toNested()).toEqual([0n, 2n, 4n]);
  }
});

test.each([
  ["int64", [0.5, 2 ** 53, NaN, Infinity]],
  ["uint64", [-1]],
] as const)("numbers that %s cannot store are rejected", (dtype, numbers) => {
  for (const value of numbers) {
    expect(() => xp.array([value], { dtype })).toThrow(RangeError);
    expect(() => xp.full([1], value, { dtype })).toThrow(RangeError);
    expect(() => xp.zeros([1], { dtype }).assign(value)).toThrow(RangeError);
  }
});

test("numbers fill complex arrays", async () => {
  const array = xp.full([2], 3, { dtype: "complex64" });
  const all = (re: number): readonly object[] => Array.from({ length: 2 }, () => ({ re, im: 0 }));
  expect(await array.toNested()).toEqual(all(3));
  expect(await array.assign(0).toNested()).toEqual(all(0));
  expect(await array.setAt([0], 1.5).addAt([1], 1.5).toNested()).toEqual(all(1.5));
  expect(await xp.array([2, { re: 2, im: 0 }], { dtype: "complex64" }).toNested()).toEqual(all(2));
  expect(await xp.fullLike(array, NaN).toNested()).toEqual(all(NaN));
});
