import { expect, test } from "vitest";
import { DeviceBuffer, LocalMemory, Program } from "@cl/core";
import { outOfRange } from "@cl/testing/error-like";

import { context, queue } from "./support/kernels.js";

test("arguments that the type checker accepts work without a cast", async () => {
  const program = await new Program(
    context,
    `
    /* Comments and macros are no obstacle. */
    kernel void scale(const float a, global float *restrict x, local float *tile, long steps, uchar4 mask) {
      size_t i = get_global_id(0);
      tile[get_local_id(0)] = a * x[i] + steps;
      barrier(CLK_LOCAL_MEM_FENCE);
      x[i] = tile[get_local_id(0)] * mask.y;
    }
    __kernel __attribute__((reqd_work_group_size(1, 1, 1))) void copy(__global const int *from, __global int *to, uint n) {
      to[get_global_id(0)] = from[get_global_id(0)] + n;
    }`,
  ).build();
  const x = DeviceBuffer.from(context, Float32Array.of(1, 2, 3, 4));
  program.kernel("scale").launch(queue, { global: 4, local: 2 }, 10, x, new LocalMemory(8), 5n, [0, 2, 0, 0]);
  expect([...queue.readSync(x)]).toEqual([30, 50, 70, 90]);
  const y = DeviceBuffer.from(context, Int32Array.of(1, 2));
  program.kernel("copy").bind({ global: 2, local: 1 }, y, y, 40).launch(queue);
  expect([...queue.readSync(y)]).toEqual([41, 42]);
});

test("overloadable kernels have the mangled names of their types", async () => {
  const program = await new Program(
    context,
    `
    __kernel void __attribute__((overloadable)) add(global int *x, int a) { x[0] += a; }
    __attribute__((overloadable)) __kernel void add(global int *x, float a) { x[0] += 2 * a; }`,
  ).build();
  const x = DeviceBuffer.from(context, Int32Array.of(1));
  const names = program.kernelNames;
  expect(names).toHaveLength(2);
  for (const name of names) {
    expect(name).toMatch(/^_Z3add/);
    program.kernel(name as `_Z3add${string}`).launch(queue, { global: 1 }, x, 10);
  }
  expect([...queue.readSync(x)]).toEqual([31]);
  // @ts-expect-error: the name in the source.
  expect(() => program.kernel("add")).toThrow(outOfRange());
});
