/** Masks: reading, storing and counting; expected results are worked out by hand. */
import type { DeviceArray, DTypeName } from "@cl/array";
import { expect, test } from "vitest";
import { NotSupportedError } from "@cl/core";
import { errorLike, outOfRange, wrongState, wrongValue } from "@cl/testing/error-like";
import { sample } from "@cl/testing/level";

import { xp } from "./support/device.js";
import { counted as countedOf } from "./support/numpy-eval.js";

const counted = (shape: readonly number[], dtype: DTypeName = "int32"): DeviceArray => countedOf(shape, dtype);
const mask = (...values: readonly number[]): DeviceArray<"bool"> => xp.array(values.map((value) => value !== 0));

test("a mask selects the elements where it is true, in order", async () => {
  const a = counted([2, 3]);
  const odd = a.remainder(2).equal(1);
  const selected = await a.at(odd);
  expect(await selected.toNested()).toEqual([1, 3, 5]);
});

test("a mask selects elements of views", { tags: "ci" }, async () => {
  const a = counted([2, 3]);
  const odd = a.remainder(2).equal(1);
  expect(a.atSync(a.less(0)).shape).toEqual([0]);
  expect(await a.atSync(a.T.less(4).T).toNested()).toEqual([0, 1, 2, 3]);
  expect(await a.T.atSync(odd.T).toNested()).toEqual([3, 1, 5]);
  expect(await a.slice(":", "::-1").atSync(odd).toNested()).toEqual([1, 5, 3]);
});

test("a mask of the first axes selects rows", { tags: "ci" }, async () => {
  const a = counted([3, 4], "float32");
  expect([...(await (await a.at(mask(1, 0, 1))).data())]).toEqual([0, 1, 2, 3, 8, 9, 10, 11]);
  expect(await a.T.atSync(mask(0, 1, 0, 0)).toNested()).toEqual([[1, 5, 9]]);
});

test("masks combine with other indices", { tags: "ci" }, async () => {
  const a = counted([2, 3, 4]);
  expect([...(await a.atSync(":", mask(1, 0, 1), 0).data())]).toEqual([0, 8, 12, 20]);
  expect([...(await a.atSync(mask(1, 1), [2, 0], "1:3").data())]).toEqual([9, 10, 13, 14]);
  expect(a.atSync(mask(0, 1), ":", mask(1, 1, 0, 1)).shape).toEqual([3, 3]);
  expect(a.atSync("...", null, mask(1, 1, 0, 1)).shape).toEqual([2, 3, 1, 3]);
  await expect(a.at(mask(1, 1), mask(1, 1, 1))).rejects.toThrow(outOfRange());
});

test("masks without axes add an axis of length 1 or 0", { tags: "ci" }, () => {
  const a = counted([2, 3]);
  expect(a.atSync(xp.array(true)).shape).toEqual([1, 2, 3]);
  expect(a.atSync(xp.array(false)).shape).toEqual([0, 2, 3]);
});

test("returns without waiting if `size` is given, and fills missing elements", { tags: "ci" }, async () => {
  const a = counted([6]);
  expect(await a.at(a.greater(3), { size: 4 }).toNested()).toEqual([4, 5, 0, 0]);
  expect(await a.at(a.greater(1), { size: 2, fill: -1 }).toNested()).toEqual([2, 3]);
  const b = counted([3, 2]);
  expect([...(await b.at(mask(0, 0, 1), { size: 2, fill: 9 }).data())]).toEqual([4, 5, 9, 9]);
  expect(await b.at(mask(0, 1, 1), 1, { size: 3, fill: 7 }).toNested()).toEqual([3, 5, 7]);
  expect(() => a.at(mask(1, 1, 1, 1, 1, 1), { size: -1 })).toThrow(outOfRange("options.size"));
});

test("rejects masks of another shape, with both shapes", async () => {
  const a = counted([2, 3]);
  await expect(a.at(mask(1, 0, 1), ":")).rejects.toThrow(outOfRange());
  expect(() => a.setAt(mask(1, 0, 1), 1)).toThrow(outOfRange());
  expect(() => a.setAt([":", mask(1, 0)], 1)).toThrow(outOfRange());
});

test("arrays of a pending promise cannot be changed but can be released", async () => {
  const a = counted([4]);
  const promise = a.at(a.greater(1));
  expect(() => a.assign(0)).toThrow(wrongState());
  expect(() => a.add(1, { out: a })).toThrow(wrongState());
  expect(await (await promise).toNested()).toEqual([2, 3]);
  a.assign(7);
  const other = a.at(a.greater(1));
  a.release();
  expect(await (await other).toNested()).toEqual([7, 7, 7, 7]);
});

test("a mask and what it selects may both be pending, of an array that was released", { tags: "full" }, async () => {
  type Read = (a: DeviceArray, mask: DeviceArray<"bool">) => Promise<DeviceArray> | DeviceArray;
  const reads: readonly Read[] = [(a, mask) => a.at(mask), (a, mask) => a.atSync(mask)];
  for (const read of reads) {
    const [x, z] = [counted([10], "float32"), counted([10], "float32")];
    const y = x.add(1);
    x.release();
    expect(await (await read(y, y.greater(3))).toNested()).toEqual([4, 5, 6, 7, 8, 9, 10]);
    const above = z.greater(6);
    z.release();
    expect(await (await read(xp.where(above, 1.5, 2), above)).toNested()).toEqual([1.5, 1.5, 1.5]);
  }
});

test("stores one value or one row wherever a mask is true", { tags: "ci" }, async () => {
  const a = counted([2, 3]);
  a.setAt(a.greater(2), -1);
  expect([...(await a.data())]).toEqual([0, 1, 2, -1, -1, -1]);
  a.setAt(mask(1, 0), [7, 8, 9]);
  a.T.setAt([":", mask(0, 1)], xp.array([[1.9], [2.9], [3.9]]));
  expect([...(await a.data())]).toEqual([7, 8, 9, 1, 2, 3]);
  a.setAt([mask(1, 1), "1:"], [[0, 5]]);
  a.setAt([0, mask(0, 0, 1)], 6);
  expect([...(await a.data())]).toEqual([7, 0, 6, 1, 0, 5]);
});

test("stores values at the true positions of a mask, in order", { tags: "ci" }, async () => {
  const a = counted([2, 3]);
  a.setAt(a.remainder(2).equal(1), [10, 30, 50]);
  expect([...(await a.data())]).toEqual([0, 10, 2, 30, 4, 50]);
  const rows = xp.zeros([3, 2], { dtype: "int32" });
  rows.setAt(mask(1, 0, 1), [[1, 2], [3, 4]]); // prettier-ignore
  rows.T.setAt([1, mask(1, 1, 0)], [8, 9]);
  expect([...(await rows.data())]).toEqual([1, 8, 0, 9, 3, 4]);
});

test("too few or too many values make the next wait throw, and nothing is stored", { tags: "ci" }, async () => {
  const a = counted([4]);
  a.setAt(mask(1, 0, 1, 1), [7, 8]);
  await expect(a.data()).rejects.toThrow(wrongValue());
  expect(await a.toNested()).toEqual([0, 1, 2, 3]);
  const rows = counted([2, 2]);
  rows.setAt(mask(1, 0), [[7, 8], [9, 9]]); // prettier-ignore
  await expect(xp.check()).rejects.toThrow(wrongValue());
  expect([...(await rows.data())]).toEqual([0, 1, 2, 3]);
});

test("rejects storing through a mask combined with index arrays", () => {
  expect(() => counted([2, 2]).setAt([mask(1, 1), [0, 1]], 1)).toThrow(
    errorLike(NotSupportedError, "ERR_CL_NOT_SUPPORTED"),
  );
});

const types = sample(["int8", "int16", "float32", "int64"] as const, 2);
test.each(types)("selects many elements of %s", { tags: "full" }, async (dtype) => {
  const a = xp.arange(50_000, { dtype: "int32" }).remainder(101);
  const selected = await a.astype(dtype).at(a.less(40));
  const expected = Array.from({ length: 50_000 }, (_, i) => i % 101).filter((value) => value < 40);
  expect([...(await selected.astype("int32").data())]).toEqual(expected);
});
