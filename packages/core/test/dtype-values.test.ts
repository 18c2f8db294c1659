import { describe, expect, test } from "vitest";
import {
  DeviceBuffer,
  dtype,
  type DTypeValue,
  ElementArray,
  type KernelArgumentValue,
  kernelArgument,
  TypedValue,
} from "@cl/core";

import { context, kernelOf, queue, thrownBy } from "./support/kernels.js";

describe("a typed value", () => {
  test("has the value converted to its type", () => {
    expect(new TypedValue("float32", 0.1).value).toBe(Math.fround(0.1));
    expect(new TypedValue("complex64", 2).value).toEqual({ re: 2, im: 0 });
    expect(new TypedValue("float3", [1, 2, 3])).toMatchObject({ dtype: dtype("float3"), value: [1, 2, 3] });
  });

  test("passes the same bytes to each kernel", () => {
    const value = new TypedValue("int16", -2);
    const given = value[kernelArgument]() as Extract<KernelArgumentValue, { bytes: unknown }>;
    expect(given).toEqual({ bytes: Uint8Array.of(0xfe, 0xff), dtype: dtype("int16") });
    expect(value[kernelArgument]()).toBe(given);
  });

  test("throws for a parameter of another type with the same size", () => {
    const kernel = kernelOf("__kernel void f(int a, float2 b, __global float *out) { out[0] = a; out[1] = b.y; }");
    const out = DeviceBuffer.empty(context, Float32Array, 2);
    const complex = new TypedValue("complex64", { re: 1, im: 2 });
    kernel.launch(queue, { global: 1 }, new TypedValue("int", 7), complex, out);
    expect([...queue.readSync(out)]).toEqual([7, 2]);
    // opencl-for-python passes a float for an integer parameter with the same bits, which is a different number.
    expect(thrownBy(() => kernel.launch(queue, { global: 1 }, new TypedValue("float", 7), complex, out)).message).toBe(
      'argument 0 "a" (int) of kernel "f" must be of type int, received a value of type float32 (float)',
    );
    expect(() => kernel.launch(queue, { global: 1 }, 7, new TypedValue("int2", [1, 2]), out)).toThrow(/int2/);
    expect(() => kernel.launch(queue, { global: 1 }, 7, new TypedValue("double", 1), out)).toThrow(/float64/);
  });

  test("returned by a kernelArgument method must have a DType as its dtype", () => {
    const kernel = kernelOf("__kernel void f(int a) {}");
    const odd = { bytes: new Uint8Array(4), dtype: "int32" } as unknown as KernelArgumentValue;
    expect(() => kernel.launch(queue, { global: 1 }, { [kernelArgument]: () => odd })).toThrow(
      /whose dtype is a DType/,
    );
  });
});

describe("an array of elements", () => {
  test("reads and writes elements by index, including negative ones", () => {
    const array = new ElementArray("float3", 3);
    expect(array).toHaveLength(3);
    expect(array.bytes).toHaveLength(48);
    array.set(-1, [7, 8, 9]);
    array.set(0, [1, 2, 3]);
    expect([...array]).toEqual([
      [1, 2, 3],
      [0, 0, 0],
      [7, 8, 9],
    ]);
    expect(array.get(2)).toEqual([7, 8, 9]);
    expect(array.get(-3)).toEqual([1, 2, 3]);
    expect(array.array).toBeInstanceOf(Float32Array);
    expect(array.array).toBe(array.array);
    expect(new ElementArray("float3", 0)).toHaveLength(0);
  });

  test("uses the memory that it is given", () => {
    const halves = Uint16Array.of(0x3c00, 0xc000);
    const array = new ElementArray("half", halves);
    expect([...array]).toEqual([1, -2]);
    array.set(1, 0.5);
    expect(halves[1]).toBe(0x3800);
    const odd = new ElementArray("int32", new Uint8Array(new ArrayBuffer(9), 1, 8));
    odd.set(1, -1);
    expect([...odd]).toEqual([0, -1]);
    expect(() => odd.array).toThrow(/starts at byte 1 of its memory, which is not aligned for Int32Array/);
  });

  test("rejects invalid indices, values and memory", () => {
    const array = ElementArray.from("uint8", [1, 2]);
    for (const index of [2, -3, 0.5, "0", undefined]) {
      expect(() => array.get(index as number)).toThrow(/^index must be/);
    }
    expect(() => array.set(0, 256)).toThrow(/^value must be an integer from 0 to 255/);
    expect(() => ElementArray.from("uint8", [1, 256])).toThrow(/^values\[1\] must be an integer from 0 to 255/);
    expect(() => ElementArray.from("uint8", 5 as unknown as DTypeValue[])).toThrow(/^values must be an array/);
    expect(() => new ElementArray("float3", new Float32Array(6))).toThrow(/a whole number of float32x3 elements/);
    expect(() => new ElementArray("float3", "x" as never)).toThrow(/^memory must be a number of elements/);
    expect(() => new ElementArray("float64", 2 ** 40)).toThrow(/^memory must be/);
  });

  test("throws after its memory is detached", () => {
    const array = ElementArray.from("int32", [1, 2]);
    structuredClone(array.bytes, { transfer: [array.bytes.buffer as ArrayBuffer] });
    expect(() => array.get(0)).toThrow(/view must be a DataView whose memory is not detached/);
    expect(() => array.set(0, 1)).toThrow(TypeError);
  });
});
