import { expect, test } from "vitest";
import { DeviceBuffer, LocalMemory, Program } from "@cl/core";
import { errorLike } from "@cl/testing/error-like";

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

test("the types match the runtime's argument types", () => {
  const program = new Program(
    context,
    "kernel void f(unsigned int a, signed short b, unsigned long c, global uchar16 *d, constant void *e) {}",
  ).buildSync();
  const kernel = program.kernel("f");
  expect(kernel.argTypes.map((type) => type.replace(/\s/g, ""))).toEqual([
    "uint",
    "short",
    "ulong",
    "uchar16*",
    "void*",
  ]);
  const d = DeviceBuffer.from(context, new Uint8Array(16));
  kernel.launchAndFinishSync(
    queue,
    { global: 1 },
    4_000_000_000,
    -5,
    2n ** 64n - 1n,
    d,
    DeviceBuffer.from(context, new Float64Array(1)),
  );
  expect(() => kernel.launch(queue, { global: 1 }, -1, -5, 1n, d, null)).toThrow(RangeError);
  expect(() => kernel.launch(queue, { global: 1 }, 1, -5, -1n, d, null)).toThrow(RangeError);
});

test("ordinary code matches its types without a cast", async () => {
  const program = await new Program(
    context,
    `
    // Does it work?? (It does.)
    #ifndef ORDINARY_CL
    #define ORDINARY_CL
    #if 0
    This isn't compiled: kernel void gone(int a) {
    #endif
    kernel void declared(int a);
    extern kernel void named(int float3, int ulong, __global int *float2) {
      char separator = '\\\\';
      float2[0] = float3 + ulong + (separator == 92);
    }
    #ifdef WIDE
    kernel void branch(global double *x, long n)
    #else
    kernel void branch(global float *x, int n)
    #endif
    {
      x[0] = n;
    }
    kernel void inside(
    #ifdef WIDE
      global double *x,
    #else
      global float *x,
    #endif
      int n) {
      x[0] = n;
    }
    #endif`,
  ).build();
  expect(new Set(program.kernelNames)).toEqual(new Set(["named", "branch", "inside"]));
  const out = DeviceBuffer.empty(context, Int32Array, 1);
  const x = DeviceBuffer.empty(context, Float32Array, 1);
  const named = program.kernel("named");
  named.launch(queue, { global: 1 }, 40, 1, out);
  expect([...queue.readSync(out)]).toEqual([42]);
  expect(named.argNames).toEqual(["float3", "ulong", "float2"]);
  program.kernel("branch").launch(queue, { global: 1 }, x, 5);
  expect([...queue.readSync(x)]).toEqual([5]);
  program.kernel("inside").launch(queue, { global: 1 }, x, 6);
  expect([...queue.readSync(x)]).toEqual([6]);
  // @ts-expect-error: a prototype is not a kernel.
  expect(() => program.kernel("declared")).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE"));
});

test("named types accept the same values at run time", async () => {
  const program = await new Program(
    context,
    `
    typedef float real;
    typedef real scalar;
    typedef unsigned long index_t;
    typedef enum { FORWARD, BACKWARD = 5 } Mode;
    typedef int4 quad;
    #define DEVICE __global
    #define IN
    kernel void f(IN scalar a, DEVICE real *x, index_t n, Mode m, quad q) {
      x[0] = a + n + m + q.w;
    }`,
  ).build();
  const f = program.kernel("f");
  const x = DeviceBuffer.empty(context, Float32Array, 1);
  f.launch(queue, { global: 1 }, 0.5, x, 3n, 5, [1, 2, 3, 4]);
  expect([...queue.readSync(x)]).toEqual([12.5]);
  // @ts-expect-error: a string for ulong.
  expect(() => f.launch(queue, { global: 1 }, 0.5, x, "3", 5, [1, 2, 3, 4])).toThrow(TypeError);
  // @ts-expect-error: bytes for a float.
  expect(() => f.launch(queue, { global: 1 }, Float64Array.of(0.5), x, 3n, 5, [1, 2, 3, 4])).toThrow(TypeError);
  // @ts-expect-error: an Int32Array's buffer for real *.
  expect(() => f.setArgs(0.5, DeviceBuffer.from(context, Int32Array.of(1)), 3n, 5, [1, 2, 3, 4])).toThrow(TypeError);
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
  expect(() => program.kernel("add")).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE"));
});

test("arguments that the type checker rejects are rejected at run time, too", () => {
  const program = new Program(context, "kernel void f(float a, global float *x, long n) {}").buildSync();
  const x = DeviceBuffer.from(context, Float32Array.of(1));
  // @ts-expect-error: no kernel has this name.
  expect(() => program.kernel("g")).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE"));
  const f = program.kernel("f");
  // @ts-expect-error: n is missing.
  expect(() => f.launch(queue, { global: 1 }, 1, x)).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_VALUE"));
  // @ts-expect-error: a string for long.
  expect(() => f.launch(queue, { global: 1 }, 1, x, "1")).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_TYPE"));
  // @ts-expect-error: an Int32Array's buffer for float *.
  expect(() => f.launch(queue, { global: 1 }, 1, DeviceBuffer.from(context, Int32Array.of(1)), 1n)).toThrow(
    errorLike(TypeError, "ERR_INVALID_ARG_TYPE"),
  );
});
