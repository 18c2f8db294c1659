/** Typed kernels with the classes that users have; what the parser reads is tested in typed/. */
import { expectTypeOf, test } from "vitest";
import type { CommandQueue, Context, DeviceBuffer, DeviceView, Svm, SvmAllocation, SvmArray } from "@cl/core";
import {
  type BoundKernel,
  type Kernel,
  type KernelArgument,
  kernelArgument,
  type KernelArgumentValue,
  LocalMemory,
  Program,
} from "@cl/core";

declare const context: Context;
declare const queue: CommandQueue;
declare const x: DeviceBuffer<Float32Array>;
declare const integers: DeviceBuffer<Int32Array>;
declare const bytes: DeviceBuffer;
declare const view: DeviceView<Float32Array>;
declare const integerView: DeviceView<Int32Array>;
declare const anyView: DeviceView;
declare const shared: SvmAllocation;
declare const sharedFloats: SvmArray<Float32Array>;
declare const sharedIntegers: Svm<Int32Array>;
declare const untypedSource: string;

const saxpySource = `
  __kernel void saxpy(float a, __global const float *x, __global float *y) {
    size_t i = get_global_id(0);
    y[i] += a * x[i];
  }`;
const program = new Program(context, saxpySource);
const saxpy = program.kernel("saxpy");
const sizes = { global: 3 };

test("the program of a source literal knows its kernels and their arguments", () => {
  expectTypeOf(program.kernel).parameter(0).toEqualTypeOf<"saxpy">();
  expectTypeOf(saxpy.launch).toBeCallableWith(queue, sizes, 2, x, x);
  expectTypeOf(saxpy.launch).toBeCallableWith(queue, null, 2, bytes, null);
  expectTypeOf(saxpy.enqueue).toBeCallableWith(queue, sizes, 2, x, x);
  expectTypeOf(saxpy.launchAndFinishSync).toBeCallableWith(queue, sizes, 2, x, x);
  expectTypeOf(saxpy.bind).toBeCallableWith(sizes, 2, x, x);
  expectTypeOf(saxpy.setArgs).toBeCallableWith(2, x, x);
  expectTypeOf(saxpy.capture).toBeCallableWith("script.mjs", queue, sizes, 2, x, x);
});

test("shared virtual memory is taken as buffers are, by the type of its elements", () => {
  expectTypeOf(saxpy.launch).toBeCallableWith(queue, sizes, 2, shared, sharedFloats);
  // @ts-expect-error: float * from integers.
  saxpy.launch(queue, sizes, 2, x, sharedIntegers);
});

test("a wrong kernel name is a compile error", () => {
  expectTypeOf(program.kernel).toBeCallableWith("saxpy");
  // @ts-expect-error: there is no such kernel.
  program.kernel("saxpi");
});

test("a missing and a surplus argument are compile errors, in every verb", () => {
  expectTypeOf(saxpy.setArgs).parameters.toHaveProperty("length").toEqualTypeOf<3>();
  // @ts-expect-error: y is missing.
  saxpy.launch(queue, sizes, 2, x);
  // @ts-expect-error: one too many.
  saxpy.launch(queue, sizes, 2, x, x, x);
  // @ts-expect-error: y is missing.
  saxpy.enqueue(queue, sizes, 2, x);
  // @ts-expect-error: y is missing.
  saxpy.launchAndFinishSync(queue, sizes, 2, x);
  // @ts-expect-error: y is missing.
  saxpy.bind(sizes, 2, x);
  // @ts-expect-error: y is missing.
  saxpy.setArgs(2, x);
  // @ts-expect-error: y is missing.
  void saxpy.capture("script.mjs", queue, sizes, 2, x);
});

test("a buffer of other elements, host memory and a number are compile errors for a pointer", () => {
  // @ts-expect-error: float * from an Int32Array's buffer.
  saxpy.launch(queue, sizes, 2, x, integers);
  // @ts-expect-error: float * from host memory.
  saxpy.launch(queue, sizes, 2, x, Float32Array.of(1));
  // @ts-expect-error: float * from a number.
  saxpy.launch(queue, sizes, 2, x, 1);
  // @ts-expect-error: float * from local memory.
  saxpy.launch(queue, sizes, 2, x, new LocalMemory(4));
  // @ts-expect-error: float * from a queue.
  saxpy.launch(queue, sizes, 2, x, queue);
  expectTypeOf(saxpy.setArgs).toBeCallableWith(2, x, integers.as(Float32Array));
});

test("a view is a pointer to its elements", () => {
  expectTypeOf(saxpy.launch).toBeCallableWith(queue, sizes, 2, view, view.slice("1:").transpose());
  expectTypeOf(saxpy.launch).toBeCallableWith(queue, sizes, 2, anyView, x);
  expectTypeOf(view.slice(0)).toEqualTypeOf<DeviceView<Float32Array>>();
  expectTypeOf(view.read(queue)).resolves.toEqualTypeOf<Float32Array<ArrayBuffer>>();
  expectTypeOf(view[kernelArgument]).returns.toExtend<KernelArgumentValue>();
  expectTypeOf(queue.enqueueMigrate).toBeCallableWith(view);
  // @ts-expect-error: float * from a view of an Int32Array's elements.
  saxpy.launch(queue, sizes, 2, view, integerView);
});

test("a string for long, a bigint for float and a string for anything are compile errors", () => {
  const count = new Program(
    context,
    "kernel void count(global int *bins, long seed, local uint *tile, float4 v) {}",
  ).kernel("count");
  const tile = new LocalMemory(64);
  expectTypeOf(count.setArgs).toBeCallableWith(integers, 1n, tile, [1, 2, 3, 4]);
  expectTypeOf(count.setArgs).toBeCallableWith(integers, 1n, tile, new Float32Array(4));
  // @ts-expect-error: long from a string.
  count.launch(queue, sizes, integers, "1", tile, [1, 2, 3, 4]);
  // @ts-expect-error: local memory from a number of bytes.
  count.launch(queue, sizes, integers, 1n, 64, [1, 2, 3, 4]);
  // @ts-expect-error: float4 from three.
  count.launch(queue, sizes, integers, 1n, tile, [1, 2, 3]);
  // @ts-expect-error: float from a bigint.
  saxpy.launch(queue, sizes, 2n, x, x);
  // @ts-expect-error: float from a string.
  saxpy.launch(queue, sizes, "2", x, x);
});

test("a kernel with a signature in each branch takes the arguments of one of them", () => {
  const f = new Program(
    context,
    `
    #ifdef DOUBLE
    kernel void f(global double *x, long n) {}
    #else
    kernel void f(global float *x, int n) {}
    #endif`,
  ).kernel("f");
  expectTypeOf(f.setArgs).toBeCallableWith(x, 1);
  expectTypeOf(f.setArgs).toBeCallableWith(x.as(Float64Array), 1n);
  f.bind(sizes, x, 1).launch(queue);
  // @ts-expect-error: floats and a bigint.
  f.launch(queue, sizes, x, 1n);
  // @ts-expect-error: integers.
  f.launch(queue, sizes, integers, 1);
});

test("an overloadable kernel is known by its mangled name only", () => {
  const overloaded = new Program(context, "kernel __attribute__((overloadable)) void f(int a) {}");
  expectTypeOf(overloaded.kernel("_Z1fi").setArgs).toBeCallableWith(1);
  // @ts-expect-error: the name in the source.
  overloaded.kernel("f");
  // @ts-expect-error: another kernel.
  overloaded.kernel("_Z1gi");
});

test("building keeps the type, whichever way", async () => {
  expectTypeOf(await program.build()).toEqualTypeOf(program);
  expectTypeOf(program.buildSync()).toEqualTypeOf(program);
  expectTypeOf((await new Program(context, saxpySource).build()).kernel("saxpy")).toEqualTypeOf(saxpy);
  // @ts-expect-error: there is no such kernel.
  (await program.build()).kernel("saxpi");
});

test("clones and bound kernels keep what they need of it", () => {
  expectTypeOf(saxpy.clone()).toEqualTypeOf(saxpy);
  expectTypeOf(saxpy.bind(sizes, 2, x, x)).toEqualTypeOf<BoundKernel>();
  expectTypeOf(saxpy).toExtend<Kernel<never>>();
});

test("a source that is only known as a string accepts every kernel with any arguments", () => {
  const untyped = new Program(context, untypedSource);
  untyped.kernel("anything").launch(queue, sizes, 1, 2n, x, [1, 2], null);
  untyped.kernel("anything").launch(queue, sizes);
  expectTypeOf(untyped.kernel).parameter(0).toEqualTypeOf<string>();
  expectTypeOf(Program.fromIL(context, new Uint8Array(4)).kernel)
    .parameter(0)
    .toEqualTypeOf<string>();
});

test("an object that stands for memory passes where its class says of what", () => {
  class Field implements KernelArgument {
    declare readonly "~argument": DeviceBuffer<Float32Array>["~argument"];
    [kernelArgument](): { memory: DeviceBuffer } {
      return { memory: x };
    }
  }
  expectTypeOf(saxpy.setArgs).toBeCallableWith(2, new Field(), x);
});
