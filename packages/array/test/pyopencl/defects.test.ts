/**
 * Defects and missing features of PyOpenCL's arrays, found by reading and trying them, that work correctly here.
 *
 * @module-tag full
 */
import { CommandQueue } from "@cl/core";
import { arrays, ElementwiseKernel } from "@cl/array";
import { expect, test } from "vitest";

import { needs } from "@cl/base/testing";
import { outOfRange, wrongType } from "@cl/testing/error-like";
import { context, hasDoubles, needsDoubles, queue, xp } from "../support/device.js";

const loose = arrays(new CommandQueue(context, { outOfOrder: true }));
const count = (...shape: number[]) =>
  xp
    .arange(
      shape.reduce((a, b) => a * b, 1),
      { dtype: "float32" },
    )
    .reshape(shape);

test("unsigned integers are subtracted (PyOpenCL: OverflowError)", async () => {
  for (const dtype of ["uint8", "uint16", "uint32", "uint64"] as const) {
    const [a, b] = [xp.array([7, 9].map(Number), { dtype: "uint8" }), xp.array([2, 9], { dtype: "uint8" })].map((one) =>
      one.astype(dtype),
    ) as [ReturnType<typeof xp.zeros<typeof dtype>>, ReturnType<typeof xp.zeros<typeof dtype>>];
    expect([...(await a.sub(b).data())].map(Number)).toEqual([5, 0]);
    a.sub(b, { out: a });
    expect([...(await a.data())].map(Number)).toEqual([5, 0]);
  }
});

test("operands of C and F order are combined by index (PyOpenCL: by memory position)", async () => {
  const a = count(3, 4);
  const f = a.copy({ order: "F" });
  expect(f.isContiguous).toBe(false);
  expect(await a.sub(f).data()).toEqual(new Float32Array(12));
  expect(await f.sub(a).data()).toEqual(new Float32Array(12));
});

test("assignment converts elements of another dtype (PyOpenCL: copies bytes)", async () => {
  const a = count(4);
  a.slice("1:3").assign(xp.array([7, -8], { dtype: "int32" }));
  expect(await a.data()).toEqual(Float32Array.of(0, 7, -8, 3));
  a.assign(xp.array([1, 2, 3, 4], { dtype: "int32" }));
  expect(await a.data()).toEqual(Float32Array.of(1, 2, 3, 4));
});

test("integers are compared with fractions exactly (PyOpenCL: truncates the fraction)", async () => {
  const a = xp.array([-1, 0, 1], { dtype: "int32" });
  expect(await a.astype("int16").astype("float32").less(0.5).toNested()).toEqual([true, true, false]);
  if (hasDoubles) {
    expect(await a.less(0.5).toNested()).toEqual([true, true, false]);
    expect(await a.equal(0.5).toNested()).toEqual([false, false, false]);
  }
  expect(a.less(1).dtype.name).toBe("bool");
});

test("adding 0 and dividing by 1 promote like other numbers (PyOpenCL: keep the dtype)", (run) => {
  needsDoubles(run);
  const a = xp.array([1, 2], { dtype: "int32" });
  expect([a.add(0.5).dtype.name, a.div(1).dtype.name, a.add(0).dtype.name]).toEqual(["float64", "float64", "int32"]);
  const bytes = xp.array([1], { dtype: "int8" });
  expect(bytes.add(xp.array([0], { dtype: "int16" })).dtype.name).toBe("int16");
});

test("fractions are rejected in integer arrays (PyOpenCL: truncates)", async () => {
  const a = xp.array([1, 2], { dtype: "int32" });
  expect(() => a.add(0.5, { out: a })).toThrow(wrongType("options.out"));
  expect([...(await a.data())]).toEqual([1, 2]);
});

test("division by a number divides (PyOpenCL: multiplies by the reciprocal)", async (run) => {
  needs(run, (queue.device.singleFpConfig & 0x80) !== 0, "the device does not round division correctly");
  const a = count(1000);
  expect(await a.div(3).data()).toEqual(Float32Array.from({ length: 1000 }, (_, i) => i / 3));
});

test("empty slices are empty (PyOpenCL: two elements, or six beyond the end)", async () => {
  const v = count(10);
  expect(v.slice("5:3").shape).toEqual([0]);
  expect(v.slice("2:8:-1").shape).toEqual([0]);
  expect(await v.slice("8:2:-2").data()).toEqual(Float32Array.of(8, 6, 4));
  expect(() => v.slice(10)).toThrow(RangeError);
});

test("a new axis after an ellipsis is the last one (PyOpenCL: the middle one)", () => {
  expect(count(10, 20).slice("...", null).shape).toEqual([10, 20, 1]);
  expect(count(2, 3, 4).slice("...", null, 0).shape).toEqual([2, 3, 1]);
});

test("squeeze keeps axes of length 0 (PyOpenCL: drops them)", () => {
  expect(xp.zeros([0, 5, 1], { dtype: "float32" }).squeeze().shape).toEqual([0, 5]);
});

test("transpose rejects repeated axes (PyOpenCL: accepts them)", () => {
  expect(() => count(2, 3).transpose([0, 0])).toThrow(outOfRange("axes"));
  expect(count(2, 3, 4).transpose([-1, 0, 1]).shape).toEqual([4, 2, 3]);
});

test("shapes are broadcast, also with one-element device arrays (PyOpenCL: error)", async () => {
  const a = count(2, 3);
  const [row, column, one] = [count(3), count(2, 1).mul(10), xp.full([], 100, { dtype: "float32" })];
  expect(await a.add(row).add(column).add(one).toNested()).toEqual([
    [100, 102, 104],
    [113, 115, 117],
  ]);
  expect(await a.less(one).logicalAnd(row.greater(0)).toNested()).toEqual([
    [false, true, true],
    [false, true, true],
  ]);
  expect(() => a.add(count(2))).toThrow(outOfRange());
});

test("strided views can be used in operators, copied and read (PyOpenCL: error)", async () => {
  const a = count(4, 6);
  const part = a.slice("::2", "1::2");
  expect(await part.toNested()).toEqual([
    [1, 3, 5],
    [13, 15, 17],
  ]);
  part.mul(part, { out: part });
  expect(await a.slice(2).data()).toEqual(Float32Array.of(12, 169, 14, 225, 16, 289));
  const whole = a.T.slice("::-1");
  expect(
    await whole
      .add(whole.copy({ order: "F" }))
      .slice(0)
      .data(),
  ).toEqual(Float32Array.of(50, 22, 578, 46));
});

test("negative indices count from the end; out-of-range ones throw (PyOpenCL: reads any memory)", async () => {
  const a = count(5);
  expect(await a.take([-1, 0, -5]).data()).toEqual(Float32Array.of(4, 0, 0));
  expect(() => a.take([5])).toThrow(outOfRange());
  expect(() => a.take([-6])).toThrow(outOfRange());
  const bad = a.take(xp.array([7], { dtype: "int32" }));
  await expect(bad.data()).rejects.toThrow(outOfRange());
});

test("arrays of several axes can be indexed, also by host booleans (PyOpenCL: one axis)", async () => {
  const a = count(3, 4);
  expect(await a.at([2, 0], [1, 3]).data()).toEqual(Float32Array.of(9, 3));
  expect(await a.at([true, false, true]).data()).toEqual(Float32Array.of(0, 1, 2, 3, 8, 9, 10, 11));
});

test("too few values are repeated (as in PyOpenCL)", async () => {
  const a = xp.zeros([4], { dtype: "int32" });
  a.put([0, 1, 2], xp.array([8], { dtype: "int32" }));
  expect([...(await a.data())]).toEqual([8, 8, 8, 0]);
});

test("concatenates along any axis, with the promoted dtype (PyOpenCL: the first array's)", async () => {
  const joined = xp.concatenate([xp.array([[1], [2]], { dtype: "int8" }), count(2, 2)], { axis: 1 });
  expect(joined.dtype.name).toBe("float32");
  expect(await joined.toNested()).toEqual([
    [1, 0, 1],
    [2, 2, 3],
  ]);
  const wide = xp.hstack([xp.array([1], { dtype: "uint8" }), xp.array([300], { dtype: "int16" })]);
  expect([wide.dtype.name, ...(await wide.data())]).toEqual(["int16", 1, 300]);
});

test("operators support float16 (PyOpenCL: only stores it)", async () => {
  const a = xp.array([1, 2, 2048], { dtype: "float16" });
  const sum = a.add(1);
  expect(sum.dtype.name).toBe("float16");
  expect(await sum.toNested()).toEqual([2, 3, 2048]);
});

test("bool is a dtype (PyOpenCL: int8)", async () => {
  const a = xp.array([true, false]);
  expect([a.dtype.name, a.logicalNot().dtype.name]).toEqual(["bool", "bool"]);
  expect(await a.logicalNot().toNested()).toEqual([false, true]);
});

test("a write waits for pending reads (PyOpenCL: only for writes)", async () => {
  const n = 300_000;
  const a = loose.ones([n], { dtype: "float32" });
  const results = Array.from({ length: 8 }, (_, k) => {
    const result = a.sin().mul(0).add(a);
    a.assign(k + 2);
    return result;
  });
  for (const [k, result] of results.entries()) expect(new Set(await result.data())).toEqual(new Set([k + 1]));
});

test("in-place, comparison and logical operators are waited for (PyOpenCL: some are not)", async () => {
  const a = loose.ones([200_000], { dtype: "int32" });
  for (let k = 0; k < 5; k++) a.sub(-1, { out: a });
  const small = a.lessEqual(6);
  const both = small.logicalAnd(a.greaterEqual(6)).logicalOr(a.less(0)).logicalNot();
  expect(new Set(await small.data())).toEqual(new Set([1]));
  expect(new Set(await both.data())).toEqual(new Set([0]));
});

test("later commands wait for custom kernels (PyOpenCL: they do not)", async () => {
  const slow = new ElementwiseKernel(
    "float *z",
    "float x = z[i]; for (int k = 0; k < 500; k++) x = sin(x) + k; z[i] = 7",
  );
  const z = loose.zeros([50_000], { dtype: "float32" });
  slow.launch(z);
  expect(new Set(await z.add(1).data())).toEqual(new Set([8]));
  slow.launch(z);
  z.assign(1);
  expect(new Set(await z.data())).toEqual(new Set([1]));
});
