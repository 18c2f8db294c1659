import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DeviceBuffer, type Kernel, type KernelArgument, kernelArgument } from "@cl/core";
import { errorLike } from "@cl/testing/error-like";

import { context, device, kernelOf, queue, thrownBy } from "./support/kernels.js";

type Numbers =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | Float32Array
  | Float64Array;
type BigInts = BigInt64Array | BigUint64Array;

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

/** Creates a kernel that stores its argument, and returns a function that launches it. */
function echo(
  type: string,
  Elements: {
    new (length: number): Numbers | BigInts;
    readonly BYTES_PER_ELEMENT: number;
    readonly prototype: Numbers | BigInts;
  },
  width = 1,
) {
  const kernel = kernelOf(
    width === 1
      ? `__kernel void echo(${type} value, __global ${type} *out) { out[0] = value; }`
      : `__kernel void echo(${type}${width} value, __global ${type} *out) { vstore${width}(value, 0, out); }`,
  );
  const out = DeviceBuffer.empty(context, Elements, width);
  /** Returns what a launch with this value stores. */
  return (value: unknown): unknown[] => {
    kernel.launch(queue, { global: 1 }, value, out);
    return [...(queue.readSync(out, Elements) as Float32Array)];
  };
}

describe.each(integers)("an argument of type %s", (type, Elements, min, max) => {
  const stored = echo(type, Elements);

  test("is passed exactly over its whole range", () => {
    for (const value of [min, min + 1, 0, 1, max - 1, max]) expect(stored(value)).toEqual([value]);
    fc.assert(
      fc.property(fc.integer({ min, max }), (value) => {
        expect(stored(value)).toEqual([value]);
      }),
    );
  });

  test("throws if the value is out of range instead of wrapping around", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.maxSafeInteger(),
          fc.double(),
          fc.constantFrom(min - 1, max + 1, 2 ** 40, 1.5, NaN, Infinity, -Infinity),
        ),
        (value) => {
          fc.pre(!(Number.isInteger(value) && value >= min && value <= max));
          expect(() => stored(value)).toThrow(RangeError);
        },
      ),
    );
    expect(thrownBy(() => stored(max + 1)).message).toBe(
      `argument 0 "value" (${type}) of kernel "echo" must be an integer from ${min} to ${max}, received number ${max + 1}`,
    );
  });

  test("accepts negative zero as zero", () => {
    expect(stored(-0)).toEqual([0]);
  });

  test("rejects values that are not numbers", () => {
    for (const value of [1n, "1", true, null, undefined, [1], Elements.of(1), {}]) {
      expect(() => stored(value)).toThrow(TypeError);
    }
    expect(thrownBy(() => stored(1n)).message).toBe(
      `argument 0 "value" (${type}) of kernel "echo" must be an integer, received bigint 1n`,
    );
  });
});

describe.each(bigints)("an argument of type %s", (type, Elements, min, max) => {
  const stored = echo(type, Elements);

  test("is passed exactly over its whole range", () => {
    for (const value of [min, min + 1n, 0n, 2n ** 53n + 1n, max - 1n, max]) expect(stored(value)).toEqual([value]);
    fc.assert(
      fc.property(fc.bigInt({ min, max }), (value) => {
        expect(stored(value)).toEqual([value]);
      }),
    );
  });

  test("throws if the value is out of range", () => {
    for (const value of [min - 1n, max + 1n, 2n ** 100n]) expect(() => stored(value)).toThrow(RangeError);
  });

  test("can be a safe integer", () => {
    const least = min === 0n ? 0 : Number.MIN_SAFE_INTEGER;
    for (const value of [least, 0, -0, 1, 2 ** 32 - 1, 2 ** 32, Number.MAX_SAFE_INTEGER]) {
      expect(stored(value)).toEqual([BigInt(value)]);
    }
    fc.assert(
      fc.property(fc.integer({ min: least, max: Number.MAX_SAFE_INTEGER }), (value) => {
        expect(stored(value)).toEqual([BigInt(value)]);
      }),
    );
  });

  test("rejects other numbers and other types", () => {
    for (const value of [0.5, 2 ** 53, NaN, Infinity, ...(min === 0n ? [-1] : [-(2 ** 53)])]) {
      expect(() => stored(value)).toThrow(RangeError);
    }
    for (const value of ["1", null, undefined, [1n]]) expect(() => stored(value)).toThrow(TypeError);
  });
});

describe("an argument of type float", () => {
  const stored = echo("float", Float32Array);

  test("is rounded to the nearest float, like Math.fround", () => {
    for (const value of [0, -0, 1 / 3, maxFloat, -maxFloat, 2 ** -149, 2 ** -150, Infinity, -Infinity, NaN]) {
      expect(stored(value)).toEqual([Math.fround(value)]);
    }
    fc.assert(
      fc.property(fc.double({ min: -maxFloat, max: maxFloat }), (value) => {
        expect(stored(value)).toEqual([Math.fround(value)]);
      }),
    );
  });

  test("throws if it is finite and exceeds the float range", () => {
    for (const value of [3.5e38, -1e300, Number.MAX_VALUE]) expect(() => stored(value)).toThrow(RangeError);
  });

  test("rejects values that are not numbers", () => {
    for (const value of [1n, "1", false, null, undefined, [1], Float32Array.of(1)]) {
      expect(() => stored(value)).toThrow(TypeError);
    }
  });
});

test("an argument of type double is passed exactly", () => {
  expect(device.hasExtension("cl_khr_fp64")).toBe(true);
  const stored = echo("double", Float64Array);
  for (const value of [0, -0, Number.MIN_VALUE, Number.MAX_VALUE, Infinity, -Infinity, NaN]) {
    expect(stored(value)).toEqual([value]);
  }
  fc.assert(
    fc.property(fc.double(), (value) => {
      expect(stored(value)).toEqual([value]);
    }),
  );
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
  expect(() => kernel.launch(queue, { global: 1 }, shorts, out)).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_TYPE"));
});

describe.each([2, 3, 4, 8, 16])("a vector of %i", (width) => {
  const cases = [
    ...integers.map(
      ([type, Elements, min, max]) => [type, Elements, (i: number) => (i % 2 === 0 ? min + i : max - i)] as const,
    ),
    ...bigints.map(
      ([type, Elements, min, max]) =>
        [type, Elements, (i: number) => (i % 2 === 0 ? min + BigInt(i) : max - BigInt(i))] as const,
    ),
    ["float", Float32Array, (i: number) => Math.fround(i / 3)] as const,
    ["double", Float64Array, (i: number) => -i / 3] as const,
  ];

  test.each(cases)(`of type %s can be an array or a typed array`, (type, Elements, component) => {
    const stored = echo(type, Elements, width);
    const components = Array.from({ length: width }, (_, i) => component(i));
    const reversed = components.toReversed();
    expect(stored(components)).toEqual(components);
    expect(stored((Elements as { from(list: unknown[]): unknown }).from(reversed))).toEqual(reversed);
  });

  test("rejects another number of components", () => {
    const stored = echo("float", Float32Array, width);
    for (const length of [0, 1, width - 1, width + 1, 17]) {
      expect(() => stored(Array.from({ length }, () => 0))).toThrow(TypeError);
      if (!(width === 3 && length === 4)) expect(() => stored(new Float32Array(length))).toThrow(TypeError);
    }
    expect(thrownBy(() => stored([])).message).toContain(
      `argument 0 "value" (float${width}) of kernel "echo" must be ${width} components`,
    );
  });
});

describe("the components of a vector", () => {
  test("are checked like scalars", () => {
    const stored = echo("uchar", Uint8Array, 4);
    expect(thrownBy(() => stored([0, 1, 256, 3])).message).toBe(
      'component 2 of argument 0 "value" (uchar4) of kernel "echo" must be an integer from 0 to 255, received number 256',
    );
    expect(() => stored([0, 1, 1.5, 3])).toThrow(RangeError);
    expect(() => stored([0, 1, 2n, 3])).toThrow(TypeError);
    // eslint-disable-next-line no-sparse-arrays
    expect(() => stored([0, , 2, 3])).toThrow(TypeError);
    expect(() => echo("long", BigInt64Array, 2)([1, 2.5])).toThrow(RangeError);
    expect(echo("long", BigInt64Array, 2)([1, 2n])).toEqual([1n, 2n]);
  });

  test("cannot be a typed array of another type", () => {
    const stored = echo("float", Float32Array, 4);
    for (const array of [
      new Int32Array(4),
      new Uint8Array(16),
      new Float64Array(2),
      new Float64Array(4),
      new DataView(new ArrayBuffer(16)),
    ]) {
      expect(() => stored(array)).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_TYPE"));
    }
    for (const value of [1, null, undefined, "0000", { length: 4 }]) expect(() => stored(value)).toThrow(TypeError);
  });

  test("can be in shared memory but not in a detached array", () => {
    const stored = echo("int", Int32Array, 2);
    const shared = new Int32Array(new SharedArrayBuffer(8));
    shared.set([5, 6]);
    expect(stored(shared)).toEqual([5, 6]);
    const gone = Int32Array.of(1, 2);
    structuredClone(gone, { transfer: [gone.buffer] });
    expect(() => stored(gone)).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_TYPE"));
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

  test("fill a large buffer, as in PyOpenCL's test of vector arguments", () => {
    const kernel = kernelOf("__kernel void fill(float4 x, __global float4 *out) { out[get_global_id(0)] = x; }");
    const out = DeviceBuffer.empty(context, Float32Array, 4 * 50_000);
    kernel.launch(queue, { global: 50_000 }, [1, 2, 3, 4], out);
    expect(queue.readSync(out).every((value, i) => value === (i % 4) + 1)).toBe(true);
  });
});

describe("a struct by value", () => {
  const source = `typedef struct { int a; float b; char c; } Thing;
    __kernel void echo(Thing thing, __global float *out) { out[0] = thing.a; out[1] = thing.b; out[2] = thing.c; }`;
  const bytes = (a: number, b: number, c: number): DataView => {
    const view = new DataView(new ArrayBuffer(12));
    view.setInt32(0, a, true);
    view.setFloat32(4, b, true);
    view.setInt8(8, c);
    return view;
  };
  const out = DeviceBuffer.empty(context, Float32Array, 3);
  const stored = (kernel: Kernel, value: unknown): number[] => {
    kernel.launch(queue, { global: 1 }, value, out);
    return [...queue.readSync(out)];
  };

  test("can be a DataView or any typed array", () => {
    const kernel = kernelOf(source);
    expect(stored(kernel, bytes(1, 2.5, -3))).toEqual([1, 2.5, -3]);
    expect(stored(kernel, new Uint8Array(bytes(4, 5.5, 6).buffer))).toEqual([4, 5.5, 6]);
    expect(stored(kernel, new Uint32Array(bytes(7, 8.5, 9).buffer))).toEqual([7, 8.5, 9]);
  });

  test("with a declared size rejects other sizes", () => {
    const kernel = kernelOf(source);
    kernel.argTypes = [{ bytes: 12 }, null];
    expect(kernel.argTypes[0]).toBe("struct of 12 bytes");
    expect(stored(kernel, bytes(1, 2, 3))).toEqual([1, 2, 3]);
    expect(thrownBy(() => stored(kernel, new Uint8Array(8))).message).toBe(
      'argument 0 "thing" (struct of 12 bytes) of kernel "echo" must be 12 bytes, received Uint8Array of 8 bytes',
    );
  });

  test("rejects numbers, null, plain objects and empty arrays", () => {
    const kernel = kernelOf(source);
    for (const value of [1, null, undefined, {}, [1, 2, 3], new Uint8Array(0)]) {
      expect(() => stored(kernel, value)).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_TYPE"));
    }
  });

  test("can be an object with a kernelArgument method", () => {
    const thing: KernelArgument = { [kernelArgument]: () => ({ bytes: bytes(10, 11, 12) }) };
    expect(stored(kernelOf(source), thing)).toEqual([10, 11, 12]);
  });
});
