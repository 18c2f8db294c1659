/** PyOpenCL's test_array.py, re-expressed: shapes, empty arrays, fills, and values of the host. */
import { DeviceType } from "@cl/core";
import { arrays, type DTypeName } from "@cl/array";
import { ImmediateAllocator, MemoryPool } from "@cl/tools";
import { expect, test } from "vitest";

import { needs } from "@cl/base/testing";
import { hasDoubles, queue, xp } from "../support/device.js";

const real = hasDoubles ? "float64" : "float32";

test("shapes accept every kind of JavaScript integer (test_numpy_integer_shape, …_various_shape_scalar_types)", () => {
  for (const shape of [[17], [17, 17], [2, 7, 1], 17]) {
    expect(xp.empty(shape, { dtype: "float32" }).shape).toEqual([shape].flat());
  }
  for (const wrong of [-1, 5.7, NaN, "7", 2n]) {
    for (const shape of [wrong, [wrong], [2, wrong], [wrong, 0]]) {
      expect(() => xp.empty(shape as number[], { dtype: "float32" }), String(shape)).toThrow(/shape/);
    }
  }
});

test("rejects negative dimensions, also next to zeros (test_negative_dim_rejection)", () => {
  for (const shape of [[-10], [-1, -1], [-1, 0], [-1, 1], [0, -1], [1, -1]]) {
    expect(() => xp.empty(shape)).toThrow(RangeError);
  }
});

test("empty arrays work (test_zero_size_array)", async () => {
  for (const shape of [[0], [3, 0, 2], [0, 5], [5, 0]]) {
    for (const order of ["C", "F"] as const) {
      const a = xp.zeros(shape, { dtype: "float32", order });
      a.assign(1);
      expect(a.size).toBe(0);
      expect(await a.add(a).add(1).data()).toHaveLength(0);
      expect(a.isContiguous).toBe(true);
      expect(a.reshape([-1], { order }).shape).toEqual([0]);
      expect(a.reshape([-1]).isContiguous).toBe(true);
      expect(xp.fromHost(new Float32Array(0), { shape }).shape).toEqual(shape);
    }
  }
  expect(await xp.zeros([], { dtype: "float32" }).data()).toEqual(Float32Array.of(0));
});

test("fills a large array and computes with it (test_zeros_large_array)", async (run) => {
  const { type, globalMemSize, maxMemAllocSize } = queue.device;
  const n = 2 ** 28 + 1;
  const fits = maxMemAllocSize >= 8 * n && globalMemSize >= 2 ** 35;
  needs(run, hasDoubles && type === DeviceType.GPU && fits, "this needs a GPU with 32 GiB of memory and float64");
  using a = xp.zeros([n]);
  a.assign(1);
  using b = a.mul(2).sub(3);
  expect([await a.slice(-1).item(), await b.slice(0).item(), await b.slice(-1).item()]).toEqual([1, -1, -1]);
});

test("fills arrays of each numeric dtype with zeros and values (test_vector_fill, for numbers)", async () => {
  const types: DTypeName[] = ["bool", "int8", "uint16", "int32", "float32", "complex64"];
  for (const dtype of types) {
    const a = xp.zeros([100], { dtype });
    expect(new Set([...(await a.data())].map(Number)), dtype).toEqual(new Set([0]));
    expect(a.dtype.name).toBe(dtype);
  }
  const c = xp.full([3], { re: 1, im: -2 }, { dtype: "complex64" });
  expect(await c.data()).toEqual(Float32Array.of(1, -2, 1, -2, 1, -2));
});

test("F-order arrays keep their values (test_stride_preservation)", async () => {
  const a = xp.arange(9, { dtype: "float32" }).reshape([3, 3]);
  const f = a.T.copy({ order: "F" });
  expect(f.strides).toEqual([4, 12]);
  expect(await f.toNested()).toEqual(await a.T.toNested());
});

test("memory comes from a pool, also for results (test_mem_pool_with_arrays)", async () => {
  const pool = new MemoryPool(new ImmediateAllocator(queue));
  const own = arrays(queue, { allocator: pool });
  const a = own.arange(2000, { dtype: "float32" });
  const b = own.fromHost(new Float32Array(2000));
  const sum = a.add(4000);
  expect([a, b, sum].map(({ xp: { allocator } }) => allocator)).toEqual([pool, pool, pool]);
  expect((await sum.data()).at(-1)).toBe(5999);
  expect(pool.activeBlocks).toBe(3);
});

test("length and size return the number of rows and elements (test_len)", () => {
  expect(xp.zeros([10], { dtype: real }).size).toBe(10);
});

test("an array can be described synchronously, without its values (test_str_without_queue)", () => {
  expect(String(xp.zeros([2, 3], { dtype: "float32" }))).toBe("DeviceArray { float32 [2, 3] }");
});
