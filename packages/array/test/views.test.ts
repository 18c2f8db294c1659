/** Creating, viewing, copying and reading arrays: views have the same elements as NumPy's. */
import { CommandQueue, DisposedError, type SliceIndex } from "@cl/core";
import { arrays, type DeviceArray, type DTypeName } from "@cl/array";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { errorLike } from "@cl/testing/error-like";

import { context, xp } from "./support/device.js";
import { caseCount } from "@cl/testing/level";

const counted = (shape: readonly number[], dtype: DTypeName = "int32"): DeviceArray =>
  xp
    .arange(
      shape.reduce((a, b) => a * b, 1),
      { dtype },
    )
    .reshape(shape);

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
  expect(() => xp.fromHost(values, { dtype: "int8" })).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "values"));
});

test.each([
  [
    "zeros",
    () => xp.zeros([2, 3], { dtype: "int16" }),
    [
      [0, 0, 0],
      [0, 0, 0],
    ],
  ],
  ["ones", () => xp.ones([2], { dtype: "uint64" }), [1n, 1n]],
  ["full", () => xp.full([2], 2.5, { dtype: "float16" }), [2.5, 2.5]],
  [
    "eye",
    () => xp.eye(2, { columns: 3, diagonal: 1, dtype: "int8" }),
    [
      [0, 1, 0],
      [0, 0, 1],
    ],
  ],
  [
    "eye below the diagonal",
    () => xp.eye(3, { diagonal: -1, dtype: "bool" }),
    [
      [false, false, false],
      [true, false, false],
      [false, true, false],
    ],
  ],
  ["arange", () => xp.arange(1, -2, -0.5, { dtype: "float32" }), [1, 0.5, 0, -0.5, -1, -1.5]],
  ["linspace", () => xp.linspace(0, 1, 5, { dtype: "float32" }), [0, 0.25, 0.5, 0.75, 1]],
  ["zeros of no elements", () => xp.zeros([0, 3]), []],
  ["zerosLike", () => xp.zerosLike(counted([2])), [0, 0]],
  ["onesLike", () => xp.onesLike(counted([2])), [1, 1]],
  ["fullLike", () => xp.fullLike(counted([2]), 9), [9, 9]],
  ["emptyLike", () => xp.emptyLike(counted([2])).assign(4), [4, 4]],
] as const)("%s returns the expected elements", async (_name, make, expected) => {
  expect(await make().toNested()).toEqual(expected);
});

test("F order stores the same elements in another memory order", async () => {
  const array = xp.empty([2, 3], { dtype: "int32", order: "F" }).assign(counted([2, 3]));
  expect(array.strides).toEqual([4, 8]);
  expect(await array.toNested()).toEqual([
    [0, 1, 2],
    [3, 4, 5],
  ]);
});

/** The elements of nested arrays at the same indices, as a model. */
function model(values: unknown, indices: readonly SliceIndex[]): unknown {
  const [first, ...rest] = indices;
  if (first === undefined) return values;
  const list = values as readonly unknown[];
  if (typeof first === "number") return model(list.at(first), rest);
  const [start, stop, step] = first as [number, number, number];
  const taken: unknown[] = [];
  for (let i = start; step > 0 ? i < stop : i > stop; i += step) if (i in list) taken.push(model(list[i], rest));
  return taken;
}

test("slices of transposed slices match those of nested arrays", async () => {
  const index = (extent: number): fc.Arbitrary<SliceIndex> =>
    fc.oneof(
      fc.integer({ min: 0, max: extent - 1 }),
      fc
        .tuple(
          fc.integer({ min: 0, max: extent - 1 }),
          fc.integer({ min: 0, max: extent }),
          fc.integer({ min: 1, max: 3 }),
          fc.boolean(),
        )
        .map(([a, b, step, back]): SliceIndex =>
          back && b > 0 ? [Math.max(a, b - 1), Math.min(a, b - 1) || 0, -step] : [Math.min(a, b), Math.max(a, b), step],
        ),
    );
  const shape = [4, 3, 5];
  const cases = fc.tuple(index(5), index(3), index(4));
  const source = counted(shape).transpose();
  const nested = await source.toNested();
  await fc.assert(
    fc.asyncProperty(cases, async (indices) => {
      using part = source.slice(...indices);
      expect(await part.toNested()).toEqual(model(nested, indices));
    }),
    { numRuns: caseCount(40) },
  );
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
  expect(await array.toNested()).toEqual([
    [0, 7, 7, 3],
    [4, 8, 8, 7],
    [8, -9, -9, 11],
  ]);
  const line = counted([6]);
  line.slice("1:").assign(line.slice(":-1"));
  expect(await line.toNested()).toEqual([0, 0, 1, 2, 3, 4]);
  line.assign(line.slice("::-1"));
  expect(await line.toNested()).toEqual([4, 3, 2, 1, 0, 0]);
});

test("broadcast views are read-only", async () => {
  const wide = xp.array([1, 2], { dtype: "int8" }).broadcastTo([2, 2]);
  expect(await wide.toNested()).toEqual([
    [1, 2],
    [1, 2],
  ]);
  expect(() => wide.assign(3)).toThrow(errorLike(TypeError, "ERR_INVALID_STATE"));
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

test("out-of-order queues keep the order of dependent commands", async () => {
  const queue = new CommandQueue(context, { outOfOrder: true });
  const own = arrays(queue);
  const array = own.zeros([4096], { dtype: "int32" });
  const seen: DeviceArray<"int32">[] = [];
  for (let i = 1; i <= 40; i++) {
    array.add(1, { out: array });
    seen.push(array.copy());
  }
  for (const [i, copy] of seen.entries()) expect(new Set(await copy.data())).toEqual(new Set([i + 1]));
});

test("waits for arrays of another queue of the same context", async () => {
  const other = arrays(new CommandQueue(context));
  const mine = xp.zeros([100_000], { dtype: "int32" });
  for (let i = 0; i < 20; i++) {
    mine.add(1, { out: mine });
    other.ones([100_000], { dtype: "int32" }).add(mine, { out: mine });
  }
  expect(new Set(await mine.data())).toEqual(new Set([40]));
});

test("rejects invalid shapes, slices and indices", async () => {
  expect(() => counted([2, 3]).reshape([4])).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE"));
  expect(() => counted([2]).slice(2)).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE", "indices[0]"));
  expect(() => counted([2]).assign(counted([3]))).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE"));
  await expect(counted([2]).item()).rejects.toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE"));
  expect(() => xp.arange(0, 1, 0)).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE", "step"));
  expect(() => xp.zeros([1], { dtype: "float4" as "float32" })).toThrow(
    errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options.dtype"),
  );
});

test("rejects two unknown dimensions or an invalid dimension by its position", () => {
  const six = xp.zeros([6], { dtype: "int8" });
  expect(() => six.reshape([-1, -1])).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE"));
  expect(() => six.reshape([-1, -2])).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE", "shape[1]"));
});
