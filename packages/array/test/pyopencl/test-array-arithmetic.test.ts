/**
 * PyOpenCL's test_array.py, re-expressed: arithmetic of real and complex arrays, bitwise operators, comparisons, NaN.
 */
import type { DTypeName } from "@cl/array";
import { expect, test } from "vitest";

import { needs } from "@cl/base/testing";
import { hasDoubles, xp } from "../support/device.js";
import { randomFloats, relativeDifference } from "../support/numbers.js";

const ten = (dtype: DTypeName) => xp.arange(1, 11, 1, { dtype: "float32" }).astype(dtype);

test("multiplies complex arrays by a host number (test_basic_complex)", async () => {
  const values = randomFloats(1000);
  const product = xp.fromHost(values, { dtype: "complex64" }).mul({ re: 5, im: 7 });
  expect(product.dtype.name).toBe("complex64");
  const expected = values.map((_, i) => {
    const [re, im] = [values[i - (i % 2)] as number, values[i - (i % 2) + 1] as number];
    return i % 2 === 0 ? 5 * re - 7 * im : 5 * im + 7 * re;
  });
  expect(relativeDifference(await product.data(), expected)).toBeLessThan(1e-5);
});

test("mixes real and complex arrays (test_mix_complex)", async () => {
  const [re, im] = [randomFloats(10), randomFloats(10, 3)];
  const pairs = Float32Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? re : im)[i >> 1] as number);
  const [x, z] = [xp.array(randomFloats(10, 5)), xp.fromHost(pairs, { dtype: "complex64" })];
  const real = await x.data();
  const interleave = (of: (a: number, b: number, c: number) => readonly [number, number]): number[] =>
    [...real].flatMap((value, i) => of(value, re[i] as number, im[i] as number));
  for (const [result, expected] of [
    [x.add(z), interleave((a, b, c) => [a + b, c])],
    [z.sub(x), interleave((a, b, c) => [b - a, c])],
    [x.mul(z), interleave((a, b, c) => [a * b, a * c])],
    [z.div(x), interleave((a, b, c) => [b / a, c / a])],
    [x.div(z), interleave((a, b, c) => [(a * b) / (b * b + c * c), (-a * c) / (b * b + c * c)])],
    [z.power(2), interleave((_, b, c) => [b * b - c * c, 2 * b * c])],
  ] as const) {
    expect(result.dtype.name).toBe("complex64");
    expect(relativeDifference(await result.data(), expected)).toBeLessThan(1e-4);
  }
});

test("real, imag, abs and conj match NumPy (test_absrealimag)", async () => {
  const z = xp.fromHost(Float32Array.of(3, -4, -1, 2), { dtype: "complex64" }).negative();
  expect(await z.absolute().data()).toEqual(Float32Array.of(5, Math.fround(Math.sqrt(5))));
  expect([...(await z.real.data()), ...(await z.imag.data())]).toEqual([-3, 1, 4, -2]);
  expect(await z.conj().data()).toEqual(Float32Array.of(-3, -4, 1, 2));
  const ints = xp.array([1, -2], { dtype: "int32" });
  expect([ints.absolute().dtype.name, ...(await ints.absolute().data())]).toEqual(["int32", 1, 2]);
});

test("integer division returns float64 (test_div_type_matches_numpy)", async (run) => {
  needs(run, hasDoubles, "the device has no float64");
  for (const dtype of ["int8", "int32", "int64", "float32"] as const) {
    const quotient = ten(dtype).mul(4).div(ten(dtype).mul(3));
    expect(quotient.dtype.name).toBe(dtype === "float32" ? "float32" : "float64");
    const expected = Array.from({ length: 10 }, () => (dtype === "float32" ? Math.fround(4 / 3) : 4 / 3));
    expect(relativeDifference((await quotient.data()) as Float64Array, expected)).toBeLessThan(1e-6);
  }
});

test("powers of arrays and numbers (test_pow_array, test_pow_number)", async () => {
  const a = xp.array([1, 2, 3, 4, 5], { dtype: "float32" });
  expect(relativeDifference(await a.power(a).data(), [1, 4, 27, 256, 3125])).toBeLessThan(1e-6);
  expect([...(await a.power(2).data())]).toEqual([1, 4, 9, 16, 25]);
});

test("sums, differences and products are exact (test_multiply_array, test_addition_…, test_subtract_…)", async () => {
  const a = ten("float32");
  const range = (of: (i: number) => number): number[] => Array.from({ length: 10 }, (_, i) => of(i + 1));
  expect(await a.mul(a).toNested()).toEqual(range((i) => i * i));
  expect(await a.add(a).toNested()).toEqual(range((i) => 2 * i));
  expect(await xp.add(7, a).toNested()).toEqual(range((i) => i + 7));
  expect(await xp.subtract(7, a).toNested()).toEqual(range((i) => 7 - i));
  for (const [one, other, result] of [
    ["int32", "int32", "int32"],
    ["int64", "int32", "int64"],
    ["int64", "uint32", "int64"],
  ] as const) {
    const difference = ten(one).sub(ten(other).mul(10));
    expect(difference.dtype.name).toBe(result);
    expect(Array.from(await difference.data(), Number)).toEqual(range((i) => -9 * i));
  }
});

test("bitwise operators, with arrays and numbers, also in place (test_bitwise)", async () => {
  const values = Int32Array.from(randomFloats(16), (value) => Math.floor((value - 0.5) * 2 ** 32));
  const others = Int32Array.from(randomFloats(16, 7), (value) => Math.floor((value - 0.5) * 2 ** 32));
  const [a, b] = [xp.array(values), xp.array(others)];
  const with5 = 5;
  expect(await a.bitwiseAnd(b).data()).toEqual(values.map((x, i) => x & (others[i] as number)));
  expect(await a.bitwiseOr(with5).data()).toEqual(values.map((x) => x | with5));
  expect(await xp.bitwiseXor(with5, a).data()).toEqual(values.map((x) => x ^ with5));
  expect(await a.invert().data()).toEqual(values.map((x) => ~x));
  expect(a.bitwiseAnd(b, { out: a })).toBe(a);
  expect(await a.data()).toEqual(values.map((x, i) => x & (others[i] as number)));
});

test("NaN propagates (test_nan_arithmetic, test_branch_operations_on_nans)", async () => {
  const values = randomFloats(2 ** 16).map((value) => (value < 0.1 ? NaN : value));
  const a = xp.array(values);
  const product = await a.mul(xp.array(randomFloats(2 ** 16, 3))).data();
  expect(product.every((value, i) => Number.isNaN(value) === Number.isNaN(values[i]))).toBe(true);
  const [x, y] = [
    xp.array([NaN, NaN, 1, Infinity], { dtype: "float32" }),
    xp.array([NaN, 1, NaN, -Infinity], { dtype: "float32" }),
  ];
  expect(await x.maximum(y).toNested()).toEqual([NaN, NaN, NaN, Infinity]);
  expect(await x.minimum(y).toNested()).toEqual([NaN, NaN, NaN, -Infinity]);
});

test("compares arrays with arrays and numbers (test_comparisons, test_logical_and_or, test_logical_not)", async () => {
  const a = xp.array([-1, 0, 2], { dtype: "float32" });
  const b = xp.array([0, 0, 1], { dtype: "float32" });
  expect(await a.less(b).toNested()).toEqual([true, false, false]);
  expect(await a.greaterEqual(0).toNested()).toEqual([false, true, true]);
  expect(await xp.less(0, a).toNested()).toEqual([false, false, true]);
  expect(await a.logicalAnd(b).toNested()).toEqual([false, false, true]);
  expect(await a.logicalOr(0).toNested()).toEqual([true, false, true]);
  expect(await a.logicalNot().toNested()).toEqual([false, true, false]);
});
