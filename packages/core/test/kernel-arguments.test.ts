import { describe, expect, test } from "vitest";
import { DeviceBuffer, type Kernel, LocalMemory, OpenCLError, Program } from "@cl/core";

import { wrongType, wrongValue } from "@cl/testing/error-like";
import { context, floats, kernelOf, queue } from "./support/kernels.js";
import { needs } from "@cl/base/testing";

const saxpySource = `__kernel void saxpy(float a, __global const float *x, __global float *y) {
  size_t i = get_global_id(0);
  y[i] += a * x[i];
}`;
const saxpy = kernelOf(saxpySource);
const read = (buffer: DeviceBuffer): number[] => [...queue.readSync(buffer, Float32Array)];

/** The same kernel without argument information, as in programs from binaries on PoCL. */
async function kernelWithoutInfo(source: string): Promise<Kernel> {
  const binaries = await new Program(context, source).buildSync({ cache: false }).fetchBinaries();
  const known = new Map(
    [...binaries].flatMap(([device, binary]) => (binary === null ? [] : [[device, binary] as const])),
  );
  return Program.fromBinaries(context, known).buildSync().kernels()[0] as Kernel;
}

describe("scalar and buffer arguments", () => {
  test("are passed at each launch even though only changes reach the driver", () => {
    const x = floats(1);
    const y = floats(0);
    const z = floats(0);
    for (let i = 0; i < 100; i++) saxpy.launch(queue, { global: 1 }, i % 3, x, i % 2 === 0 ? y : z);
    const sum = (parity: number): number =>
      Array.from({ length: 100 }, (_, i) => (i % 2 === parity ? i % 3 : 0)).reduce((a, b) => a + b);
    expect(read(y)).toEqual([sum(0)]);
    expect(read(z)).toEqual([sum(1)]);
  });

  test("are copied when the launch is enqueued", () => {
    const kernel = kernelOf("__kernel void put(float4 v, __global float4 *out) { out[get_global_id(0)] = v; }");
    const vector = Float32Array.of(1, 2, 3, 4);
    const out = DeviceBuffer.empty(context, Float32Array, 8);
    kernel.launch(queue, { global: 1 }, vector, out);
    vector.fill(9);
    kernel.launch(queue, { global: 1, offset: 1 }, vector, out);
    expect(read(out)).toEqual([1, 2, 3, 4, 9, 9, 9, 9]);
  });
});

const sizes = { global: 1 };

/** All ways to pass arguments to a kernel. */
const passing: readonly ((kernel: Kernel, args: readonly unknown[]) => unknown)[] = [
  (kernel, args) => kernel.launch(queue, sizes, ...args),
  (kernel, args) => kernel.enqueue(queue, sizes, ...args),
  (kernel, args) => kernel.launchAndFinishSync(queue, sizes, ...args),
  (kernel, args) => kernel.setArgs(...args),
  (kernel, args) => kernel.bind(sizes, ...args),
];

test("a wrong number of arguments throws", () => {
  const x = floats(1);
  const none = kernelOf("__kernel void nothing(void) {}");
  none.launchAndFinishSync(queue, sizes);
  for (const pass of passing) {
    for (const args of [[], [2], [2, x, x, x]]) {
      expect(() => pass(saxpy, args)).toThrow(wrongValue());
    }
    expect(() => pass(none, [1])).toThrow(wrongValue());
  }
});

describe("a pointer argument", () => {
  const x = floats(1, 2);

  test("can be a buffer of the same element type or of untyped bytes, or is retyped", () => {
    const bytes = new DeviceBuffer(context, 8);
    queue.enqueueFill(bytes, Float32Array.of(1));
    saxpy.launch(queue, { global: 2 }, 1, x, bytes);
    expect(read(bytes)).toEqual([2, 3]);
    const integers = DeviceBuffer.from(context, Int32Array.of(0, 0));
    expect(() => saxpy.launch(queue, { global: 2 }, 1, x, integers)).toThrow(wrongType());
    saxpy.launchAndFinishSync(queue, { global: 2 }, 1, x, integers.as(Float32Array));
    expect(read(integers)).toEqual([1, 2]);
  });

  test("can be null", () => {
    const kernel = kernelOf(
      "__kernel void see(__global float *a, __constant float *b, __global int *out) { out[0] = (a == 0) + 2 * (b == 0); }",
    );
    const out = DeviceBuffer.from(context, new Int32Array(1));
    const seen = [
      [null, null],
      [x, null],
      [null, x],
      [x, x],
    ].map((args) => {
      kernel.launch(queue, sizes, ...args, out);
      return queue.readSync(out)[0];
    });
    expect(seen).toEqual([3, 2, 1, 0]);
    kernel.setArgs(null, x, out).launchWithSetArgs(queue, sizes);
    expect(queue.readSync(out)[0]).toBe(1);
  });

  test("can be a sub-buffer", () => {
    const start = queue.device.memBaseAddrAlign / 8 / Float32Array.BYTES_PER_ELEMENT;
    const whole = DeviceBuffer.from(context, new Float32Array(2 * start));
    saxpy.launch(queue, { global: 2 }, 1, x, whole.slice(start));
    expect(read(whole).slice(start - 2, start + 4)).toEqual([0, 0, 1, 2, 0, 0]);
  });
});

describe("a launch that fails on one argument", () => {
  test("leaves no mixture of old and new arguments", () => {
    const x = floats(1);
    const y = floats(0);
    saxpy.launch(queue, { global: 1 }, 1, x, y);
    expect(() => saxpy.launch(queue, { global: 1 }, 5, x, "y")).toThrow(TypeError);
    saxpy.launch(queue, { global: 1 }, 1, x, y);
    expect(read(y)).toEqual([2]);
  });
});

describe("arguments of unknown types", () => {
  test("accept buffers, null and typed arrays, and numbers and names once they are declared", async (run) => {
    const kernel = await kernelWithoutInfo(saxpySource);
    const reason = "this runtime has argument information for programs from binaries; see kernel-faults.test.ts";
    needs(run, kernel.argNames[0] === undefined, reason);
    expect(kernel.argNames).toEqual([undefined, undefined, undefined]);
    expect(kernel.argTypes).toEqual(["(unknown type)", "(unknown type)", "(unknown type)"]);
    const y = floats(1);
    kernel.launch(queue, sizes, Float32Array.of(2), floats(3), y);
    kernel.launch(queue, sizes, new DataView(Float32Array.of(2).buffer), floats(4), y);
    expect(read(y)).toEqual([15]);
    kernel.setArg(1, null);
    expect(() => kernel.setArg(0, new Float64Array(1))).toThrow(OpenCLError);
    // The type of a plain number is ambiguous.
    for (const value of [new Uint8Array(0), new Uint8Array(4096), 2, 2n, true, "2", undefined, [2], {}]) {
      expect(() => kernel.setArg(0, value)).toThrow(wrongType());
    }

    kernel.argTypes = ["float", "__global const float *", null];
    kernel.argNames = ["a", "x", undefined];
    expect(kernel.argTypes).toEqual(["float", "__global const float *", "(unknown type)"]);
    kernel.launch(queue, { global: "a" }, 1, floats(7), y);
    expect(read(y)).toEqual([22]);
    expect(() => kernel.launch(queue, sizes, 1n, y, y)).toThrow(wrongType());
    const integers = DeviceBuffer.from(context, new Int32Array(1));
    expect(() => kernel.launch(queue, sizes, 1, integers, y)).toThrow(wrongType());
  });

  test("can switch between memory and bytes at each launch", { tags: "ci" }, async () => {
    const kernel = await kernelWithoutInfo(
      "__kernel void f(__global int *out, float4 v) { out[0] = v.x; out[1] = out[1] + 1; }",
    );
    const out = DeviceBuffer.from(context, new Int32Array(2));
    const vector = Float32Array.of(1, 2, 3, 4);
    kernel.launch(queue, sizes, out, vector);
    expect(() => kernel.launch(queue, sizes, out, Float32Array.of(1, 2))).toThrow(/argument 1/);
    expect(() => kernel.launch(queue, sizes, new LocalMemory(4), vector)).toThrow(/argument 0/);
    expect(() => kernel.launch(queue, sizes, new BigInt64Array(1), vector)).toThrow(/argument 0/);
    kernel.launch(queue, { global: 1 }, out, Float32Array.of(5, 6, 7, 8));
    expect([...queue.readSync(out)]).toEqual([5, 2]);
  });

  test("are tracked separately for bound kernels and clones", { tags: "ci" }, async () => {
    const kernel = await kernelWithoutInfo("__kernel void f(__global int *out, float4 v) { out[0] += v.x; }");
    const out = DeviceBuffer.from(context, new Int32Array(1));
    const bound = kernel.bind({ global: 1 }, out, Float32Array.of(1, 0, 0, 0));
    const clone = kernel.clone();
    clone.launch(queue, { global: 1 }, out, Float32Array.of(10, 0, 0, 0));
    expect(() => kernel.setArg(1, new Float32Array(1))).toThrow(/argument 1/);
    bound.launch(queue);
    clone.launch(queue, { global: 1 }, out, Float32Array.of(100, 0, 0, 0));
    kernel.launch(queue, { global: 1 }, out, Float32Array.of(1000, 0, 0, 0));
    expect(queue.readSync(out)[0]).toBe(1111);
  });
});

describe("declared types", () => {
  test("cannot contradict the runtime", () => {
    const kernel = saxpy.clone();
    expect(() => (kernel.argTypes = ["int", null, null])).toThrow(wrongType("argTypes[0]"));
    expect(kernel.argTypes[0]).toBe("float");
    expect(kernel.argNames).toEqual(["a", "x", "y"]);
  });
});
