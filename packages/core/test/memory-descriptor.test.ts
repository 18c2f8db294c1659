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

import { context, device, kernelOf, queue } from "./support/kernels.js";
import { needs } from "@cl/base/testing";
import { disposed } from "@cl/testing/core-errors";
import { outOfRange, wrongState, wrongType } from "@cl/testing/error-like";

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
    expect(matrix).toMatchObject({ nbytes: 128, size: 32 });
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
      expect(() => unknown.nbytes).toThrow(wrongState());
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
    expect(() => four.arrayInfoType).toThrow(outOfRange());
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

  test.each<[object, Error]>([
    [{ ndim: 1, shape: [2, 2] }, outOfRange("options.ndim")],
    [{ shape: [1.5] }, outOfRange("options.shape[0]")],
    [{ strides: [4], shape: [2, 2] }, outOfRange("options.strides")],
    [{ strides: "any", flat: true }, wrongType("options.strides")],
  ])("rejects the options %j", (options, error) => {
    expect(() => new GlobalMemoryType("float", options)).toThrow(error);
    expect(() => new LocalMemoryType("float5")).toThrow(wrongType("type"));
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

  const matrix = viewOf("float32", [2, 3], [12, 4]);
  test.each<[string, MemoryType, unknown]>([
    ["elements of a buffer", new GlobalMemoryType("int"), floats(8)],
    ["number of elements", new GlobalMemoryType("float", { shape: [4] }), floats(8)],
    ["axes of a buffer", new GlobalMemoryType("float", { ndim: 2 }), floats(8)],
    ["stride of a buffer", new GlobalMemoryType("float", { ndim: 1, strides: [8] }), floats(8)],
    ["multiple of the element size", new GlobalMemoryType("float3"), floats(6)],
    ["struct", new GlobalMemoryType(structType("s", { x: "float" })), floats(6)],
    ["elements of a view", new GlobalMemoryType("int32"), matrix],
    ["vector", new GlobalMemoryType("float2"), matrix],
    ["axes of a view", new GlobalMemoryType("float32", { ndim: 1 }), matrix],
    ["shape", new GlobalMemoryType("float32", { shape: [3, 2] }), matrix],
    ["number of flat elements", new GlobalMemoryType("float32", { shape: [3, 3], flat: true }), matrix],
    ["strides", new GlobalMemoryType("float32", { shape: [2, 3], strides: [4, 8] }), matrix],
    ["memory", new GlobalMemoryType("float"), new LocalMemory(4)],
  ])("is rejected with another %s", (_, type, value) => {
    expect(() => type.fromParam(value)).toThrow(wrongType("value"));
  });

  test("accepts the memory of a view if type, shape and strides agree", () => {
    const memory = floats(64);
    const view = viewOf("float32", [2, 3], [12, 4], memory);
    for (const type of [
      new GlobalMemoryType("float32"),
      new GlobalMemoryType(),
      new GlobalMemoryType("float32", { ndim: 2 }),
      new GlobalMemoryType("float32", { shape: [3, 2], flat: true }),
      new GlobalMemoryType("float32", { shape: [2, 3], strides: [12, 4] }),
    ]) {
      expect(type.fromParam(view)).toBe(memory);
    }
  });

  test("accepts non-contiguous or reversed memory only with matching strides", () => {
    const transposed = viewOf("float32", [3, 2], [4, 12]);
    const reversed = viewOf("float32", [3], [-4]);
    for (const view of [transposed, reversed]) {
      expect(() => new GlobalMemoryType("float32").fromParam(view)).toThrow(wrongType("value"));
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
    expect(() => type.fromParam({ [kernelArgument]: () => inside })).toThrow(outOfRange("value"));
    const bytes = { bytes: new Uint8Array(4) };
    expect(() => type.fromParam({ [kernelArgument]: () => bytes })).toThrow(wrongType("value"));
    const plain = { memory: floats(8) };
    expect(type.fromParam({ [kernelArgument]: () => plain })).toBe(plain.memory);
    const wrong = new GlobalMemoryType("float32", { shape: [4] });
    expect(() => wrong.fromParam({ [kernelArgument]: () => plain })).toThrow(wrongType("value"));
  });

  test("can be host memory if the descriptor has a context", (run) => {
    const array = Float32Array.of(1, 2, 3, 4);
    expect(() => new GlobalMemoryType("float").fromParam(array)).toThrow(wrongType("value"));
    needs(run, device.hostUnifiedMemory, `'${device.name}' shares no memory with the host`);
    const type = new GlobalMemoryType("float", { context, shape: [4] });
    const buffer = type.fromParam(array);
    expect(buffer.hostArray).toBe(array);
    // The same array is the same buffer: changes through one of two buffers would be invisible to the other.
    expect(type.fromParam(array)).toBe(buffer);
    buffer.release();
    expect(type.fromParam(array)).not.toBe(buffer);
    expect(() => type.fromParam(Int32Array.of(1, 2, 3, 4))).toThrow(wrongType("value"));
    expect(() => type.fromParam(new Float32Array(0))).toThrow(wrongType("value"));
    const complex = new GlobalMemoryType("complex64", { context });
    expect(complex.fromParam(ElementArray.from("complex64", [{ re: 1, im: 2 }])).size).toBe(8);
    expect(() => type.fromParam(ElementArray.from("complex64", [1, 2]))).toThrow(wrongType("value"));
  });

  test("from the host is passed to devices without shared memory only if they do not write", (run) => {
    needs(run, !device.hostUnifiedMemory, `'${device.name}' shares its memory with the host`);
    const array = Float32Array.of(1, 2, 3, 4);
    expect(() => new GlobalMemoryType("float", { context }).fromParam(array)).toThrow(wrongType("value"));
    expect(new ConstantMemoryType("float", { context }).fromParam(array).size).toBe(16);
  });

  test("is a size in bytes for local memory", () => {
    const tile = new LocalMemoryType("float", { shape: [4, 4] });
    expect(tile.allocation.bytes).toBe(64);
    expect(tile.fromParam(new LocalMemory(64)).bytes).toBe(64);
    expect(tile.fromParam(new LocalMemoryType("float", { shape: [4, 4] })).bytes).toBe(64);
    expect(() => tile.fromParam(new LocalMemory(60))).toThrow(outOfRange("value"));
    expect(() => new LocalMemoryType("float").fromParam(new LocalMemory(6))).toThrow(outOfRange("value"));
    expect(new LocalMemoryType().fromParam(new LocalMemory(6)).bytes).toBe(6);
    expect(() => tile.fromParam(new LocalMemoryType("int", { shape: [4, 4] }))).toThrow(wrongType("value"));
    expect(() => tile.fromParam(new LocalMemoryType("float", { shape: [16] }))).toThrow(TypeError);
    expect(() => new LocalMemoryType("float").allocation).toThrow(wrongState());
    for (const value of [null, 64, floats(4)]) {
      expect(() => tile.fromParam(value)).toThrow(wrongType("value"));
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
    const [all, two] = [new GlobalMemoryType("float", { shape: [8] }), new GlobalMemoryType("float", { ndim: 1 })];
    const kernel = typed(all, part, two);
    const sizes = { global: 8, local: 4 };
    const ints = DeviceBuffer.from(context, new Int32Array(8));
    for (const [name, ...args] of [
      ["argument 0", floats(4), part, floats(2)],
      ["argument 0", ints, part, floats(2)],
      ["argument 2", input(), part, viewOf("float32", [1, 2], [8, 4])],
      ["argument 2", input(), part, viewOf("float32", [2], [8])],
      ["argument 2", input(), part, null],
    ] as const) {
      expect(() => kernel.launch(queue, sizes, ...args)).toThrow(wrongType(name));
    }
    expect(() => kernel.launch(queue, sizes, input(), new LocalMemory(8), floats(2))).toThrow(outOfRange("argument 1"));
    expect(() => kernel.setArg("in", floats(4))).toThrow(wrongType("argument 0"));
    expect(() => kernel.bind(sizes, floats(4), part, floats(2))).toThrow(wrongType("argument 0"));
    const released = input();
    released.release();
    expect(() => kernel.launch(queue, sizes, released, part, floats(2))).toThrow(disposed());
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
    expect(() => typed(part, null, null)).toThrow(wrongType("argTypes[0]"));
    expect(() => typed(null, new GlobalMemoryType("float"), null)).toThrow(wrongType("argTypes[1]"));
    expect(() => typed(dtype("float"), null, null)).toThrow(wrongType("argTypes[0]"));
    const kernel = kernelOf("__kernel void f(float a, __global float *x) { x[0] = a; }");
    expect(() => (kernel.argTypes = [new GlobalMemoryType("float"), null])).toThrow(wrongType("argTypes[0]"));
    expect(() => (kernel.argTypes = [dtype("int"), null])).toThrow(wrongType("argTypes[0]"));
    kernel.argTypes = [dtype("float"), new GlobalMemoryType()];
    expect(kernel.argTypes).toEqual(["float", "__global void*"]);
    // The runtime's type applies where the descriptor has none.
    const ints = DeviceBuffer.from(context, Int32Array.of(1));
    expect(() => kernel.launch(queue, { global: 1 }, 1, ints)).toThrow(wrongType());
  });
});
