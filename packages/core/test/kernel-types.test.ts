import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DeviceBuffer, type KernelArgument, kernelArgument } from "@cl/core";
import { sample } from "@cl/testing/level";

import { outOfRange, wrongType } from "@cl/testing/error-like";
import { context, device, kernelOf, queue } from "./support/kernels.js";

const integers = [
  ["char", Int8Array, -(2 ** 7), 2 ** 7 - 1],
  ["uchar", Uint8Array, 0, 2 ** 8 - 1],
  ["short", Int16Array, -(2 ** 15), 2 ** 15 - 1],
  ["ushort", Uint16Array, 0, 2 ** 16 - 1],
  ["int", Int32Array, -(2 ** 31), 2 ** 31 - 1],
  ["uint", Uint32Array, 0, 2 ** 32 - 1],
] as const;
const bigints = [
  ["long", BigInt64Array, -(2n ** 63n), 2n ** 63n - 1n],
  ["ulong", BigUint64Array, 0n, 2n ** 64n - 1n],
] as const;
const maxFloat = 3.4028234663852886e38;
type Elements = (typeof integers | typeof bigints)[number][1] | Float32ArrayConstructor | Float64ArrayConstructor;

/** Creates a kernel that stores its argument, and returns a function that launches it and returns what it stores. */
function echo(type: string, elements: Elements, width = 1): (value: unknown) => unknown[] {
  const kernel = kernelOf(
    width === 1
      ? `__kernel void echo(${type} value, __global ${type} *out) { out[0] = value; }`
      : `__kernel void echo(${type}${width} value, __global ${type} *out) { vstore${width}(value, 0, out); }`,
  );
  const out = DeviceBuffer.empty(context, elements as Float32ArrayConstructor, width);
  return (value) => {
    kernel.launch(queue, { global: 1 }, value, out);
    return [...queue.readSync(out)];
  };
}

/** Checks that a kernel stores each value unchanged, or as `expected` returns it. */
function expectStored<T>(
  stored: (value: unknown) => unknown[],
  values: fc.Arbitrary<T>,
  expected?: (value: T) => unknown,
) {
  fc.assert(
    fc.property(values, (value) => {
      expect(stored(value)).toEqual([expected === undefined ? value : expected(value)]);
    }),
  );
}

describe.each(sample(integers, 3))("an argument of type %s", (type, elements, min, max) => {
  const stored = echo(type, elements);

  test("is passed exactly over its whole range", () => {
    for (const value of [min, min + 1, 0, 1, max - 1, max]) expect(stored(value)).toEqual([value]);
    expect(stored(-0)).toEqual([0]);
    expectStored(stored, fc.integer({ min, max }));
  });

  test("throws if the value is out of range instead of wrapping around, or of another type", () => {
    const limits = fc.constantFrom(min - 1, max + 1, 2 ** 40, 1.5, NaN, Infinity, -Infinity);
    fc.assert(
      fc.property(fc.oneof(fc.maxSafeInteger(), fc.double(), limits), (value) => {
        fc.pre(!(Number.isInteger(value) && value >= min && value <= max));
        expect(() => stored(value)).toThrow(RangeError);
      }),
    );
    for (const value of [1n, "1", true, null, undefined, [1], elements.of(1), {}]) {
      expect(() => stored(value)).toThrow(TypeError);
    }
  });
});

describe.each(bigints)("an argument of type %s", (type, elements, min, max) => {
  const stored = echo(type, elements);

  test("is passed exactly over its whole range, also from safe integers", () => {
    for (const value of [min, min + 1n, 0n, 2n ** 53n + 1n, max - 1n, max]) expect(stored(value)).toEqual([value]);
    expectStored(stored, fc.bigInt({ min, max }));
    const least = min === 0n ? 0 : Number.MIN_SAFE_INTEGER;
    for (const value of [least, 0, -0, 1, 2 ** 32 - 1, 2 ** 32, Number.MAX_SAFE_INTEGER]) {
      expect(stored(value)).toEqual([BigInt(value)]);
    }
    expectStored(stored, fc.integer({ min: least, max: Number.MAX_SAFE_INTEGER }), BigInt);
  });

  test("throws if the value is out of range, not a safe integer or of another type", () => {
    for (const value of [min - 1n, max + 1n, 2n ** 100n, 0.5, 2 ** 53, NaN, Infinity, min === 0n ? -1 : -(2 ** 53)]) {
      expect(() => stored(value)).toThrow(RangeError);
    }
    for (const value of ["1", null, undefined, [1n]]) expect(() => stored(value)).toThrow(TypeError);
  });
});

test("an argument of type float is rounded like Math.fround, and throws outside the range or of another type", () => {
  const stored = echo("float", Float32Array);
  for (const value of [0, -0, 1 / 3, maxFloat, -maxFloat, 2 ** -149, 2 ** -150, Infinity, -Infinity, NaN]) {
    expect(stored(value)).toEqual([Math.fround(value)]);
  }
  expectStored(stored, fc.double({ min: -maxFloat, max: maxFloat }), Math.fround);
  for (const value of [3.5e38, -1e300, Number.MAX_VALUE]) expect(() => stored(value)).toThrow(outOfRange());
  for (const value of [1n, "1", false, null, undefined, [1], Float32Array.of(1)]) {
    expect(() => stored(value)).toThrow(TypeError);
  }
});

test("an argument of type double is passed exactly", () => {
  expect(device.hasExtension("cl_khr_fp64")).toBe(true);
  const stored = echo("double", Float64Array);
  for (const value of [0, -0, Number.MIN_VALUE, Number.MAX_VALUE, Infinity, -Infinity, NaN]) {
    expect(stored(value)).toEqual([value]);
  }
  expectStored(stored, fc.double());
  expect(() => stored(1n)).toThrow(TypeError);
});

test("a half pointer accepts a Uint16Array buffer and no other 16-bit type", () => {
  const kernel = kernelOf(
    "__kernel void widen(__global const half *in, __global float *out) { out[0] = vload_half(0, in); }",
  );
  const out = DeviceBuffer.empty(context, Float32Array, 1);
  kernel.launch(queue, { global: 1 }, DeviceBuffer.from(context, Uint16Array.of(0x3c00)), out);
  expect(queue.readSync(out)).toEqual(Float32Array.of(1));
  const shorts = DeviceBuffer.from(context, Int16Array.of(1));
  expect(() => kernel.launch(queue, { global: 1 }, shorts, out)).toThrow(wrongType());
});

const vectorTypes = [
  ...integers.map(
    ([type, elements, min, max]) => [type, elements, (i: number) => (i % 2 === 0 ? min + i : max - i)] as const,
  ),
  ...bigints.map(
    ([type, elements, min, max]) =>
      [type, elements, (i: number) => (i % 2 === 0 ? min + BigInt(i) : max - BigInt(i))] as const,
  ),
  ["float", Float32Array, (i: number) => Math.fround(i / 3)] as const,
  ["double", Float64Array, (i: number) => -i / 3] as const,
];
const widths = [2, 3, 4, 8, 16];
const vectors = widths.flatMap((width) => vectorTypes.map((one) => [width, ...one] as const));

// dtype-battery.test.ts passes vectors of every type as a TypedValue.
test.each(sample(vectors, 4))(
  "a vector of %i numbers of type %s can be an array or a typed array, and has a fixed length",
  (width, type, elements, component) => {
    const stored = echo(type, elements, width);
    const components = Array.from({ length: width }, (_, i) => component(i));
    const reversed = components.toReversed();
    expect(stored(components)).toEqual(components);
    expect(stored((elements as { from(list: unknown[]): unknown }).from(reversed))).toEqual(reversed);
    for (const length of [0, 1, width - 1, width + 1, 17]) {
      expect(() => stored(Array.from({ length }, () => 0))).toThrow(TypeError);
      if (!(width === 3 && length === 4)) expect(() => stored(new elements(length))).toThrow(TypeError);
    }
  },
);

describe("the components of a vector", () => {
  test("are checked like scalars", () => {
    const stored = echo("uchar", Uint8Array, 4);
    expect(() => stored([0, 1, 256, 3])).toThrow(outOfRange());
    expect(() => stored([0, 1, 1.5, 3])).toThrow(RangeError);
    expect(() => stored([0, 1, 2n, 3])).toThrow(TypeError);
    // eslint-disable-next-line no-sparse-arrays
    expect(() => stored([0, , 2, 3])).toThrow(TypeError);
    const longs = echo("long", BigInt64Array, 2);
    expect(() => longs([1, 2.5])).toThrow(RangeError);
    expect(longs([1, 2n])).toEqual([1n, 2n]);
  });

  test("can be in shared memory, but not in a detached array or one of another type", () => {
    const stored = echo("float", Float32Array, 4);
    const shared = new Float32Array(new SharedArrayBuffer(16));
    shared.set([5, 6, 7, 8]);
    expect(stored(shared)).toEqual([5, 6, 7, 8]);
    const gone = new Float32Array(4);
    structuredClone(gone, { transfer: [gone.buffer] });
    const others = [new Int32Array(4), new Uint8Array(16), new Float64Array(2), new DataView(new ArrayBuffer(16))];
    for (const array of [gone, ...others]) expect(() => stored(array)).toThrow(wrongType());
    for (const value of [1, null, undefined, "0000", { length: 4 }]) expect(() => stored(value)).toThrow(TypeError);
  });

  test("do not overlap between arguments", () => {
    const kernel = kernelOf(`__kernel void pack(char3 a, float3 b, short2 c, __global float *out) {
      out[0] = a.x; out[1] = a.y; out[2] = a.z; out[3] = b.x; out[4] = b.y; out[5] = b.z; out[6] = c.x; out[7] = c.y; }`);
    const out = DeviceBuffer.empty(context, Float32Array, 8);
    kernel.launch(queue, { global: 1 }, [1, 2, 3], Float32Array.of(4, 5, 6), Int16Array.of(7, 8), out);
    expect([...queue.readSync(out)]).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test("of a 3-vector can include a fourth, which is ignored", () => {
    expect(echo("float", Float32Array, 3)(Float32Array.of(1, 2, 3, 4))).toEqual([1, 2, 3]);
  });
});

test("a struct by value can be any bytes of its declared size", () => {
  const kernel = kernelOf(`typedef struct { int a; float b; char c; } Thing;
    __kernel void echo(Thing thing, __global float *out) { out[0] = thing.a; out[1] = thing.b; out[2] = thing.c; }`);
  const bytes = (a: number, b: number, c: number): DataView<ArrayBuffer> => {
    const view = new DataView(new ArrayBuffer(12));
    view.setInt32(0, a, true);
    view.setFloat32(4, b, true);
    view.setInt8(8, c);
    return view;
  };
  const out = DeviceBuffer.empty(context, Float32Array, 3);
  const stored = (value: unknown): number[] => {
    kernel.launch(queue, { global: 1 }, value, out);
    return [...queue.readSync(out)];
  };
  const thing: KernelArgument = { [kernelArgument]: () => ({ bytes: bytes(10, 11, 12) }) };
  expect(stored(bytes(1, 2.5, -3))).toEqual([1, 2.5, -3]);
  expect(stored(new Uint8Array(bytes(4, 5.5, 6).buffer))).toEqual([4, 5.5, 6]);
  expect(stored(new Uint32Array(bytes(7, 8.5, 9).buffer))).toEqual([7, 8.5, 9]);
  expect(stored(thing)).toEqual([10, 11, 12]);
  for (const value of [1, null, undefined, {}, [1, 2, 3], new Uint8Array(0)]) {
    expect(() => stored(value)).toThrow(wrongType());
  }

  kernel.argTypes = [{ bytes: 12 }, null];
  expect(kernel.argTypes[0]).toBe("struct of 12 bytes");
  expect(stored(bytes(1, 2, 3))).toEqual([1, 2, 3]);
  expect(() => stored(new Uint8Array(8))).toThrow(wrongType());
});
