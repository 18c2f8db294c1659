/** Finding indices and selecting elements by them; expected results are worked out by hand. */
import type { DTypeName } from "@cl/array";
import { expect, test } from "vitest";

import { sample } from "@cl/testing/level";

import { xp } from "./support/device.js";
import { outOfRange, wrongType } from "@cl/testing/error-like";

test("nonzero returns the indices along each axis", async () => {
  const a = xp.array([0, 7, 0, 8, 0, 9]).reshape([2, 3]);
  const indices = await a.nonzero();
  expect(await Promise.all(indices.map(async (one) => String(await one.data())))).toEqual(["0,1,1", "1,0,2"]);
  // The elements at these indices are the nonzero ones.
  expect(await a.at(...indices).toNested()).toEqual([7, 8, 9]);
  await expect(xp.array(1).nonzero()).rejects.toThrow(outOfRange("nonzero"));
});

test("indices can be found synchronously, in number, and of flattened arrays", { tags: "ci" }, async () => {
  const a = xp.array([0, 7, 0, 8, 0, 9]).reshape([2, 3]);
  expect(await a.T.nonzeroSync()[0].toNested()).toEqual([0n, 1n, 2n]);
  expect(await a.nonzero({ size: 4, fill: -1n })[1]?.toNested()).toEqual([1n, 0n, 2n, -1n]);
  expect(String(await (await xp.argwhere(a)).data())).toBe("0,1,1,0,1,2");
  expect(await (await xp.flatnonzero(a.T)).toNested()).toEqual([1n, 2n, 5n]);
  expect(await xp.flatnonzero(a, { size: 2 }).toNested()).toEqual([1n, 3n]);
  expect((await xp.zeros([0, 3]).nonzero()).map(({ shape }) => shape)).toEqual([[0], [0]]);
  expect(await (await xp.where(a.greater(7)))[1]?.toNested()).toEqual([0n, 2n]);
});

test("nonzero treats nonzero elements of every dtype as true", { tags: "ci" }, async () => {
  for (const dtype of ["bool", "int8", "uint64", "float16", "float32"] as const) {
    const [indices] = await xp.array([0, 1, 0, 1], { dtype: "int32" }).astype(dtype).nonzero();
    expect(await indices.toNested()).toEqual([1n, 3n]);
  }
  const [indices] = await xp.array([NaN, 0, -0, Infinity], { dtype: "float32" }).nonzero();
  expect(await indices.toNested()).toEqual([0n, 3n]);
});

test("compress selects slices along an axis, or elements", async () => {
  const a = xp.arange(6, { dtype: "int32" }).reshape([2, 3]);
  expect(await (await a.compress([true, false, true], { axis: 1 })).data()).toEqual(Int32Array.of(0, 2, 3, 5));
  expect(await (await a.T.compress(xp.array([false, true, true]))).toNested()).toEqual([3, 1]);
  const filled = a.compress([false, true], { axis: 0, size: 2, fill: -1 });
  expect(await filled.data()).toEqual(Int32Array.of(3, 4, 5, -1, -1, -1));
  await expect(a.compress([true, true, true], { axis: 0 })).rejects.toThrow(outOfRange("condition"));
});

test("extract and place accept masks of the array's size", async () => {
  const a = xp.arange(6, { dtype: "int32" }).reshape([2, 3]);
  const odd = a.remainder(2).equal(1);
  expect(await (await xp.extract(odd, a.T.T)).toNested()).toEqual([1, 3, 5]);
  expect(await xp.place(a.T, odd.T, [70, 80]).data()).toEqual(Int32Array.of(0, 70, 80, 4, 2, 70));
  expect(() => xp.place(a, odd.T, 1)).toThrow(outOfRange("mask"));
  expect(() => xp.place(a, odd, [])).toThrow(outOfRange("values"));
});

test("select takes the choice of the first true condition", async () => {
  const a = xp.array([1, 5, 9], { dtype: "float32" });
  const both = xp.select([a.less(3), a.less(7).reshape([1, 3])], [a, a.mul(10)], { otherwise: -1 });
  expect([both.dtype.name, both.shape]).toEqual(["float32", [1, 3]]);
  expect(await both.toNested()).toEqual([[1, 50, -1]]);
  expect(await xp.select([a.greater(3)], [2]).toNested()).toEqual([0n, 2n, 2n]);
  expect(() => xp.select([a.less(3)], [])).toThrow(outOfRange("choices"));
  expect(() => xp.select([a.less(3)], [1, 2])).toThrow(outOfRange());
  expect(() => xp.select([a], [1])).toThrow(wrongType("conditions[0]"));
});

test("choose takes the choice that each number selects", async () => {
  const numbers = xp.array([2, 0, 1], { dtype: "int8" });
  const choices = [xp.array([10, 20, 30]), xp.array([[1], [2]]), xp.array([-1, -2, -3], { dtype: "int32" })] as const;
  expect([...(await numbers.choose(choices).data())]).toEqual([-1, 20, 1, -1, 20, 2]);
  expect(() => xp.array([0.5]).choose(choices)).toThrow(wrongType("choose"));
});

test("choose wraps, clips or rejects numbers that select no choice", { tags: "ci" }, async () => {
  const far = xp.array([3, -1], { dtype: "int32" });
  const two = [xp.array([10, 20]), xp.array([30, 40])];
  expect(await far.choose(two, { mode: "wrap" }).toNested()).toEqual([30, 40]);
  expect(await far.choose(two, { mode: "clip" }).toNested()).toEqual([30, 20]);
  await expect(far.choose(two).data()).rejects.toThrow(outOfRange());
});

test("multiTake and multiPut use one list of indices for several arrays", async () => {
  const a = xp.arange(4, { dtype: "int32" });
  const b = xp.array([true, false, true, false]);
  const [taken, flags] = xp.multiTake([a, b], [3, 0]);
  expect(await Promise.all([taken.data(), flags.data()])).toEqual([Int32Array.of(3, 0), Uint8Array.of(0, 1)]);
  const [put] = xp.multiPut([taken], xp.array([1n, 2n]), { shape: 4 });
  expect(await put.toNested()).toEqual([0, 3, 0, 0]);
  const out = [xp.ones([3], { dtype: "int32" })];
  expect(xp.multiTakePut([a], [2, 0], [1, 3], { out })[0]).toBe(out[0]);
  expect(await out[0]?.toNested()).toEqual([3, 1, 1]);
  expect(() => xp.multiTake([a, b], [0], { out })).toThrow(outOfRange("options.out"));
});

test("choose accepts a single choice", async () => {
  const only = xp.array([5, 6, 7], { dtype: "int32" });
  const numbers = xp.array([0, 0, 0], { dtype: "int32" });
  expect(await numbers.choose([only]).toNested()).toEqual([5, 6, 7]);
  expect(await xp.array([0, 3, -1], { dtype: "int32" }).choose([only], { mode: "wrap" }).toNested()).toEqual([5, 6, 7]);
  const column = xp.array([[0], [0]], { dtype: "int8" });
  expect([...(await column.choose([only]).data())]).toEqual([5, 6, 7, 5, 6, 7]);
  const out = xp.zeros([3], { dtype: "int32" });
  expect(numbers.choose([only], { out })).toBe(out);
  expect(await out.toNested()).toEqual([5, 6, 7]);
});

test.each(
  sample(
    [
      [["float32", "bool"], 0, "float32"],
      [["int8", "bool"], 0, "int8"],
      [["bool", "int8"], 0, "int8"],
      [["bool"], 0, "int64"],
      [["bool"], true, "bool"],
      [["float32", "int8", "bool"], 0.5, "float32"],
      [["int8", "uint8"], 0, "int16"],
    ] as const,
    3,
  ),
)("select of %s with the default %s returns %s", { tags: "ci" }, async (types, otherwise, expected) => {
  const choices = (types as readonly DTypeName[]).map((dtype) => xp.ones([2], { dtype }));
  const conditions = choices.map((_, i) => xp.array([i === 0, false]));
  const result = xp.select(conditions, choices, { otherwise });
  expect(result.dtype.name).toBe(expected);
  expect(Array.from(await result.astype("int32").data())).toEqual([1, Math.trunc(Number(otherwise))]);
});

test("select takes the choice of the first true condition, also with number choices", { tags: "ci" }, async () => {
  const x = xp.array([1, 5, 9], { dtype: "float32" });
  const chosen = xp.select([x.less(3), x.less(7)], [10, x], { otherwise: 0.5 });
  expect(chosen.dtype.name).toBe("float32");
  expect(await chosen.toNested()).toEqual([10, 5, 0.5]);
  const truths = xp.select([x.less(3), x.less(7)], [false, x.less(0)], { otherwise: true });
  expect(truths.dtype.name).toBe("bool");
  expect(await truths.toNested()).toEqual([false, false, true]);
});

test("multiPut repeats values if there are fewer values than indices", { tags: "ci" }, async () => {
  const three = xp.array([1, 2, 3], { dtype: "float32" });
  const six = xp.array([1, 2, 3, 4, 5, 6], { dtype: "int32" });
  const [a, b] = xp.multiPut([three, six], [5, 4, 3, 2, 1, 0], { shape: [6] });
  expect(await a.toNested()).toEqual([3, 2, 1, 3, 2, 1]);
  expect(await b.toNested()).toEqual([6, 5, 4, 3, 2, 1]);
  const out = [xp.zeros([2, 3], { dtype: "float32" })] as const;
  xp.multiPut([three], xp.array([0, 1, 2, 3, 4], { dtype: "int32" }), { out });
  expect([...(await out[0].data())]).toEqual([1, 2, 3, 1, 2, 0]);
});
