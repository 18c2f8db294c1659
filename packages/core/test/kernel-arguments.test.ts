import { describe, expect, test } from "vitest";
import { CommandQueue, Context, DeviceBuffer, DisposedError, type Kernel, LocalMemory, Program } from "@cl/core";

import { context, kernelOf, queue, thrownBy } from "./support/kernels.js";
import { needs } from "@cl/base/testing";
import { OpenCLError } from "@cl/core";
import { errorLike } from "@cl/testing/error-like";

const saxpySource = `__kernel void saxpy(float a, __global const float *x, __global float *y) {
  size_t i = get_global_id(0);
  y[i] += a * x[i];
}`;
const saxpy = kernelOf(saxpySource);
const floats = (...values: number[]): DeviceBuffer => DeviceBuffer.from(context, Float32Array.from(values));
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
  test("are passed in the order of the parameters", () => {
    const y = floats(10, 20, 30);
    saxpy.launch(queue, { global: 3 }, 2, floats(1, 2, 3), y);
    expect(read(y)).toEqual([12, 24, 36]);
  });

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

describe("a wrong number of arguments", () => {
  test("throws an error that lists the parameters", () => {
    const x = floats(1);
    const error = thrownBy(() => saxpy.launch(queue, { global: 1 }, 2, x));
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toMatch(
      /^kernel "saxpy" takes 3 arguments \(float a, float\s?\* x, float\s?\* y\), received 2$/,
    );
    for (const args of [[], [2], [2, x, x, x]]) {
      expect(() => saxpy.launch(queue, { global: 1 }, ...args)).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_VALUE"));
      expect(() => saxpy.enqueue(queue, { global: 1 }, ...args)).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_VALUE"));
      expect(() => saxpy.launchAndFinishSync(queue, { global: 1 }, ...args)).toThrow(
        errorLike(TypeError, "ERR_INVALID_ARG_VALUE"),
      );
      expect(() => saxpy.setArgs(...args)).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_VALUE"));
      expect(() => saxpy.bind({ global: 1 }, ...args)).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_VALUE"));
    }
  });

  test("throws for a kernel without parameters", () => {
    const kernel = kernelOf("__kernel void nothing(void) {}");
    kernel.launchAndFinishSync(queue, { global: 1 });
    expect(() => kernel.launch(queue, { global: 1 }, 1)).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_VALUE"));
    expect(thrownBy(() => kernelOf("__kernel void one(int a) {}").launch(queue, { global: 1 })).message).toMatch(
      /takes 1 argument \(int a\), received 0/,
    );
  });
});

describe("a pointer argument", () => {
  const x = floats(1, 2);

  test("can be a buffer of the same element type or of untyped bytes", () => {
    const bytes = new DeviceBuffer(context, 8);
    queue.enqueueFill(bytes, Float32Array.of(1));
    saxpy.launch(queue, { global: 2 }, 1, x, bytes);
    expect(read(bytes)).toEqual([2, 3]);
  });

  test("cannot be a buffer of another element type unless it is retyped", () => {
    const integers = DeviceBuffer.from(context, Int32Array.of(0, 0));
    expect(thrownBy(() => saxpy.launch(queue, { global: 2 }, 1, x, integers)).message).toMatch(
      /^argument 2 "y" \(float\s?\*\) of kernel "saxpy" .*float \(Float32Array\).*int \(Int32Array\)/,
    );
    saxpy.launchAndFinishSync(queue, { global: 2 }, 1, x, integers.as(Float32Array));
    expect(read(integers)).toEqual([1, 2]);
  });

  test("can be null", () => {
    const kernel = kernelOf(
      "__kernel void see(__global float *a, __constant float *b, __global int *out) { out[0] = (a == 0) + 2 * (b == 0); }",
    );
    const out = DeviceBuffer.from(context, new Int32Array(1));
    const seen = (...args: unknown[]): number => {
      kernel.launch(queue, { global: 1 }, ...args, out);
      return queue.readSync(out)[0] as number;
    };
    expect(seen(null, null)).toBe(3);
    expect(seen(x, null)).toBe(2);
    expect(seen(null, x)).toBe(1);
    expect(seen(x, x)).toBe(0);
    kernel.setArgs(null, x, out).launchWithSetArgs(queue, { global: 1 });
    expect(queue.readSync(out)[0]).toBe(1);
  });

  test("cannot be host memory, a number or any other object", () => {
    for (const value of [
      Float32Array.of(1, 2),
      new ArrayBuffer(8),
      0,
      1n,
      undefined,
      {},
      [],
      "x",
      x.pointer,
      queue,
      context,
      saxpy,
      new LocalMemory(4),
    ]) {
      expect(() => saxpy.launch(queue, { global: 1 }, 1, value, x)).toThrow(
        errorLike(TypeError, "ERR_INVALID_ARG_TYPE"),
      );
    }
  });

  test("can be a sub-buffer", () => {
    const start = queue.device.memBaseAddrAlign / 8 / Float32Array.BYTES_PER_ELEMENT;
    const whole = DeviceBuffer.from(context, new Float32Array(2 * start));
    saxpy.launch(queue, { global: 2 }, 1, x, whole.slice(start));
    expect(read(whole).slice(start - 2, start + 4)).toEqual([0, 0, 1, 2, 0, 0]);
  });

  test("cannot be a buffer of another context", () => {
    const other = new Context([queue.device]);
    const foreign = DeviceBuffer.from(other, Float32Array.of(1));
    for (const call of [
      () => saxpy.launch(queue, { global: 1 }, 1, foreign, x),
      () => saxpy.bind({ global: 1 }, 1, foreign, x),
      () => saxpy.setArg("x", foreign),
      () => saxpy.setArgs(1, foreign, x),
    ]) {
      expect(call).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_VALUE"));
    }
    expect(() => saxpy.launch(new CommandQueue(other), { global: 1 }, 1, x, x)).toThrow(
      errorLike(TypeError, "ERR_INVALID_ARG_VALUE"),
    );
  });

  test("cannot be a released buffer, and the error names the argument", () => {
    const gone = floats(1);
    gone.label = "old";
    gone.release();
    for (const call of [
      () => saxpy.launch(queue, { global: 1 }, 1, x, gone),
      () => saxpy.enqueue(queue, { global: 1 }, 1, x, gone),
      () => saxpy.setArg(2, gone),
      () => saxpy.setArgs(1, x, gone),
      () => saxpy.bind({ global: 1 }, 1, x, gone),
    ]) {
      const error = thrownBy(call);
      expect(error).toBeInstanceOf(DisposedError);
      expect(error.message).toMatch(
        /^argument 2 "y" \(float\s?\*\) of kernel "saxpy": DeviceBuffer "old" has been released$/,
      );
    }
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
  const hasArgumentInfo =
    "this runtime has argument information for programs from binaries; kernel-faults.test.ts tests one without it";

  test("have neither names nor types", async (run) => {
    const kernel = await kernelWithoutInfo(saxpySource);
    needs(run, kernel.argNames[0] === undefined, hasArgumentInfo);
    expect(kernel.argNames).toEqual([undefined, undefined, undefined]);
    expect(kernel.argTypes).toEqual(["(unknown type)", "(unknown type)", "(unknown type)"]);
  });

  test("accept buffers, null and typed arrays of the argument's size", async (run) => {
    const kernel = await kernelWithoutInfo(saxpySource);
    needs(run, kernel.argNames[0] === undefined, hasArgumentInfo);
    const y = floats(1);
    kernel.launch(queue, { global: 1 }, Float32Array.of(2), floats(3), y);
    kernel.launch(queue, { global: 1 }, new DataView(Float32Array.of(2).buffer), floats(4), y);
    expect(read(y)).toEqual([15]);
    kernel.setArg(1, null);
    expect(() => kernel.setArg(0, new Float64Array(1))).toThrow(OpenCLError);
    expect(() => kernel.setArg(0, new Uint8Array(0))).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_TYPE"));
    expect(() => kernel.setArg(0, new Uint8Array(4096))).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_TYPE"));
  });

  test("reject plain numbers, whose type is ambiguous", async (run) => {
    const kernel = await kernelWithoutInfo(saxpySource);
    needs(run, kernel.argNames[0] === undefined, hasArgumentInfo);
    const x = floats(1);
    for (const value of [2, 2n, true, "2", undefined, [2], {}]) {
      expect(() => kernel.launch(queue, { global: 1 }, value, x, x)).toThrow(
        errorLike(TypeError, "ERR_INVALID_ARG_TYPE"),
      );
    }
  });

  test("accept numbers once types are declared, and names once names are declared", async (run) => {
    const kernel = await kernelWithoutInfo(saxpySource);
    needs(run, kernel.argNames[0] === undefined, hasArgumentInfo);
    kernel.argTypes = ["float", "__global const float *", null];
    kernel.argNames = ["a", "x", undefined];
    expect(kernel.argTypes).toEqual(["float", "__global const float *", "(unknown type)"]);
    const y = floats(0);
    kernel.launch(queue, { global: "a" }, 1, floats(7), y);
    expect(read(y)).toEqual([7]);
    expect(() => kernel.launch(queue, { global: 1 }, 1n, y, y)).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_TYPE"));
    expect(() => kernel.launch(queue, { global: 1 }, 1, DeviceBuffer.from(context, new Int32Array(1)), y)).toThrow(
      errorLike(TypeError, "ERR_INVALID_ARG_TYPE"),
    );
  });

  test("can switch between memory and bytes at each launch", async () => {
    const kernel = await kernelWithoutInfo(
      "__kernel void f(__global int *out, float4 v) { out[0] = v.x; out[1] = out[1] + 1; }",
    );
    const out = DeviceBuffer.from(context, new Int32Array(2));
    kernel.launch(queue, { global: 1 }, out, Float32Array.of(1, 2, 3, 4));
    expect(() => kernel.launch(queue, { global: 1 }, out, Float32Array.of(1, 2))).toThrow(/argument 1/);
    expect(() => kernel.launch(queue, { global: 1 }, new LocalMemory(4), Float32Array.of(1, 2, 3, 4))).toThrow(
      /argument 0/,
    );
    expect(() => kernel.launch(queue, { global: 1 }, new BigInt64Array(1), Float32Array.of(1, 2, 3, 4))).toThrow(
      /argument 0/,
    );
    kernel.launch(queue, { global: 1 }, out, Float32Array.of(5, 6, 7, 8));
    expect([...queue.readSync(out)]).toEqual([5, 2]);
  });

  test("are tracked separately for bound kernels and clones", async () => {
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
  test("must have one entry per argument", () => {
    const kernel = saxpy.clone();
    for (const types of [[], ["float"], ["float", null, null, null], "float", null, { length: 3 }]) {
      expect(() => {
        kernel.argTypes = types as string[];
      }).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "argTypes"));
      expect(() => {
        kernel.argNames = types as string[];
      }).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "argNames"));
    }
    expect(kernel.argTypes[0]).toBe("float");
    expect(kernel.argNames).toEqual(["a", "x", "y"]);
    expect(() => {
      kernel.argNames = ["a", 1 as unknown as string, undefined];
    }).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "argNames[1]"));
  });

  test("cannot contradict the runtime", () => {
    const kernel = saxpy.clone();
    expect(() => {
      kernel.argTypes = ["int", null, null];
    }).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "argTypes[0]"));
    expect(kernel.argTypes[0]).toBe("float");
  });

  test("of structs can be replaced, and null restores the runtime's type", () => {
    const kernel = kernelOf(
      "typedef struct { int a; int b; } P; __kernel void f(P p, __global int *out) { out[0] = p.a + p.b; }",
    );
    const runtimeType = kernel.argTypes[0];
    kernel.argTypes = [{ bytes: 16 }, null];
    kernel.argTypes = [null, null];
    expect(kernel.argTypes[0]).toBe(runtimeType);
    kernel.argTypes = [{ bytes: 8 }, null];
    const out = DeviceBuffer.from(context, new Int32Array(1));
    kernel.launch(queue, { global: 1 }, Int32Array.of(3, 4), out);
    expect(queue.readSync(out)[0]).toBe(7);
  });
});
