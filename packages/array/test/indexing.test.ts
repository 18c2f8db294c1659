/** Index arrays: kinds of indices, storing and checks. */
import type { ArrayIndex, DeviceArray } from "@cl/array";
import { expect, test } from "vitest";
import { outOfRange, wrongState, wrongType } from "@cl/testing/error-like";

import { xp } from "./support/device.js";
import { counted as countedOf } from "./support/numpy-eval.js";

const counted = (shape: readonly number[]): DeviceArray => countedOf(shape, "int32");
const places = (values: readonly number[]): DeviceArray<"int32"> => xp.array(values, { dtype: "int32" });

test("places the axes of adjacent lists where the lists are, and of others in front", () => {
  const a = counted([2, 3, 4, 5]);
  const list = [0, 1, 1, 0, 1, 0];
  expect(a.at(":", list, list).shape).toEqual([2, 6, 5]);
  expect(a.at(list, ":", list).shape).toEqual([6, 3, 5]);
  expect(a.at(0, ":", list).shape).toEqual([6, 3, 5]);
  expect(a.at(":", 0, list).shape).toEqual([2, 6, 5]);
  expect(a.at("...", list, null, ":1").shape).toEqual([2, 3, 6, 1, 1]);
  expect(a.at(list, null, list).shape).toEqual([6, 1, 4, 5]);
});

test("accepts lists, typed arrays and booleans of the host, and device arrays", async () => {
  const a = counted([3, 4]);
  const taken = async (...indices: readonly ArrayIndex[]): Promise<number[]> =>
    Array.from(await a.at(...indices).data(), Number);
  const outer = [true, false, true];
  expect(await taken([2, 0])).toEqual([8, 9, 10, 11, 0, 1, 2, 3]);
  expect(await taken(":", places([2, 0]))).toEqual([2, 0, 6, 4, 10, 8]);
  expect(await taken(Int32Array.of(1))).toEqual([4, 5, 6, 7]);
  expect(await taken([[0], [2]], [1, -1])).toEqual([1, 3, 9, 11]);
  expect(await taken(outer)).toEqual([0, 1, 2, 3, 8, 9, 10, 11]);
  expect(await taken(outer, [0, -1])).toEqual([0, 11]);
  expect(a.at([]).shape).toEqual([0, 4]);
  expect(() => a.at([true, false])).toThrow(outOfRange());
  expect(() => a.at([0, 1, 2], [0, 1])).toThrow(outOfRange());
});

test("checks host indices before anything is enqueued", () => {
  const a = counted([3, 4]);
  expect(() => a.at([0, 3])).toThrow(outOfRange());
  expect(() => a.at(":", [[-5]])).toThrow(outOfRange());
  expect(() => a.at([0.5])).toThrow(wrongType("indices[0][0]"));
  expect(() => a.at([1, null as never])).toThrow(outOfRange("indices[0][1]"));
  expect(() => a.at(xp.zeros([1]) as never)).toThrow(wrongType("indices[0]"));
  expect(() => a.at([0], [0], [0])).toThrow(outOfRange("indices"));
  expect(() => counted([0, 3]).at(places([0]))).toThrow(outOfRange());
});

test("checks device indices on the device; the next wait throws once", async () => {
  const a = counted([3, 4]);
  const wrong = a.at(":", places([1, 4, 2]));
  await expect(wrong.data()).rejects.toThrow(outOfRange());
  // Valid indices of the same call are still read.
  expect(await wrong.slice(1).toNested()).toEqual([5, 0, 6]);
  a.at(places([-4]));
  await expect(xp.check()).rejects.toThrow(outOfRange());
  await xp.check();
  a.take(places([12]));
  expect(() => a.dataSync()).toThrow(outOfRange());
  xp.checkSync();
  await expect(a.at(xp.array([2n ** 64n - 1n], { dtype: "uint64" })).data()).rejects.toThrow(outOfRange());
});

test("writes nothing outside the array", { tags: "ci" }, async () => {
  const a = xp.zeros([6], { dtype: "int16" });
  const middle = a.slice("2:4");
  middle.setAt(places([0, 2, 1, -3]), 7);
  await expect(a.data()).rejects.toThrow(outOfRange());
  expect([...(await a.data())]).toEqual([0, 0, 7, 7, 0, 0]);
});

test("take wraps or clips, and writes into `out`", { tags: "ci" }, async () => {
  const a = counted([3, 4]);
  expect(await a.take(places([99, -99]), { mode: "clip" }).toNested()).toEqual([11, 0]);
  const out = xp.zeros([2], { dtype: "float32" });
  expect(a.take([15, -10], { out, mode: "wrap" })).toBe(out);
  expect(await out.toNested()).toEqual([3, 2]);
  expect(() => a.take([1], { out })).toThrow(outOfRange("options.out"));
  expect(() => a.take([1], { mode: "no" as "wrap" })).toThrow(outOfRange("options.mode"));
});

test("putAlongAxis stores each value at its own index", { tags: "ci" }, async () => {
  const a = xp.array([30, 10, 20, 6, 5, 4], { dtype: "int32" }).reshape([2, 3]);
  expect([...(await a.takeAlongAxis([[1], [0]]).data())]).toEqual([10, 6]);
  a.putAlongAxis([[0], [2]], [[-1], [-2]]);
  expect([...(await a.data())]).toEqual([-1, 10, 20, 6, 5, -2]);
  expect(() => a.takeAlongAxis([0])).toThrow(outOfRange());
});

test("setAt broadcasts and converts values", { tags: "ci" }, async () => {
  const a = xp.zeros([3, 4], { dtype: "int32" });
  a.setAt([[0, 2]], 1);
  a.setAt([":", places([1])], xp.array([2.9, 3.9, 4.9]).reshape([3, 1]));
  a.setAt([[1, 2], [3, 0]], [7, 8]); // prettier-ignore
  expect([...(await a.data())]).toEqual([1, 2, 1, 1, 0, 3, 0, 7, 8, 4, 1, 1]);
  a.setAt([1, ":"], [5, 6, 7, 8]);
  a.setAt(places([0]), Float64Array.of(9, 9, 9, 9));
  expect([...(await a.slice(":2").data())]).toEqual([9, 9, 9, 9, 5, 6, 7, 8]);
  expect(() => a.setAt([[0, 1]], [1, 2, 3])).toThrow(outOfRange());
  expect(() => a.broadcastTo([2, 3, 4]).setAt([[0]], 1)).toThrow(wrongState());
});

test("values may share memory with the array they are stored into", { tags: "ci" }, async () => {
  const a = counted([5]);
  a.setAt([[0, 1, 2, 3]], a.slice("1:"));
  expect(await a.toNested()).toEqual([1, 2, 3, 4, 4]);
  const b = xp.array([2n, 0n, 1n]);
  b.setAt(b, b);
  expect(await b.toNested()).toEqual([0n, 1n, 2n]);
});

test("put repeats its values", { tags: "ci" }, async () => {
  const a = xp.zeros([2, 4], { dtype: "int8" }).T;
  a.put([0, 1, 2, 3, 4], [1, 2]);
  expect([...(await a.data())]).toEqual([1, 2, 1, 2, 1, 0, 0, 0]);
  a.put(places([7, 6]), [5, 6, 7]);
  a.put([3], []);
  expect(await a.slice(3).toNested()).toEqual([6, 5]);
  expect(() => a.put([8], [1])).toThrow(outOfRange());
});
