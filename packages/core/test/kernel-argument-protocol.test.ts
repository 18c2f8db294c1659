import { describe, expect, test } from "vitest";
import { DeviceBuffer, type KernelArgument, kernelArgument } from "@cl/core";

import { outOfRange, wrongType } from "@cl/testing/error-like";
import { context, floats, kernelOf, queue, read } from "./support/kernels.js";

const add = kernelOf(
  "__kernel void add(float a, __global const float *x, __global float *y) { y[get_global_id(0)] += a * x[get_global_id(0)]; }",
);
/** Returns an object whose kernelArgument method returns `given`, as a class of another package would. */
const giving = (given: unknown): KernelArgument => ({ [kernelArgument]: () => given as { memory: DeviceBuffer } });

describe("an object with the kernelArgument symbol", () => {
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
    expect(() => add.launch(queue, { global: 1 }, 1, callable, floats(0))).toThrow(wrongType());
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
      expect(refused({ memory: floats(1, 2), byteOffset })).toThrow(outOfRange());
    }
  });

  test("if it is neither memory nor bytes", () => {
    const memories = [null, giving({}), queue].map((memory) => ({ memory }));
    for (const given of [null, undefined, 1, "memory", {}, [], floats(1), ...memories]) {
      expect(refused(given)).toThrow(wrongType());
    }
    for (const bytes of [4, "bytes", [1, 2], new ArrayBuffer(4)]) expect(refused({ bytes }, 0)).toThrow(wrongType());
  });

  test("if it is memory for a scalar, bytes for a pointer, or memory of another element type", () => {
    expect(refused({ memory: floats(1) }, 0)).toThrow(wrongType());
    expect(refused({ bytes: Float32Array.of(1) }, 1)).toThrow(wrongType());
    expect(refused({ memory: DeviceBuffer.from(context, Int32Array.of(1)) })).toThrow(wrongType());
  });

  test("if its bytes have the wrong length or are detached", () => {
    const gone = Float32Array.of(1);
    structuredClone(gone, { transfer: [gone.buffer] });
    for (const bytes of [new Float32Array(2), new Uint8Array(3), new Float64Array(1), new Float32Array(0), gone]) {
      expect(refused({ bytes }, 0)).toThrow(wrongType());
    }
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

// reentrant-arguments.test.ts has methods that launch other kernels.
test("a kernelArgument method can launch the same kernel with other arguments", () => {
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
