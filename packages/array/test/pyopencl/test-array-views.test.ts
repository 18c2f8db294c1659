/** PyOpenCL's test_array.py, re-expressed: slices, shapes, axes and views of other dtypes. */
import { expect, test } from "vitest";
import { errorLike } from "@cl/testing/error-like";

import { xp } from "../support/device.js";
import { randomFloats, randomNumbers } from "../support/numbers.js";

const count = (...shape: number[]) =>
  xp
    .arange(
      shape.reduce((a, b) => a * b, 1),
      { dtype: "float32" },
    )
    .reshape(shape);

test("views the same bytes as another dtype (test_view)", async () => {
  const a = count(8, 16);
  expect(a.viewAs("float32").shape).toEqual([8, 16]);
  expect(a.viewAs("complex64").shape).toEqual([8, 8]);
  const halves = a.viewAs("int16");
  expect(halves.shape).toEqual([8, 32]);
  expect(await halves.slice(0, ":4").data()).toEqual(new Int16Array(Float32Array.of(0, 1).buffer));
});

test("computes with slices and assigns to them (test_slice)", async () => {
  const values = randomFloats(20_000);
  const a = xp.array(values);
  const next = randomNumbers(13);
  for (let k = 0; k < 20; k++) {
    const start = Math.floor(next() * 20_000);
    const end = start + Math.floor(next() * (20_000 - start));
    const doubled = values.slice(start, end).map((value) => 2 * value);
    expect(await a.slice([start, end]).mul(2).data()).toEqual(doubled);
    const b = xp.zeros([20_000], { dtype: "float32" });
    b.slice([start, end]).assign(a.slice([start, end]).mul(2));
    expect((await b.data()).slice(start, end)).toEqual(doubled);
  }
  a.slice([20_000, 20_000]).assign(xp.empty([0], { dtype: "float32" }));
  expect(await a.data()).toEqual(values);
});

test("views keep their strides and can be read (test_view_and_strides)", async () => {
  const x = count(4, 6);
  const y = x.slice(":3", ":5");
  expect([y.shape, y.strides]).toEqual([[3, 5], x.strides]);
  expect((await y.toNested()) as number[][]).toEqual([
    [0, 1, 2, 3, 4],
    [6, 7, 8, 9, 10],
    [12, 13, 14, 15, 16],
  ]);
});

test("writes through views of views (test_meshmode_view)", async () => {
  const [n, m] = [2, 3];
  const z = xp.zeros([n, 6 * m], { dtype: "float32" });
  const right = z.slice("...", [3 * m, 6 * m]).reshape([n, 3, m]);
  // Contiguous only without the middle axis, so reshape returns a view and writes show in z.
  right.slice(0).assign(1);
  expect(await z.slice(0).data()).toEqual(Float32Array.from({ length: 18 }, (_, i) => (i < 9 ? 0 : 1)));
  expect(new Set(await z.slice(1).data())).toEqual(new Set([0]));
});

test("reshape infers one dimension (test_reshape)", async () => {
  const a = count(128);
  for (const [shape, complete] of [
    [
      [4, 32],
      [4, 32],
    ],
    [
      [-1, 32],
      [4, 32],
    ],
    [
      [32, -1],
      [32, 4],
    ],
    [
      [-1, 4, 4],
      [8, 4, 4],
    ],
    [[128], [128]],
  ] as const) {
    const b = a.reshape(shape);
    expect(b.shape).toEqual(complete);
    expect(await b.data()).toEqual(await a.data());
  }
  expect(() => a.reshape([-1, -1, 4])).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE"));
  expect(() => a.reshape([3, 7])).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE"));
});

test("slices with a step skip rows (test_skip_slicing)", async () => {
  const a = count(4, 4);
  const b = a.slice("::3");
  expect(b.shape).toEqual([2, 4]);
  expect(await b.slice(1).data()).toEqual(Float32Array.of(12, 13, 14, 15));
});

test("transposes (test_transpose)", async () => {
  const a = count(10, 20, 30);
  const t = a.T;
  expect(t.shape).toEqual([30, 20, 10]);
  expect(await t.slice(29, 19, 9).item()).toBe(5999);
  expect(await t.transpose().data()).toEqual(await a.data());
});

test("adds axes (test_newaxis)", () => {
  const a = count(10, 20);
  expect(a.slice(":", null).shape).toEqual([10, 1, 20]);
  expect(a.slice(":", null).strides[0]).toBe(80);
});

test("removes axes of length 1 (test_squeeze)", () => {
  const a = count(40, 2, 5, 100);
  const b = a.slice("0:1", "1:2", ":", ":");
  expect([b.isContiguous, b.squeeze().shape, b.squeeze().isContiguous]).toEqual([true, [5, 100], true]);
  const c = a.slice(":", ":", "2:3", ":");
  expect([c.isContiguous, c.squeeze().shape, c.squeeze().isContiguous]).toEqual([false, [40, 2, 100], false]);
});

test("flattens in both orders (test_ravel)", async () => {
  const a = count(10, 4);
  expect(await a.ravel().data()).toEqual(await a.data());
  expect(await a.ravel({ order: "F" }).data()).toEqual(await a.T.data());
  expect(await a.copy({ order: "F" }).ravel({ order: "F" }).data()).toEqual(await a.T.data());
});

test("assigns arrays of another order (test_assign_different_strides, an error in PyOpenCL)", async () => {
  const a = count(10, 20);
  const b = xp.empty([10, 20], { dtype: "float32", order: "F" });
  b.assign(a);
  expect(await b.data()).toEqual(await a.data());
});

test("copies slices (test_slice_copy, an error in PyOpenCL)", async () => {
  const part = count(96, 27).slice("::8", "::3");
  const copy = part.copy();
  expect([copy.isContiguous, copy.shape]).toEqual([true, [12, 9]]);
  expect(await copy.slice(11, 8).item()).toBe(88 * 27 + 24);
});

test("concatenates arrays (test_concatenate)", async () => {
  const parts = [count(5, 15, 20), count(4, 15, 20).add(1), count(3, 15, 20).add(2)];
  const whole = xp.concatenate(parts);
  expect(whole.shape).toEqual([12, 15, 20]);
  expect(await whole.slice("5:9").data()).toEqual(await (parts[1] as (typeof parts)[0]).data());
  expect(
    xp.concatenate(
      parts.map((one) => one.T),
      { axis: -1 },
    ).shape,
  ).toEqual([20, 15, 12]);
});

test("stacks arrays along any axis, in any order (test_stack)", async () => {
  for (const order of ["C", "F"] as const) {
    for (const [shape, axis, result] of [
      [[4], 0, [3, 4]],
      [[4, 5], 0, [3, 4, 5]],
      [[4, 5], -1, [4, 5, 3]],
      [[2, 3, 4], 1, [2, 3, 3, 4]],
    ] as const) {
      const parts = [0, 1, 2].map((k) =>
        count(...shape)
          .add(k)
          .copy({ order }),
      );
      const stacked = xp.stack(parts, { axis });
      expect(stacked.shape).toEqual(result);
      expect(await stacked.moveaxis(axis, 0).slice(2).data()).toEqual(
        await count(...shape)
          .add(2)
          .data(),
      );
    }
  }
});
