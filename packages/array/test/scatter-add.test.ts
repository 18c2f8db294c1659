/** Values stored at the same index all take effect, for every dtype that atomic operations support. */
import type { DeviceArray, DTypeName } from "@cl/array";
import { expect, test } from "vitest";
import { NotSupportedError } from "@cl/core";
import { errorLike, outOfRange, wrongType } from "@cl/testing/error-like";

import { hasDoubles, queue, xp } from "./support/device.js";
import { sample } from "@cl/testing/level";

const longAtomics = queue.device.hasExtension("cl_khr_int64_base_atomics");
const types: readonly DTypeName[] = [
  "int8",
  "uint8",
  "int16",
  "uint16",
  "int32",
  "uint32",
  "float16",
  "float32",
  ...(longAtomics ? (["int64", "uint64"] as const) : []),
  ...(longAtomics && hasDoubles ? (["float64"] as const) : []),
];

/** Enough indices that work-items collide. */
const count = 3000;
const indices = Int32Array.from({ length: count }, (_, i) => (i * 7) % 5);

test.each(sample(types, 1))("%s: sums, products, minima and maxima of all values", combines);
test.each(sample(types.slice(1), 4))("%s: also combines all values", { tags: "ci" }, combines);

async function combines(dtype: DTypeName): Promise<void> {
  const small = xp.arange(count, { dtype: "int32" }).remainder(3).astype(dtype);
  // Five elements, after one that the view skips.
  const make = (value: number): DeviceArray => xp.full([6], value, { dtype: "int32" }).astype(dtype).slice("1:");
  const expectedValues = (operator: (a: number, b: number) => number, start: number): number[] => {
    const result = [start, start, start, start, start];
    for (const [i, at] of indices.entries()) result[at] = operator(result[at] as number, i % 3);
    return result;
  };
  const numbers = async (array: DeviceArray): Promise<number[]> =>
    ((await array.toNested()) as (number | bigint)[]).map(Number);
  const cut = (list: readonly number[]): number[] => {
    if (dtype === "int8") return [...Int8Array.from(list)];
    return dtype === "uint8" ? [...Uint8Array.from(list)] : [...list];
  };

  expect(await numbers(make(1).addAt([indices], small))).toEqual(cut(expectedValues((a, b) => a + b, 1)));
  expect(await numbers(make(90).subtractAt([indices.subarray(0, 150)], small.slice([0, 150])))).toEqual([
    60, 60, 60, 60, 60,
  ]);
  expect(await numbers(make(1).maximumAt([indices], small))).toEqual([2, 2, 2, 2, 2]);
  expect(await numbers(make(1).minimumAt([indices], small))).toEqual([0, 0, 0, 0, 0]);
  expect(await numbers(make(3).multiplyAt([[0, 0, 2, 0]], small.slice("2:3")))).toEqual([24, 3, 6, 3, 3]);
}

test("adds fractions, and NaN propagates", { tags: "ci" }, async () => {
  const sums = xp.zeros([4], { dtype: "float32" }).addAt(xp.fromHost(indices), 0.25).data();
  await expect(sums).rejects.toThrow(outOfRange());
  const a = xp.zeros([5], { dtype: "float32" });
  a.addAt(xp.fromHost(indices), 0.25);
  expect([...(await a.data())]).toEqual([150, 150, 150, 150, 150]);
  a.maximumAt([[1, 2]], [NaN, 200]);
  expect(await a.toNested()).toEqual([150, NaN, 200, 150, 150]);
  a.addAt([[0, 0]], [-Infinity, Infinity]);
  expect(await a.slice(0).item()).toBe(NaN);
});

test("adds rows, broadcasts values, and supports masks", { tags: "ci" }, async () => {
  const a = xp.zeros([3, 2], { dtype: "int32" });
  a.addAt([[0, 2, 0]], [[1, 2]]);
  a.addAt(xp.array([true, false, true]), 10);
  a.addAt([xp.array([true, false, true]), 1], [5, 6]);
  expect(await a.toNested()).toEqual([
    [12, 19],
    [0, 0],
    [11, 18],
  ]);
});

test("does not write past byte arrays that end within a word", async () => {
  const a = xp.zeros([5], { dtype: "uint8" });
  a.addAt([[4, 4, 3]], 200);
  expect([...(await a.data())]).toEqual([0, 0, 0, 200, 144]);
  const flags = xp.zeros([3], { dtype: "bool" });
  flags.addAt([[2]], true);
  expect(await flags.toNested()).toEqual([false, false, true]);
});

test("rejects values that the dtype cannot hold", () => {
  const a = xp.zeros([2], { dtype: "int32" });
  expect(() => a.addAt([[0]], xp.ones([1], { dtype: "float32" }))).toThrow(wrongType("float32"));
  expect(() => xp.zeros([2], { dtype: "bool" }).subtractAt([[0]], true)).toThrow(wrongType());
  expect(() => xp.zeros([2], { dtype: "complex128" }).addAt([[0]], 1)).toThrow(
    errorLike(NotSupportedError, "ERR_CL_NOT_SUPPORTED"),
  );
});
