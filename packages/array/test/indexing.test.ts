/** Index arrays: reading, storing and checks; expected results are worked out by hand. */
import type { DeviceArray, DTypeName } from "@cl/array";
import { expect, test } from "vitest";
import { errorLike } from "@cl/testing/error-like";

import { xp } from "./support/device.js";

const counted = (shape: readonly number[], dtype: DTypeName = "int32"): DeviceArray =>
  xp
    .arange(
      shape.reduce((a, b) => a * b, 1),
      { dtype },
    )
    .reshape(shape);
const places = (values: readonly number[], dtype: DTypeName = "int32"): DeviceArray<"int32"> =>
  xp.array(values, { dtype: "int32" }).astype(dtype as "int32");

test("a list of indices takes elements, and rows", async () => {
  const a = counted([3, 4]);
  expect(await a.at([2, 0, -1]).toNested()).toEqual([
    [8, 9, 10, 11],
    [0, 1, 2, 3],
    [8, 9, 10, 11],
  ]);
  expect(await a.at(":", [3, 0]).toNested()).toEqual([
    [3, 0],
    [7, 4],
    [11, 8],
  ]);
  expect(await a.at(Int32Array.of(1)).toNested()).toEqual([[4, 5, 6, 7]]);
  expect(a.at([]).shape).toEqual([0, 4]);
});

test("broadcasts lists for several axes together", async () => {
  const a = counted([3, 4]);
  expect(await a.at([0, 1, 2], [3, 2, 1]).toNested()).toEqual([3, 6, 9]);
  expect(await a.at([[0], [2]], [1, -1]).toNested()).toEqual([
    [1, 3],
    [9, 11],
  ]);
  expect(() => a.at([0, 1, 2], [0, 1])).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE"));
});

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

test("accepts index arrays of every integer dtype and layout", async () => {
  const a = counted([5], "float32");
  for (const dtype of ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"] as const) {
    expect(await a.at(places([4, 0, 2], dtype)).toNested()).toEqual([4, 0, 2]);
  }
  expect(await a.at(places([4, 0, 2, 1]).slice("::-2")).toNested()).toEqual([1, 0]);
  expect(await a.at(places([-1, -5])).toNested()).toEqual([4, 0]);
  expect(
    await counted([3, 4])
      .T.at(places([3, 1]), "::2")
      .toNested(),
  ).toEqual([
    [3, 11],
    [1, 9],
  ]);
});

test("accepts host booleans as a mask", async () => {
  const a = counted([2, 3]);
  expect(await a.at([true, false]).toNested()).toEqual([[0, 1, 2]]);
  expect(
    await a
      .at([
        [true, false, true],
        [false, true, false],
      ])
      .toNested(),
  ).toEqual([0, 2, 4]);
  expect(await a.at([false, true], [0, -1]).toNested()).toEqual([3, 5]);
  expect(() => a.at([true, false, true])).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE"));
});

test("copies elements of every dtype bit for bit", async () => {
  expect(await xp.array([1n, -2n, 3n]).at([2, 1]).toNested()).toEqual([3n, -2n]);
  expect(await xp.array([true, false]).at([1, 0, 0]).toNested()).toEqual([false, true, true]);
  expect(await xp.array([0.5, -0, NaN], { dtype: "float16" }).at([2, 1]).toNested()).toEqual([NaN, -0]);
  const complex = xp.array(
    [
      { re: 1, im: 2 },
      { re: 3, im: -4 },
    ],
    { dtype: "complex128" },
  );
  expect(await complex.at([1]).toNested()).toEqual([{ re: 3, im: -4 }]);
});

test("checks host indices before anything is enqueued", () => {
  const a = counted([3, 4]);
  expect(() => a.at([0, 3])).toThrow(RangeError);
  expect(() => a.at([0, 3])).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE"));
  expect(() => a.at(":", [[-5]])).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE"));
  expect(() => a.at([0.5])).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "indices[0][0]"));
  expect(() => a.at([1, null as never])).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE", "indices[0][1]"));
  expect(() => a.at(xp.zeros([1]) as never)).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "indices[0]"));
  expect(() => a.at([0], [0], [0])).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE", "indices"));
  expect(() => counted([0, 3]).at(places([0]))).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE"));
});

test("checks device indices on the device; the next wait throws once", async () => {
  const a = counted([3, 4]);
  const wrong = a.at(":", places([1, 4, 2]));
  await expect(wrong.data()).rejects.toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE"));
  // Valid indices of the same call are still read.
  expect(await wrong.slice(1).toNested()).toEqual([5, 0, 6]);
  a.at(places([-4]));
  await expect(xp.check()).rejects.toThrow(RangeError);
  await xp.check();
  a.take(places([12]));
  expect(() => a.dataSync()).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE"));
  xp.checkSync();
  await expect(a.at(xp.array([2n ** 64n - 1n], { dtype: "uint64" })).data()).rejects.toThrow(
    errorLike(RangeError, "ERR_OUT_OF_RANGE"),
  );
});

test("writes nothing outside the array", async () => {
  const a = xp.zeros([6], { dtype: "int16" });
  const middle = a.slice("2:4");
  middle.setAt(places([0, 2, 1, -3]), 7);
  await expect(a.data()).rejects.toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE"));
  expect([...(await a.data())]).toEqual([0, 0, 7, 7, 0, 0]);
});

test("take works along an axis or on the flattened array, and wraps or clips", async () => {
  const a = counted([3, 4]);
  expect(await a.take([0, 11, -2]).toNested()).toEqual([0, 11, 10]);
  expect(await a.T.take(places([1, 4])).toNested()).toEqual([4, 5]);
  expect(await a.take(1, { axis: -1 }).toNested()).toEqual([1, 5, 9]);
  expect(a.take([[1], [0]], { axis: 0 }).shape).toEqual([2, 1, 4]);
  expect(await a.take([12, -13], { mode: "wrap" }).toNested()).toEqual([0, 11]);
  expect(await a.take(places([99, -99]), { mode: "clip" }).toNested()).toEqual([11, 0]);
  expect(
    await a
      .take(places([5, -5]), { axis: 1, mode: "wrap" })
      .slice(0)
      .toNested(),
  ).toEqual([1, 3]);
  const out = xp.zeros([2], { dtype: "float32" });
  expect(a.take([3, 4], { out })).toBe(out);
  expect(await out.toNested()).toEqual([3, 4]);
  expect(() => a.take([1], { out })).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE", "options.out"));
  expect(() => a.take([1], { mode: "no" as "wrap" })).toThrow(
    errorLike(RangeError, "ERR_OUT_OF_RANGE", "options.mode"),
  );
});

test("takeAlongAxis uses each index at its own position", async () => {
  const a = xp.array([
    [30, 10, 20],
    [6, 5, 4],
  ]);
  const order = xp.array([
    [1n, 2n, 0n],
    [2n, 1n, 0n],
  ]);
  expect(await a.takeAlongAxis(order).toNested()).toEqual([
    [10, 20, 30],
    [4, 5, 6],
  ]);
  expect(await a.takeAlongAxis([[1], [0]]).toNested()).toEqual([[10], [6]]);
  expect(await a.takeAlongAxis([[1, 0, 1]], { axis: 0 }).toNested()).toEqual([[6, 10, 4]]);
  a.putAlongAxis([[0], [2]], [[-1], [-2]]);
  expect(await a.toNested()).toEqual([
    [-1, 10, 20],
    [6, 5, -2],
  ]);
  expect(() => a.takeAlongAxis([0])).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE"));
});

test("setAt accepts the indices of at, and broadcasts and converts values", async () => {
  const a = xp.zeros([3, 4], { dtype: "int32" });
  a.setAt([[0, 2]], 1);
  a.setAt([":", places([1])], xp.array([2.9, 3.9, 4.9]).reshape([3, 1]));
  a.setAt(
    [
      [1, 2],
      [3, 0],
    ],
    [7, 8],
  );
  expect(await a.toNested()).toEqual([
    [1, 2, 1, 1],
    [0, 3, 0, 7],
    [8, 4, 1, 1],
  ]);
  a.setAt([1, ":"], [5, 6, 7, 8]);
  a.setAt(places([0]), Float64Array.of(9, 9, 9, 9));
  expect(await a.slice(":2").toNested()).toEqual([
    [9, 9, 9, 9],
    [5, 6, 7, 8],
  ]);
  expect(() => a.setAt([[0, 1]], [1, 2, 3])).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE"));
  expect(() => a.broadcastTo([2, 3, 4]).setAt([[0]], 1)).toThrow(errorLike(TypeError, "ERR_INVALID_STATE"));
});

test("values may share memory with the array they are stored into", async () => {
  const a = counted([5]);
  a.setAt([[0, 1, 2, 3]], a.slice("1:"));
  expect(await a.toNested()).toEqual([1, 2, 3, 4, 4]);
  const b = xp.array([2n, 0n, 1n]);
  b.setAt(b, b);
  expect(await b.toNested()).toEqual([0n, 1n, 2n]);
});

test("put repeats its values", async () => {
  const a = xp.zeros([2, 4], { dtype: "int8" }).T;
  a.put([0, 1, 2, 3, 4], [1, 2]);
  expect(await a.toNested()).toEqual([
    [1, 2],
    [1, 2],
    [1, 0],
    [0, 0],
  ]);
  a.put(places([7, 6]), [5, 6, 7]);
  a.put([3], []);
  expect(await a.slice(3).toNested()).toEqual([6, 5]);
  expect(() => a.put([8], [1])).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE"));
});
