import { describe, expect, test } from "vitest";
import { dtype, ElementArray, type KernelArgumentValue, kernelArgument, TypedValue } from "@cl/core";

import { outOfRange, wrongType } from "@cl/testing/error-like";
import { kernelOf, queue } from "./support/kernels.js";

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

  test("returned by a kernelArgument method must have a DType as its dtype", () => {
    const kernel = kernelOf("__kernel void f(int a) {}");
    const odd = { bytes: new Uint8Array(4), dtype: "int32" } as unknown as KernelArgumentValue;
    expect(() => kernel.launch(queue, { global: 1 }, { [kernelArgument]: () => odd })).toThrow(wrongType());
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
    expect(() => odd.array).toThrow(outOfRange());
  });

  test("rejects invalid indices, values and memory", () => {
    const array = ElementArray.from("uint8", [1, 2]);
    for (const [call, argument] of [
      [() => array.get(2), "index"],
      [() => array.get(-3), "index"],
      [() => array.set(0, 256), "value"],
      [() => ElementArray.from("uint8", [1, 256]), "values[1]"],
    ] as const) {
      expect(call).toThrow(outOfRange(argument));
    }
    expect(() => new ElementArray("float3", new Float32Array(6))).toThrow(RangeError);
    expect(() => new ElementArray("float64", 2 ** 40)).toThrow(RangeError);
  });

  test("throws after its memory is detached", () => {
    const array = ElementArray.from("int32", [1, 2]);
    structuredClone(array.bytes, { transfer: [array.bytes.buffer as ArrayBuffer] });
    const detached = wrongType("view");
    expect(() => array.get(0)).toThrow(detached);
    expect(() => array.set(0, 1)).toThrow(detached);
  });
});
