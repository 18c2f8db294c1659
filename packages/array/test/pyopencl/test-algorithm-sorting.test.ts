/** PyOpenCL's test_algorithm.py, re-expressed: sorting, and defects of PyOpenCL's sorts. */
import { RadixSort } from "@cl/array";
import { expect, test } from "vitest";

import { testsEveryCase } from "@cl/testing/level";
import { randomNumbers } from "../support/numbers.js";
import { hasDoubles, xp } from "../support/device.js";

const everyCase = testsEveryCase(import.meta.url);

const counts = [10, 255, 256, 257, 1019, 1024, 1029, 4091, 4096, 4101, 2 ** 20 - 2 ** 18 + 5];
const most = everyCase ? [2 ** 20 - 2 ** 18, 2 ** 20 + 1, 2 ** 20] : [];

/** Integers in [0, limit). */
function integers(size: number, limit: number, seed = 15): Int32Array<ArrayBuffer> {
  const next = randomNumbers(seed);
  return Int32Array.from({ length: size }, () => Math.floor(next() * limit));
}

test("a radix sort of 16-bit keys matches the host's (test_sort)", { timeout: 240_000 }, async () => {
  const sort = new RadixSort("const int *ary", { key: "ary[i]", bits: 16 });
  for (const size of [...counts, ...most]) {
    const host = integers(size, 2 ** 16);
    const { ary } = sort.run(xp.array(host));
    expect((await ary?.data()) as Int32Array, String(size)).toEqual(host.toSorted());
  }
});

test("values move with their keys (test_key_value_sorter)", async () => {
  const [size, limit] = [100_000, 2000];
  const keys = integers(size, limit);
  const values = BigInt64Array.from(integers(size, 2 ** 31, 16), BigInt);
  const { starts, lists } = xp.listsByKey(xp.array(keys), xp.array(values), limit);
  const expected: bigint[][] = Array.from({ length: limit }, () => []);
  for (const [i, key] of keys.entries()) expected[key]?.push(values[i] as bigint);
  const [from, all] = [await starts.data(), await lists.data()];
  expect(expected.map((_, key) => Array.from(all.slice(from[key], from[key + 1])))).toEqual(expected);
});

test("sorts a middle axis of any length (test_bitonic_sort)", { timeout: 240_000 }, async () => {
  for (const size of [512, 4, 16, 1, 3, 511]) {
    for (const dtype of ["int32", "float32", ...(hasDoubles ? (["float64"] as const) : [])] as const) {
      const host = integers(2 * size * 3, 100_000, size);
      const a = xp.fromHost(host, { shape: [2, size, 3] }).astype(dtype);
      const sorted = await a.sort({ axis: 1 }).data();
      for (const [i, k] of [
        [0, 0],
        [1, 2],
      ] as const) {
        const line = (all: ArrayLike<number>): number[] =>
          Array.from({ length: size }, (_, j) => all[(i * size + j) * 3 + k] as number);
        expect(line(sorted as Int32Array)).toEqual(line(host).toSorted((x, y) => x - y));
      }
    }
  }
});

test("argsort returns the indices of the sorted elements (test_bitonic_argsort)", async () => {
  for (const size of [0, 1, 4, 2 ** 14, 2 ** 18]) {
    const host = Float32Array.from(integers(size, 2 ** 30), (value) => value / 7);
    const a = xp.array(host);
    const indices = a.argsort();
    const sorted = await a.sort().data();
    expect(sorted).toEqual(host.toSorted());
    expect(await a.take(indices).data()).toEqual(sorted);
  }
});

test("negative keys come first (a defect of PyOpenCL's RadixSort)", async () => {
  const sort = new RadixSort("const int *ary", { key: "ary[i]", dtype: "int32" });
  const { ary } = sort.run(xp.array([3, -1, 0, -5], { dtype: "int32" }));
  expect(await ary?.data()).toEqual(Int32Array.of(-5, -1, 0, 3));
});

test("results may be named in any order (a defect of PyOpenCL's RadixSort)", async () => {
  const sort = new RadixSort("const int *keys, const int *values", { key: "keys[i]", sorts: ["values", "keys"] });
  const sorted = sort.run(xp.array([2, 1, 0], { dtype: "int32" }), xp.array([20, 10, 0], { dtype: "int32" }));
  expect(await sorted.keys.data()).toEqual(Int32Array.of(0, 1, 2));
  expect(await sorted.values.data()).toEqual(Int32Array.of(0, 10, 20));
});

test("sorts an array with an offset (a defect of PyOpenCL's scans and sorts)", async () => {
  const a = xp.array([9, 3, 2, 1], { dtype: "int32" });
  expect(await a.slice("1:").sort().data()).toEqual(Int32Array.of(1, 2, 3));
  const { ary } = new RadixSort("const int *ary", { key: "ary[i]" }).run(a.slice("1:"));
  expect(await ary?.data()).toEqual(Int32Array.of(1, 2, 3));
});

test("sorts one element, and none (a defect of PyOpenCL's BitonicSort, which never ends)", async () => {
  expect(await xp.array([7], { dtype: "int32" }).sort().data()).toEqual(Int32Array.of(7));
  expect(await xp.array([7], { dtype: "int32" }).argsort().data()).toEqual(BigInt64Array.of(0n));
  expect((await xp.zeros([0], { dtype: "int32" }).sort().data()).length).toBe(0);
});
