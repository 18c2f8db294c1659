/** Conversions from and to arrays of other packages. */
import { HostView } from "@cl/core";
import { makeVector, Table, vectorFromArray } from "apache-arrow";
import ndarray from "ndarray";
import { expect, test } from "vitest";

import { needsDoubles, xp } from "./support/device.js";
import { outOfRange, wrongType } from "@cl/testing/error-like";

test("scijs arrays of any layout convert both ways", async () => {
  const own = ndarray(Float32Array.of(0, 1, 2, 3, 4, 5), [2, 3]);
  const a = xp.array(own);
  expect([a.dtype.name, a.shape]).toEqual(["float32", [2, 3]]);
  const transposed = own.transpose(1, 0).step(-2, 1);
  expect(await xp.array(transposed).data()).toEqual(Float32Array.of(2, 5, 0, 3));
  expect(await xp.array(transposed.pick(0, -1), { dtype: "int16" }).data()).toEqual(Int16Array.of(2, 5));
  const back = await a.T.toScijs(ndarray);
  expect([back.shape, back.get(2, 1), back.data]).toEqual([[3, 2], 5, Float32Array.of(0, 3, 1, 4, 2, 5)]);
  const bytes = await xp.array([true, false]).toScijs(ndarray);
  expect(bytes.data).toEqual(Uint8Array.of(1, 0));
});

test("scijs arrays over plain lists become float64", async (run) => {
  needsDoubles(run);
  const a = xp.array(ndarray([1, 2, 3, 4], [2, 2]));
  expect(await a.slice(1).data()).toEqual(Float64Array.of(3, 4));
});

test("Arrow vectors convert both ways", async () => {
  const a = xp.array(makeVector(Int16Array.of(1, 2, 3)));
  expect([a.dtype.name, await a.toNested()]).toEqual(["int16", [1, 2, 3]]);
  const part = vectorFromArray(BigInt64Array.of(1n, 2n, 3n)).slice(1);
  expect(await xp.array(part).toNested()).toEqual([2n, 3n]);
  expect(await xp.array(vectorFromArray([true, false, true])).toNested()).toEqual([true, false, true]);
  const table = new Table({ x: makeVector(Float32Array.of(0.5)), y: makeVector(Float32Array.of(1.5)) });
  const both = xp.array(table.concat(table).getChild("y") as never);
  expect(await both.toNested()).toEqual([1.5, 1.5]);
  const vector = await xp.arange(6, { dtype: "int32" }).slice("::2").toArrow(makeVector);
  expect([vector.length, vector.get(2), vector.nullCount]).toEqual([3, 4, 0]);
});

/** A stand-in for the constructor of @stdlib/ndarray, which cannot be installed without its repositories. */
class StdlibNdarray {
  readonly given: readonly unknown[];
  declare readonly dtype: string;
  declare readonly data: Float32Array;
  declare readonly shape: number[];
  declare readonly strides: number[];
  declare readonly offset: number;
  declare readonly order: string;

  constructor(
    ...given: [dtype: string, data: Float32Array, shape: number[], strides: number[], offset: number, order: string]
  ) {
    this.given = given;
    const [dtype, data, shape, strides, offset, order] = given;
    Object.assign(this, { dtype, data, shape, strides, offset, order });
  }
}

test("@stdlib arrays of any layout convert both ways", async () => {
  const own = new StdlibNdarray("float32", Float32Array.of(0, 1, 2, 3, 4, 5), [2, 2], [-3, 2], 3, "row-major");
  const a = xp.array(own);
  expect([a.shape, await a.data()]).toEqual([[2, 2], Float32Array.of(3, 5, 0, 2)]);
  const { given } = await a.toStdlib(StdlibNdarray);
  expect(given).toEqual(["float32", Float32Array.of(3, 5, 0, 2), [2, 2], [2, 1], 0, "row-major"]);
  expect((await a.slice(0, 0).toStdlib(StdlibNdarray)).given.slice(2)).toEqual([[], [0], 0, "row-major"]);
});

test("@cl/core host views become arrays", async () => {
  const view = new HostView(Int32Array.of(1, 2, 3, 4), { shape: [2, 2] });
  expect(await xp.array(view.transpose()).data()).toEqual(Int32Array.of(1, 3, 2, 4));
});

test.each<[name: string, values: unknown, error: Error]>([
  ["nulls", vectorFromArray([1, null, 3]), outOfRange("values")],
  ["strings", vectorFromArray(["a", "b"]), wrongType("values")],
  ["elements outside of a typed array", { data: new Map(), shape: [1], stride: [1], offset: 0 }, wrongType("values")],
  ["a view beyond its data", { data: new Int8Array(2), shape: [3], stride: [1], offset: 0 }, outOfRange()],
])("rejects %s", (_, values, error) => {
  expect(() => xp.array(values as never)).toThrow(error);
});

test("rejects arrays that the other package cannot represent", async () => {
  const complex = xp.array([{ re: 1, im: 2 }], { dtype: "complex64" });
  await expect(complex.toScijs(ndarray as never)).rejects.toThrow(wrongType("scijs"));
  await expect(xp.array([true]).toArrow(makeVector)).rejects.toThrow(wrongType());
  await expect(complex.toStdlib(StdlibNdarray)).rejects.toThrow(wrongType());
  const matrix = xp.ones([1, 2], { dtype: "int8" });
  await expect(matrix.toArrow(makeVector)).rejects.toThrow(wrongType());
});
