import { describe, expect, test } from "vitest";
import {
  ConstantMemoryType,
  type DeclaredType,
  DeviceBuffer,
  type DType,
  dtype,
  ElementArray,
  GlobalMemoryType,
  type KernelArgument,
  kernelArgument,
  LocalMemory,
  LocalMemoryType,
  MemoryType,
  structType,
} from "@cl/core";

import { context, device, kernelOf, queue, thrownBy } from "./support/kernels.js";
import { needs } from "@cl/base/testing";
import { errorLike } from "@cl/testing/error-like";

const floats = (length: number): DeviceBuffer => DeviceBuffer.from(context, new Float32Array(length));

/** How views and arrays of other packages are passed to kernels. */
function viewOf(type: string, shape: number[], strides: number[], memory = floats(64)): KernelArgument & object {
  const value = { memory };
  return { dtype: dtype(type), shape, strides, [kernelArgument]: () => value } as KernelArgument & { dtype: DType };
}

describe("a memory descriptor", () => {
  test("describes memory as C declaration, as text, and in bytes", () => {
    const matrix = new GlobalMemoryType("float32", { shape: [4, 8] });
    expect(matrix).toBeInstanceOf(MemoryType);
    expect(matrix).toMatchObject({ qualifier: "__global", isConst: false, ndim: 2, shape: [4, 8], flat: false });
    expect(matrix.cTypeString).toBe("__global float*");
    expect(matrix.dereference()).toBe(dtype("float32"));
    expect(matrix.nbytes).toBe(128);
    expect(matrix.size).toBe(32);
    expect(String(matrix)).toBe("__global float* of shape [4,8]");
    const constant = new ConstantMemoryType("float4");
    expect([constant.cTypeString, constant.isConst, constant.qualifier]).toEqual([
      "__constant float4*",
      true,
      "__constant",
    ]);
    expect(new GlobalMemoryType("uint8", { const: true }).cTypeString).toBe("__global const uchar*");
    expect(new LocalMemoryType("half", { shape: [3] }).cTypeString).toBe("__local half*");
    expect(new GlobalMemoryType().cTypeString).toBe("__global void*");
    expect(new GlobalMemoryType(null, { ndim: 3 }).dereference()).toBeUndefined();
    expect(String(new GlobalMemoryType("c8", { ndim: 3, flat: true }))).toBe("flat __global float2* with 3 axes");
    const particle = structType("particle", { x: "float" });
    expect(new GlobalMemoryType(particle).cTypeString).toBe("__global particle*");
  });

  test("has nbytes only if type and shape are known", () => {
    for (const unknown of [new GlobalMemoryType("float"), new GlobalMemoryType(null, { shape: [3] })]) {
      expect(() => unknown.nbytes).toThrow(errorLike(TypeError, "ERR_INVALID_STATE"));
    }
    expect(new GlobalMemoryType("float").size).toBeUndefined();
  });

  test("has types for companion parameters, for as many axes as these have room", () => {
    const cube = new GlobalMemoryType("float", { ndim: 3 });
    expect([cube.sizeType, cube.offsetType, cube.shapeType, cube.stridesType, cube.arrayInfoType]).toEqual(
      ["ulong", "uint", "uint4", "uint4", "uint32x8"].map(dtype),
    );
    const four = new GlobalMemoryType("float", { ndim: 4 });
    expect(four.shapeType).toBe(dtype("uint4"));
    // opencl-for-python overwrites the total size with the fourth extent.
    expect(() => four.arrayInfoType).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE"));
    const five = new GlobalMemoryType("float", { shape: [1, 1, 1, 1, 1] });
    expect(() => five.shapeType).toThrow(RangeError);
    expect(() => five.stridesType).toThrow(RangeError);
  });

  test("equals another descriptor of the same memory, and has the same key", () => {
    const make = [
      () => new GlobalMemoryType("float"),
      () => new GlobalMemoryType("float", { const: true }),
      () => new ConstantMemoryType("float"),
      () => new LocalMemoryType("float"),
      () => new GlobalMemoryType("int"),
      () => new GlobalMemoryType(),
      () => new GlobalMemoryType("float", { ndim: 2 }),
      () => new GlobalMemoryType("float", { shape: [2] }),
      () => new GlobalMemoryType("float", { shape: [2, 1] }),
      () => new GlobalMemoryType("float", { ndim: 2, flat: true }),
      () => new GlobalMemoryType("float", { strides: "any" }),
      () => new GlobalMemoryType("float", { ndim: 1, strides: [8] }),
      () => new GlobalMemoryType(structType("s", { x: "float" })),
      () => new GlobalMemoryType(structType("s", { x: "int" })),
    ];
    for (const [i, one] of make.entries()) {
      for (const [k, other] of make.entries()) {
        expect(one().equals(other())).toBe(i === k);
        expect(one().key === other().key).toBe(i === k);
      }
    }
    expect(new GlobalMemoryType("float", { context }).equals(new GlobalMemoryType(Float32Array))).toBe(true);
    expect(new GlobalMemoryType("float").equals("__global float*")).toBe(false);
  });

  test("with contradictory options throws", () => {
    const make = (options: object): string => thrownBy(() => new GlobalMemoryType("float", options)).message;
    expect(make({ ndim: 1, shape: [2, 2] })).toBe(
      "options.ndim must be the 2 axes of options.shape, received number 1",
    );
    expect(make({ shape: [1.5] })).toMatch(/^options.shape\[0\] must be an integer/);
    expect(make({ shape: 4 })).toMatch(/^options.shape must be an array/);
    expect(make({ ndim: -1 })).toMatch(/^options.ndim must be/);
    expect(make({ strides: [4], shape: [2, 2] })).toMatch(/^options.strides must be an array with one stride per axis/);
    expect(make({ strides: "C" })).toMatch(/^options.strides must be "contiguous", "any" or/);
    expect(make({ strides: "any", flat: true })).toMatch(/^options.strides must be omitted if options.flat/);
    expect(make({ flat: 1 })).toMatch(/^options.flat must be/);
    expect(make({ const: 1 })).toMatch(/^options.const must be/);
    expect(make({ context: {} })).toMatch(/^options.context must be a Context/);
    expect(thrownBy(() => new LocalMemoryType("float5")).message).toMatch(/^type must be the name of an element type/);
  });
});

describe("memory for a descriptor", () => {
  test("accepts a buffer of its elements, which has one axis", () => {
    const buffer = floats(8);
    expect(new GlobalMemoryType("float").fromParam(buffer)).toBe(buffer);
    expect(new GlobalMemoryType("float", { shape: [8] }).fromParam(buffer)).toBe(buffer);
    expect(new GlobalMemoryType("float", { ndim: 1, strides: [4] }).fromParam(buffer)).toBe(buffer);
    expect(new GlobalMemoryType("float4", { shape: [2] }).fromParam(buffer)).toBe(buffer);
    expect(new GlobalMemoryType("complex64", { shape: [4] }).fromParam(buffer)).toBe(buffer);
    expect(new ConstantMemoryType().fromParam(buffer)).toBe(buffer);
    expect(new GlobalMemoryType("float", { shape: [2, 4], flat: true }).fromParam(buffer)).toBe(buffer);
    const bytes = new DeviceBuffer(context, 32);
    expect(new GlobalMemoryType("double", { shape: [4] }).fromParam(bytes)).toBe(bytes);
    const halves = DeviceBuffer.from(context, Uint16Array.of(1, 2));
    expect(new GlobalMemoryType("half").fromParam(halves)).toBe(halves);
  });

  test("is rejected if element type, axes, shape or strides differ", () => {
    const messageOf = (type: MemoryType, value: unknown): string => thrownBy(() => type.fromParam(value)).message;
    expect(messageOf(new GlobalMemoryType("int"), floats(8))).toBe(
      "value must be __global int*, received a buffer of float32",
    );
    expect(messageOf(new GlobalMemoryType("float", { shape: [4] }), floats(8))).toBe(
      "value must be __global float* of shape [4], received a buffer of 8 elements",
    );
    expect(messageOf(new GlobalMemoryType("float", { ndim: 2 }), floats(8))).toMatch(/a buffer, which has 1 axis;/);
    expect(messageOf(new GlobalMemoryType("float", { ndim: 1, strides: [8] }), floats(8))).toMatch(
      /a stride of 4 bytes/,
    );
    expect(messageOf(new GlobalMemoryType("float3"), floats(6))).toMatch(
      /24 bytes, not a multiple of the element size/,
    );
    expect(messageOf(new GlobalMemoryType(structType("s", { x: "float" })), floats(6))).toMatch(/a buffer of float32/);
    for (const value of [null, undefined, 5, {}, queue, new LocalMemory(4), [1]]) {
      expect(messageOf(new GlobalMemoryType("float"), value)).toMatch(
        /^value must be memory that matches __global float\*/,
      );
    }
  });

  test("accepts the memory of a view if type, shape and strides agree", () => {
    const memory = floats(64);
    const view = viewOf("float32", [2, 3], [12, 4], memory);
    for (const type of [
      new GlobalMemoryType("float32"),
      new GlobalMemoryType(),
      new GlobalMemoryType("float32", { ndim: 2 }),
      new GlobalMemoryType("float32", { shape: [2, 3] }),
      new GlobalMemoryType("float32", { shape: [3, 2], flat: true }),
      new GlobalMemoryType("float32", { shape: [2, 3], strides: [12, 4] }),
    ]) {
      expect(type.fromParam(view)).toBe(memory);
    }
    const messageOf = (type: MemoryType, other: unknown = view): string =>
      thrownBy(() => type.fromParam(other)).message;
    expect(messageOf(new GlobalMemoryType("int32"))).toMatch(/received .*elements of type float32$/);
    expect(messageOf(new GlobalMemoryType("float2"))).toMatch(/received .*elements of type float32$/);
    expect(messageOf(new GlobalMemoryType("float32", { ndim: 1 }))).toMatch(/received 2 axes$/);
    expect(messageOf(new GlobalMemoryType("float32", { shape: [3, 2] }))).toMatch(/received shape \[2,3\]$/);
    expect(messageOf(new GlobalMemoryType("float32", { shape: [3, 3], flat: true }))).toMatch(/received 6 elements$/);
    expect(messageOf(new GlobalMemoryType("float32", { shape: [2, 3], strides: [4, 8] }))).toMatch(
      /received .*strides \[12,4\]/,
    );
  });

  test("accepts non-contiguous or reversed memory only with matching strides", () => {
    const transposed = viewOf("float32", [3, 2], [4, 12]);
    const reversed = viewOf("float32", [3], [-4]);
    for (const view of [transposed, reversed]) {
      expect(() => new GlobalMemoryType("float32").fromParam(view)).toThrow(
        errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "value"),
      );
      expect(() => new GlobalMemoryType("float32", { flat: true }).fromParam(view)).toThrow(TypeError);
      expect(new GlobalMemoryType("float32", { strides: "any" }).fromParam(view)).toBeInstanceOf(DeviceBuffer);
    }
    expect(new GlobalMemoryType("float32", { ndim: 1, strides: [-4] }).fromParam(reversed)).toBeInstanceOf(
      DeviceBuffer,
    );
    // With at most one element, no stride is ever used.
    const odd = viewOf("float32", [1, 4], [999, 4]);
    expect(new GlobalMemoryType("float32").fromParam(odd)).toBeInstanceOf(DeviceBuffer);
    expect(new GlobalMemoryType("float32").fromParam(viewOf("float32", [0, 3], [1, 1]))).toBeInstanceOf(DeviceBuffer);
  });

  test("rejects memory that starts inside its buffer, and objects with other protocol results", () => {
    const type = new GlobalMemoryType("float32");
    const inside = { memory: floats(8), byteOffset: 8 };
    expect(() => type.fromParam({ [kernelArgument]: () => inside })).toThrow(
      errorLike(RangeError, "ERR_OUT_OF_RANGE", "value"),
    );
    const bytes = { bytes: new Uint8Array(4) };
    expect(() => type.fromParam({ [kernelArgument]: () => bytes })).toThrow(
      errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "value"),
    );
    const plain = { memory: floats(8) };
    expect(type.fromParam({ [kernelArgument]: () => plain })).toBe(plain.memory);
    const wrong = new GlobalMemoryType("float32", { shape: [4] });
    expect(() => wrong.fromParam({ [kernelArgument]: () => plain })).toThrow(
      errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "value"),
    );
  });

  test("can be host memory if the descriptor has a context", (run) => {
    const array = Float32Array.of(1, 2, 3, 4);
    expect(() => new GlobalMemoryType("float").fromParam(array)).toThrow(
      errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "value"),
    );
    needs(run, device.hostUnifiedMemory, `'${device.name}' shares no memory with the host`);
    const type = new GlobalMemoryType("float", { context, shape: [4] });
    const buffer = type.fromParam(array);
    expect(buffer.hostArray).toBe(array);
    // The same array is the same buffer: changes through one of two buffers would be invisible to the other.
    expect(type.fromParam(array)).toBe(buffer);
    buffer.release();
    expect(type.fromParam(array)).not.toBe(buffer);
    expect(() => type.fromParam(Int32Array.of(1, 2, 3, 4))).toThrow(
      errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "value"),
    );
    expect(() => type.fromParam(new Float32Array(0))).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "value"));
    const complex = new GlobalMemoryType("complex64", { context });
    expect(complex.fromParam(ElementArray.from("complex64", [{ re: 1, im: 2 }])).size).toBe(8);
    expect(() => type.fromParam(ElementArray.from("complex64", [1, 2]))).toThrow(
      errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "value"),
    );
  });

  test("from the host is passed to devices without shared memory only if they do not write", (run) => {
    needs(run, !device.hostUnifiedMemory, `'${device.name}' shares its memory with the host`);
    const array = Float32Array.of(1, 2, 3, 4);
    expect(() => new GlobalMemoryType("float", { context }).fromParam(array)).toThrow(/shares no memory with the host/);
    expect(new ConstantMemoryType("float", { context }).fromParam(array).size).toBe(16);
  });

  test("is a size in bytes for local memory", () => {
    const tile = new LocalMemoryType("float", { shape: [4, 4] });
    expect(tile.allocation.bytes).toBe(64);
    expect(tile.fromParam(new LocalMemory(64)).bytes).toBe(64);
    expect(tile.fromParam(new LocalMemoryType("float", { shape: [4, 4] })).bytes).toBe(64);
    expect(thrownBy(() => tile.fromParam(new LocalMemory(60))).message).toBe(
      "value must be 64 bytes of local memory (__local float* of shape [4,4]), received number 60",
    );
    expect(() => new LocalMemoryType("float").fromParam(new LocalMemory(6))).toThrow(
      errorLike(RangeError, "ERR_OUT_OF_RANGE", "value"),
    );
    expect(new LocalMemoryType().fromParam(new LocalMemory(6)).bytes).toBe(6);
    expect(() => tile.fromParam(new LocalMemoryType("int", { shape: [4, 4] }))).toThrow(
      errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "value"),
    );
    expect(() => tile.fromParam(new LocalMemoryType("float", { shape: [16] }))).toThrow(TypeError);
    expect(() => new LocalMemoryType("float").allocation).toThrow(errorLike(TypeError, "ERR_INVALID_STATE"));
    for (const value of [null, 64, floats(4)]) {
      expect(() => tile.fromParam(value)).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "value"));
    }
  });
});

describe("a kernel with descriptors as argument types", () => {
  const source = `
    __kernel void sum(__global const float *in, __local float *part, __global float *out) {
      size_t i = get_local_id(0);
      part[i] = in[get_global_id(0)];
      barrier(CLK_LOCAL_MEM_FENCE);
      if (i == 0) {
        float all = 0;
        for (size_t k = 0; k < get_local_size(0); k++) all += part[k];
        out[get_group_id(0)] = all;
      }
    }`;
  const typed = (...types: DeclaredType[]): ReturnType<typeof kernelOf> => {
    const kernel = kernelOf(source);
    kernel.argTypes = types;
    return kernel;
  };
  const part = new LocalMemoryType("float", { shape: [4] });
  const input = (): DeviceBuffer => DeviceBuffer.from(context, Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8));

  test("accepts what they describe", () => {
    const kernel = typed(
      new GlobalMemoryType("float", { shape: [2, 4], const: true, flat: true }),
      part,
      new GlobalMemoryType("float", { shape: [2] }),
    );
    expect(kernel.argTypes).toEqual(["__global const float*", "__local float*", "__global float*"]);
    const out = floats(2);
    kernel.launch(queue, { global: 8, local: 4 }, input(), part, out);
    expect([...queue.readSync(out, Float32Array)]).toEqual([10, 26]);
    kernel.launch(
      queue,
      { global: 8, local: 4 },
      viewOf("float32", [2, 4], [16, 4], input()),
      new LocalMemory(16),
      out,
    );
    expect([...queue.readSync(out, Float32Array)]).toEqual([10, 26]);
    const bound = kernel.bind({ global: 8, local: 4 }, input(), part, out);
    bound.launch(queue);
    kernel.setArgs(input(), part, out).launchWithSetArgs(queue, { global: 8, local: 4 });
    queue.finishSync();
  });

  test("rejects mismatches before the driver is called, and names the argument", () => {
    const kernel = typed(
      new GlobalMemoryType("float", { shape: [8] }),
      part,
      new GlobalMemoryType("float", { ndim: 1 }),
    );
    const launch = (...args: unknown[]): string =>
      thrownBy(() => kernel.launch(queue, { global: 8, local: 4 }, ...args)).message;
    expect(launch(floats(4), part, floats(2))).toBe(
      'argument 0 "in" (__global float*) of kernel "sum" must be __global float* of shape [8], received a buffer of 4 elements',
    );
    const ints = DeviceBuffer.from(context, new Int32Array(8));
    expect(launch(ints, part, floats(2))).toMatch(/^argument 0 "in" .* received a buffer of int32$/);
    expect(launch(input(), new LocalMemory(8), floats(2))).toMatch(
      /^argument 1 "part" .* must be 16 bytes of local memory/,
    );
    expect(launch(input(), part, viewOf("float32", [1, 2], [8, 4]))).toMatch(/^argument 2 "out" .* received 2 axes$/);
    expect(launch(input(), part, viewOf("float32", [2], [8]))).toMatch(
      /argument 2 "out" .* that is contiguous in C order/,
    );
    expect(launch(input(), part, null)).toMatch(/^argument 2 "out" .* must be memory that matches/);
    expect(() => kernel.setArg("in", floats(4))).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_TYPE"));
    expect(() => kernel.bind({ global: 8, local: 4 }, floats(4), part, floats(2))).toThrow(
      errorLike(TypeError, "ERR_INVALID_ARG_TYPE"),
    );
    const released = input();
    released.release();
    expect(launch(released, part, floats(2))).toMatch(/argument 0 "in"/);
  });

  test("uses host memory if the descriptor has a context", (run) => {
    needs(run, device.hostUnifiedMemory, `'${device.name}' shares no memory with the host`);
    const out = new Float32Array(2);
    const kernel = typed(
      new GlobalMemoryType("float", { context, const: true }),
      null,
      new GlobalMemoryType("float", { context }),
    );
    kernel.launch(queue, { global: 8, local: 4 }, Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8), part, out);
    // Mapping makes the device's writes visible to the host.
    const wrapped = new GlobalMemoryType("float", { context }).fromParam(out);
    queue.mapSync(wrapped, { access: "read" }).release();
    expect([...out]).toEqual([10, 26]);
  });

  test("accepts local memory of known shape in launches without type arguments", () => {
    const out = floats(2);
    kernelOf(source).launch(queue, { global: 8, local: 4 }, input(), part, out);
    expect([...queue.readSync(out, Float32Array)]).toEqual([10, 26]);
  });

  test("rejects descriptors of another kind of parameter", () => {
    const names = (types: DeclaredType[]): string => thrownBy(() => typed(...types)).message;
    expect(names([part, null, null])).toMatch(/^argTypes\[0\] must be a type compatible with float\s?\*/);
    expect(names([null, new GlobalMemoryType("float"), null])).toMatch(/^argTypes\[1\] must be a type compatible/);
    expect(names([dtype("float"), null, null])).toMatch(/^argTypes\[0\] must be a type compatible/);
    const kernel = kernelOf("__kernel void f(float a, __global float *x) { x[0] = a; }");
    expect(() => (kernel.argTypes = [new GlobalMemoryType("float"), null])).toThrow(
      errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "argTypes[0]"),
    );
    expect(() => (kernel.argTypes = [dtype("int"), null])).toThrow(
      errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "argTypes[0]"),
    );
    kernel.argTypes = [dtype("float"), new GlobalMemoryType()];
    expect(kernel.argTypes).toEqual(["float", "__global void*"]);
    // The runtime's type applies where the descriptor has none.
    const ints = DeviceBuffer.from(context, Int32Array.of(1));
    expect(() => kernel.launch(queue, { global: 1 }, 1, ints)).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_TYPE"));
  });
});
