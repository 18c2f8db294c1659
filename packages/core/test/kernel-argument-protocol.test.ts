import { describe, expect, test } from "vitest";
import { DeviceBuffer, type KernelArgument, kernelArgument } from "@cl/core";
import { DisposedError } from "@cl/core";
import { errorLike } from "@cl/testing/error-like";

import { context, kernelOf, queue } from "./support/kernels.js";

const add = kernelOf(
  "__kernel void add(float a, __global const float *x, __global float *y) { y[get_global_id(0)] += a * x[get_global_id(0)]; }",
);
const floats = (...values: number[]): DeviceBuffer<Float32Array> =>
  DeviceBuffer.from(context, Float32Array.from(values));
const read = (buffer: DeviceBuffer<Float32Array>): number[] => [...queue.readSync(buffer)];
/** Returns an object whose kernelArgument method returns `given`, as a class of another package would. */
const giving = (given: unknown): KernelArgument => ({ [kernelArgument]: () => given as { memory: DeviceBuffer } });

describe("an object with the kernelArgument symbol", () => {
  test("can return memory", () => {
    class Field implements KernelArgument {
      readonly #buffer = floats(1, 2, 3);
      [kernelArgument](): { memory: DeviceBuffer; byteOffset: number } {
        return { memory: this.#buffer, byteOffset: 0 };
      }
    }
    const y = floats(0, 0, 0);
    add.launch(queue, { global: 3 }, 2, new Field(), giving({ memory: y }));
    expect(read(y)).toEqual([2, 4, 6]);
  });

  test("can return the bytes of a value in any kind of array", () => {
    const y = floats(0);
    for (const bytes of [
      Float32Array.of(3),
      new Uint8Array(Float32Array.of(3).buffer),
      new DataView(Float32Array.of(3).buffer),
    ]) {
      add.launch(queue, { global: 1 }, giving({ bytes }), floats(1), y);
    }
    add.setArgs(giving({ bytes: Float32Array.of(4) }), floats(1), y).launchWithSetArgs(queue, { global: 1 });
    add.bind({ global: 1 }, giving({ bytes: Float32Array.of(5) }), floats(1), y).launch(queue);
    expect(read(y)).toEqual([18]);
  });

  test("can return the bytes of a vector", () => {
    const kernel = kernelOf("__kernel void put(float3 v, __global float *out) { vstore3(v, 0, out); }");
    const out = floats(0, 0, 0);
    kernel.launch(queue, { global: 1 }, giving({ bytes: new Uint8Array(Float32Array.of(1, 2, 3, 0).buffer) }), out);
    expect(read(out)).toEqual([1, 2, 3]);
  });

  test("is called once per launch", () => {
    const buffers = [floats(1), floats(10)];
    let asked = 0;
    const alternating: KernelArgument = { [kernelArgument]: () => ({ memory: buffers[asked++ % 2] as DeviceBuffer }) };
    const y = floats(0);
    for (let i = 0; i < 4; i++) add.launch(queue, { global: 1 }, 1, alternating, y);
    expect(asked).toBe(4);
    expect(read(y)).toEqual([22]);
  });

  test("can have any prototype but must not be a function", () => {
    const bare = Object.assign(Object.create(null) as object, giving({ memory: floats(1) }));
    add.launch(queue, { global: 1 }, 1, bare, floats(0));
    const callable = Object.assign(() => undefined, giving({ memory: floats(1) }));
    expect(() => add.launch(queue, { global: 1 }, 1, callable, floats(0))).toThrow(
      errorLike(TypeError, "ERR_INVALID_ARG_TYPE"),
    );
  });
});

describe("a kernelArgument result throws an error that names the argument", () => {
  const refused = (given: unknown, position = 1): (() => void) => {
    const args: unknown[] = [1, floats(1), floats(0)];
    args[position] = giving(given);
    return () => add.launch(queue, { global: 1 }, ...args);
  };

  test("if it is memory with a byteOffset other than 0", () => {
    for (const byteOffset of [4, -4, NaN, "0", 1n, null]) {
      expect(refused({ memory: floats(1, 2), byteOffset })).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE"));
    }
  });

  test("if it is neither memory nor bytes", () => {
    for (const given of [
      null,
      undefined,
      1,
      "memory",
      {},
      [],
      { memory: null },
      { memory: giving({}) },
      floats(1),
      { memory: queue },
    ]) {
      expect(refused(given)).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_TYPE"));
    }
    for (const bytes of [4, "bytes", [1, 2], new ArrayBuffer(4)]) {
      expect(refused({ bytes }, 0)).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_TYPE"));
    }
  });

  test("if it is memory for a scalar or bytes for a pointer", () => {
    expect(refused({ memory: floats(1) }, 0)).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_TYPE"));
    expect(refused({ bytes: Float32Array.of(1) }, 1)).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_TYPE"));
  });

  test("if its bytes have the wrong length or are detached", () => {
    const gone = Float32Array.of(1);
    structuredClone(gone, { transfer: [gone.buffer] });
    for (const bytes of [new Float32Array(2), new Uint8Array(3), new Float64Array(1), new Float32Array(0), gone]) {
      expect(refused({ bytes }, 0)).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_TYPE"));
    }
  });

  test("if its memory has another element type or is released", () => {
    expect(refused({ memory: DeviceBuffer.from(context, Int32Array.of(1)) })).toThrow(
      errorLike(TypeError, "ERR_INVALID_ARG_TYPE"),
    );
    const gone = floats(1);
    gone.release();
    expect(refused({ memory: gone })).toThrow(errorLike(DisposedError, "ERR_CL_DISPOSED"));
  });

  test("if the method throws, with the method's own error", () => {
    const error = new Error("not on the device yet");
    const failing: KernelArgument = {
      [kernelArgument]: () => {
        throw error;
      },
    };
    expect(() => add.launch(queue, { global: 1 }, 1, failing, floats(0))).toThrow(error);
    add.launch(queue, { global: 1 }, 1, floats(1), floats(0));
  });
});

describe("a kernelArgument method that calls OpenCL", () => {
  const other = kernelOf(
    "__kernel void other(int4 v, double d, __global int *out, int w) { out[get_global_id(0)] = v.x + (int)d + w; }",
  );
  const sideways = (): void => {
    const out = DeviceBuffer.from(context, new Int32Array(512));
    other.launch(queue, { global: [16, 8, 4], local: [4, 2, 1], offset: [1, 2, 3] }, [7, 7, 7, 7], 1.5, out, -1);
    other.bind({ global: 3, local: 1 }, [8, 8, 8, 8], 2.5, out, -2).launch(queue);
    queue.enqueueCopy(out, out, {
      region: [4, 2, 1],
      sourceOrigin: [0, 0, 0],
      targetOrigin: [64, 8, 0],
      sourcePitches: [16],
      targetPitches: [16],
    });
  };
  const meddling = (memory: DeviceBuffer): KernelArgument => ({
    [kernelArgument]: () => {
      sideways();
      return { memory };
    },
  });

  test("does not affect the arguments and sizes of the current launch", () => {
    const x = floats(1, 2, 3, 4);
    const y = floats(0, 0, 0, 0);
    add.launch(queue, { global: 3 }, 2, meddling(x), y);
    add.launch(queue, { global: 1, offset: 3 }, 2, x, meddling(y));
    add.enqueue(queue, { global: ({ a }) => Number(a) }, 3, meddling(x), meddling(y));
    expect(read(y)).toEqual([5, 10, 15, 8]);
  });

  test("does not affect setArgs and bind", () => {
    const y = floats(0, 0);
    const kernel = add.clone().setArgs(2, meddling(floats(1, 2)), meddling(y));
    kernel.launchWithSetArgs(queue, { global: 2 });
    kernel.setArg(1, meddling(floats(10, 20))).launchWithSetArgs(queue, { global: 2 });
    add.bind({ global: 2 }, 100, meddling(floats(1, 1)), meddling(y)).launch(queue);
    expect(read(y)).toEqual([122, 144]);
  });

  test("can launch the same kernel with other arguments", () => {
    const x = floats(1);
    const y = floats(0);
    const z = floats(0);
    const recursive: KernelArgument = {
      [kernelArgument]: () => {
        add.launch(queue, { global: 1 }, 10, x, z);
        return { memory: y };
      },
    };
    add.launch(queue, { global: 1 }, 1, x, recursive);
    add.launch(queue, { global: 1 }, 1, x, recursive);
    expect([read(y), read(z)]).toEqual([[2], [20]]);
  });
});
