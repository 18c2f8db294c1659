import { expectTypeOf, test } from "vitest";
import type { TypedArray } from "@cl/core";
import { Buffer, Image, Local, Program, Sampler } from "./fixtures.js";

const program = new Program(`
  __kernel void saxpy(float a, __global const float *x, __global float *y) {
    size_t i = get_global_id(0);
    y[i] += a * x[i];
  }
  __kernel void count(__global int *bins, long seed, __local uint *scratch, float4 bounds) {}
  __kernel void show(read_only image2d_t in, sampler_t how, __global uchar *out, __constant Settings *settings) {}`);

const saxpy = program.kernel("saxpy");
const count = program.kernel("count");
const show = program.kernel("show");
const queue = {};
const size = { global: 3 };
const floats = new Buffer<Float32Array>();
const integers = new Buffer<Int32Array>();
const bytes = new Buffer<Uint8Array>();
const anything = new Buffer();
const local = new Local();

test("arguments that fit compile", () => {
  expectTypeOf(saxpy.launch).toBeCallableWith(queue, size, 2, floats, floats);
  expectTypeOf(count.launch).toBeCallableWith(queue, size, integers, 1n, local, [0, 0, 1, 1]);
  expectTypeOf(count.launch).toBeCallableWith(queue, size, integers, 1n, local, Float32Array.of(0, 0, 1, 1));
  expectTypeOf(show.launch).toBeCallableWith(queue, size, new Image(), new Sampler(), bytes, floats);
});

test("a buffer of unknown elements and null fit every pointer into device memory", () => {
  expectTypeOf(saxpy.launch).toBeCallableWith(queue, size, 2, anything, null);
  expectTypeOf(show.launch).toBeCallableWith(
    queue,
    size,
    new Image(),
    new Sampler(),
    new Buffer<Uint8ClampedArray>(),
    anything,
  );
});

test("a buffer of known elements is a buffer, but not one of other elements", () => {
  expectTypeOf<Buffer<Float32Array>>().toExtend<Buffer>();
  expectTypeOf<Buffer>().toExtend<Buffer<Float32Array>>();
  expectTypeOf<Buffer<Float32Array>>().not.toExtend<Buffer<Int32Array>>();
});

test("a buffer is told apart by the names of its elements, which an error then shows", () => {
  expectTypeOf<Buffer<Int32Array>["~argument"]>().parameter(0).toEqualTypeOf<"Int32Array">();
  expectTypeOf<Buffer["~argument"]>().parameter(0).toEqualTypeOf<TypedArray[typeof Symbol.toStringTag]>();
});

test("a misspelled kernel name is an error", () => {
  expectTypeOf(program.kernel).parameter(0).toEqualTypeOf<"saxpy" | "count" | "show">();
  // @ts-expect-error: there is no such kernel.
  program.kernel("saxpi");
});

test("missing and surplus arguments are errors", () => {
  // @ts-expect-error: y is missing.
  expectTypeOf(saxpy.launch).toBeCallableWith(queue, size, 2, floats);
  // @ts-expect-error: one too many.
  expectTypeOf(saxpy.launch).toBeCallableWith(queue, size, 2, floats, floats, floats);
});

test("a buffer of other elements, an array and a number are not what a pointer takes", () => {
  // @ts-expect-error: float * from an Int32Array.
  expectTypeOf(saxpy.launch).toBeCallableWith(queue, size, 2, floats, integers);
  // @ts-expect-error: float * from host memory.
  expectTypeOf(saxpy.launch).toBeCallableWith(queue, size, 2, floats, Float32Array.of(1));
  // @ts-expect-error: float * from a number.
  expectTypeOf(saxpy.launch).toBeCallableWith(queue, size, 2, floats, 5);
  // @ts-expect-error: float * from local memory.
  expectTypeOf(saxpy.launch).toBeCallableWith(queue, size, 2, floats, local);
  // @ts-expect-error: float * from nothing.
  expectTypeOf(saxpy.launch).toBeCallableWith(queue, size, 2, floats, undefined);
  // @ts-expect-error: float * from any object.
  expectTypeOf(saxpy.launch).toBeCallableWith(queue, size, 2, floats, {});
});

test("a string for long, and a bigint for float, are errors", () => {
  // @ts-expect-error: long from a string.
  expectTypeOf(count.launch).toBeCallableWith(queue, size, integers, "1", local, [0, 0, 1, 1]);
  // @ts-expect-error: float from a bigint.
  expectTypeOf(saxpy.launch).toBeCallableWith(queue, size, 2n, floats, floats);
});

test("a vector of the wrong length or kind is an error", () => {
  // @ts-expect-error: float4 from three numbers.
  expectTypeOf(count.launch).toBeCallableWith(queue, size, integers, 1n, local, [0, 0, 1]);
  // @ts-expect-error: float4 from doubles.
  expectTypeOf(count.launch).toBeCallableWith(queue, size, integers, 1n, local, Float64Array.of(0, 0, 1, 1));
});

test("local memory, images and samplers are not exchanged for one another", () => {
  // @ts-expect-error: local memory from a buffer.
  expectTypeOf(count.launch).toBeCallableWith(queue, size, integers, 1n, integers, [0, 0, 1, 1]);
  // @ts-expect-error: a size of local memory cannot be null.
  expectTypeOf(count.launch).toBeCallableWith(queue, size, integers, 1n, null, [0, 0, 1, 1]);
  // @ts-expect-error: an image from a sampler.
  expectTypeOf(show.launch).toBeCallableWith(queue, size, new Sampler(), new Sampler(), bytes, floats);
  // @ts-expect-error: a sampler from an image.
  expectTypeOf(show.launch).toBeCallableWith(queue, size, new Image(), new Image(), bytes, floats);
});

test("a source known at run time only takes every name and all arguments", () => {
  const loaded = new Program(readSource()).kernel("whatever");
  expectTypeOf(loaded.launch).toBeCallableWith(queue, size, 1, 2n, floats, local, [1, 2], null);
  // @ts-expect-error: but not what no kernel could take.
  expectTypeOf(loaded.launch).toBeCallableWith(queue, size, "text");
});

declare function readSource(): string;
