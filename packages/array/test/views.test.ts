/** Creating, viewing, copying and reading arrays: views have the same elements as NumPy's. */
import { DisposedError } from "@cl/core";
import type { DeviceArray, DTypeName } from "@cl/array";
import { expect, test } from "vitest";

import { xp } from "./support/device.js";
import { outOfRange, wrongState, wrongType } from "@cl/testing/error-like";

const counted = (shape: readonly number[], dtype: DTypeName = "int32"): DeviceArray => {
  const size = shape.reduce((a, b) => a * b, 1);
  return xp.arange(size, { dtype }).reshape(shape);
};

test("nested values round-trip", async () => {
  const values = [
    [1.5, -2, 3],
    [4, 5, 6],
  ];
  expect(await xp.array(values).toNested()).toEqual(values);
  expect(await xp.array([true, false]).toNested()).toEqual([true, false]);
  expect(await xp.array([1n, -(2n ** 62n)]).toNested()).toEqual([1n, -(2n ** 62n)]);
  expect(await xp.array(7, { dtype: "int16" }).item()).toBe(7);
  expect(await xp.array([{ re: 1, im: -2 }], { dtype: "complex64" }).toNested()).toEqual([{ re: 1, im: -2 }]);
});

test("fromHost keeps the typed array's dtype and copies it immediately", async () => {
  const values = Float32Array.of(1, 2, 3, 4);
  const array = xp.fromHost(values, { shape: [2, -1] });
  values.fill(0);
  expect([...(await array.data())]).toEqual([1, 2, 3, 4]);
  expect([array.dtype.name, array.shape]).toEqual(["float32", [2, 2]]);
  expect(() => xp.fromHost(values, { dtype: "int8" })).toThrow(wrongType("values"));
});

/** The elements in C order. */
const elements = async (array: DeviceArray): Promise<string> => String(await array.data());

test.each([
  ["0,0,0,0,0,0", () => xp.zeros([2, 3], { dtype: "int16" })],
  ["1,1", () => xp.ones([2], { dtype: "uint64" })],
  ["2.5,2.5", () => xp.full([2], 2.5, { dtype: "float32" })],
  ["0,1,0,0,0,1", () => xp.eye(2, { columns: 3, diagonal: 1, dtype: "int8" })],
  ["0,0,0,1,0,0,0,1,0", () => xp.eye(3, { diagonal: -1, dtype: "bool" })],
  ["1,0.5,0,-0.5,-1,-1.5", () => xp.arange(1, -2, -0.5, { dtype: "float32" })],
  ["0,0.25,0.5,0.75,1", () => xp.linspace(0, 1, 5, { dtype: "float32" })],
  ["", () => xp.zeros([0, 3])],
  ["9,9", () => xp.fullLike(counted([2]), 9)],
] as const)("creates the elements %s", async (expected, make) => {
  expect(await elements(make())).toBe(expected);
});

test("F order stores the same elements in another memory order", async () => {
  const array = xp.empty([2, 3], { dtype: "int32", order: "F" }).assign(counted([2, 3]));
  expect(array.strides).toEqual([4, 8]);
  expect(await elements(array)).toBe("0,1,2,3,4,5");
});

test("reshape copies only if it must", async () => {
  const array = counted([2, 3]);
  const view = array.reshape([3, -1]);
  view.slice(0, 0).assign(100);
  expect(await array.slice(0, 0).item()).toBe(100);
  expect(await array.T.reshape([6]).toNested()).toEqual([100, 3, 1, 4, 2, 5]);
  expect(array.T.ravel().isContiguous).toBe(true);
});

test("assignment broadcasts, converts, and reads before it writes", async () => {
  const array = counted([3, 4]);
  array.slice(":", "1:3").assign(xp.array([[7.9], [8.9], [-9.9]]));
  expect(await elements(array)).toBe("0,7,7,3,4,8,8,7,8,-9,-9,11");
  const line = counted([6]);
  line.slice("1:").assign(line.slice(":-1"));
  expect(await elements(line)).toBe("0,0,1,2,3,4");
  line.assign(line.slice("::-1"));
  expect(await elements(line)).toBe("4,3,2,1,0,0");
});

test("broadcast views are read-only", async () => {
  const wide = xp.array([1, 2], { dtype: "int8" }).broadcastTo([2, 2]);
  expect(await elements(wide)).toBe("1,2,1,2");
  expect(() => wide.assign(3)).toThrow(wrongState());
});

test("operators accept transposed operands combined with all other layouts", { tags: "ci" }, async () => {
  const [rows, columns] = [37, 75];
  const a = xp.arange(rows * columns, { dtype: "float32" }).reshape([rows, columns]);
  const b = a.reshape([columns, rows]);
  const row = xp.arange(rows, { dtype: "float32" });
  const transposed = Array.from({ length: a.size }, (_, i) => (i % rows) * columns + Math.floor(i / rows));
  const expected = transposed.map((i, k) => i + k + (k % rows));
  expect([...(await a.T.add(b).add(row).data())]).toEqual(expected);
  expect([...(await b.add(a.T).add(row).data())]).toEqual(expected);
  const out = xp.empty([columns, rows], { dtype: "float32" });
  a.T.add(b, { out });
  expect([...(await out.data())]).toEqual(transposed.map((i, k) => i + k));
  a.T.add(a.T.mul(2), { out });
  expect([...(await out.data())]).toEqual(transposed.map((i) => 3 * i));
});

test("a released array throws; its views stay valid", async () => {
  const array = counted([3]);
  const view = array.slice("1:");
  array.release();
  array.release();
  expect(() => array.slice(0)).toThrow(DisposedError);
  expect(await view.toNested()).toEqual([1, 2]);
  view.release();
  expect(array.released && view.released).toBe(true);
  await expect(view.data()).rejects.toThrow(DisposedError);
});

test("rejects invalid shapes, slices and indices", async () => {
  expect(() => counted([6]).reshape([-1, -1])).toThrow(outOfRange());
  expect(() => counted([6]).reshape([-1, -2])).toThrow(outOfRange("shape[1]"));
  expect(() => counted([2]).slice(2)).toThrow(outOfRange("indices[0]"));
  await expect(counted([2]).item()).rejects.toThrow(outOfRange());
});
