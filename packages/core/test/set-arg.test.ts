import { disposed } from "@cl/testing/core-errors";
import { errorLike, outOfRange, wrongState, wrongType } from "@cl/testing/error-like";
import { describe, expect, test } from "vitest";
import { DeviceBuffer, Kernel, type KernelArgument, kernelArgument, LocalMemory } from "@cl/core";

import { context, ints, kernelOf, queue, read, saxpy } from "./support/kernels.js";
import { collectGarbage } from "@cl/base/testing";

const original = kernelOf(saxpy);
const add = (): Kernel => new Kernel(original.program, "add");

describe("stored arguments", () => {
  test("set one by one, by position or by name, are used by launchWithSetArgs", () => {
    const y = ints(0, 0);
    const kernel = add();
    expect(kernel.setArg(0, 3).setArg("x", ints(1, 2)).setArg("y", y)).toBe(kernel);
    kernel.launchWithSetArgs(queue, { global: 2 });
    kernel.setArg("a", 10).launchWithSetArgs(queue, { global: 2 });
    expect(read(y)).toEqual([13, 26]);
  });

  test("set together are used by launchWithSetArgs and enqueueWithSetArgs", async () => {
    const y = ints(0);
    const kernel = add();
    kernel.defaultSizes = { global: 1 };
    expect(kernel.setArgs(2, ints(5), y)).toBe(kernel);
    kernel.launchWithSetArgs(queue);
    await kernel.enqueueWithSetArgs(queue, null).wait();
    kernel.enqueueWithSetArgs(queue, { global: 1 }).waitSync();
    expect(read(y)).toEqual([30]);
  });

  test("are kept if a launch uses other arguments in between", () => {
    const y = ints(0);
    const z = ints(0);
    const kernel = add().setArgs(2, ints(5), y);
    kernel.launch(queue, { global: 1 }, 100, ints(7), z);
    kernel.launchWithSetArgs(queue, { global: 1 });
    kernel.enqueue(queue, { global: 1 }, 100, ints(7), z);
    kernel.launchAndFinishSync(queue, { global: 1 }, 100, ints(7), z);
    kernel.launchWithSetArgs(queue, { global: 1 });
    expect(read(y)).toEqual([20]);
    expect(read(z)).toEqual([2100]);
  });

  test("are copied when they are set, also arrays", () => {
    const kernel = kernelOf(
      "__kernel void put(int4 v, int2 w, __global int *out) { vstore4(v, 0, out); vstore2(w, 2, out); }",
    );
    const out = ints(0, 0, 0, 0, 0, 0);
    const typed = Int32Array.of(1, 2, 3, 4);
    const plain = [5, 6];
    kernel.setArgs(typed, plain, out);
    typed.fill(9);
    plain.fill(9);
    kernel.launch(queue, { global: 1 }, [0, 0, 0, 0], [0, 0], out);
    kernel.launchWithSetArgs(queue, { global: 1 });
    expect(read(out)).toEqual([1, 2, 3, 4, 5, 6]);
    const later = Int32Array.of(7, 8);
    kernel.setArg("w", later);
    later.fill(9);
    kernel.launch(queue, { global: 1 }, [0, 0, 0, 0], [0, 0], out);
    kernel.launchWithSetArgs(queue, { global: 1 });
    expect(read(out)).toEqual([1, 2, 3, 4, 7, 8]);
  });

  test("keep objects from the argument protocol alive", async () => {
    const whole = DeviceBuffer.from(context, new Int32Array(256).fill(3));
    // A new sub-buffer each time, without other references.
    const part: KernelArgument = { [kernelArgument]: () => ({ memory: whole.slice(128, 256) }) };
    const y = ints(0);
    const kernel = add().setArgs(2, part, y);
    const bound = add().bind({ global: 1 }, 5, part, y);
    await collectGarbage();
    kernel.launchWithSetArgs(queue, { global: 1 });
    bound.launch(queue);
    kernel.setArg("x", part).setArg("a", 10);
    bound.setArg("x", part).setArg("a", 100);
    await collectGarbage();
    kernel.launchWithSetArgs(queue, { global: 1 });
    bound.launch(queue);
    expect(read(y)).toEqual([351]);
  });
});

describe("launchWithSetArgs", () => {
  test("throws if an argument was never set, and names it", () => {
    const kernel = add();
    expect(() => kernel.launchWithSetArgs(queue, { global: 1 })).toThrow(wrongState());
    kernel.setArg("a", 1).setArg("y", ints(0));
    for (const call of [
      () => kernel.launchWithSetArgs(queue, { global: 1 }),
      () => kernel.enqueueWithSetArgs(queue, { global: 1 }),
    ]) {
      expect(call).toThrow(errorLike(TypeError, "ERR_INVALID_STATE", "argument 1"));
    }
  });

  test("throws if an argument has been released since, and names it", () => {
    const x = ints(1);
    const kernel = add().setArgs(1, x, ints(0));
    kernel.launchWithSetArgs(queue, { global: 1 });
    x.release();
    expect(() => kernel.launchWithSetArgs(queue, { global: 1 })).toThrow(disposed("argument 1"));
    kernel.launch(queue, { global: 1 }, 1, ints(1), ints(1));
    expect(() => kernel.launchWithSetArgs(queue, { global: 1 })).toThrow(disposed());
    kernel.setArg("x", ints(2)).launchWithSetArgs(queue, { global: 1 });
  });

  test("has no arguments after their types are declared again", () => {
    const kernel = add().setArgs(1, ints(1), ints(0));
    kernel.argTypes = [null, null, null];
    expect(() => kernel.launchWithSetArgs(queue, { global: 1 })).toThrow(wrongState());
  });
});

describe("setArg rejects", () => {
  test("invalid values, and keeps the previous one", () => {
    const y = ints(0);
    const kernel = add().setArgs(2, ints(1), y);
    for (const value of [1.5, 2 ** 40, NaN]) expect(() => kernel.setArg("a", value)).toThrow(outOfRange("argument 0"));
    for (const value of [1n, "1", null]) expect(() => kernel.setArg("a", value)).toThrow(wrongType("argument 0"));
    expect(() => kernel.setArg("x", 1)).toThrow(wrongType());
    expect(() => kernel.setArg("toString", 1)).toThrow(outOfRange("parameter"));
    expect(() => kernel.setArg("y", new LocalMemory(4))).toThrow(wrongType());
    kernel.launchWithSetArgs(queue, { global: 1 });
    expect(read(y)).toEqual([2]);
  });
});

describe("a raw kernel with several wrappers", () => {
  test("sets each argument at each launch, since other wrappers may have changed it", () => {
    const kernel = add();
    const x = ints(1);
    const y = ints(0);
    kernel.launch(queue, { global: 1 }, 1, x, y);
    const other = Kernel.fromPointer(kernel.program, kernel.pointer);
    // Both wrap one OpenCL kernel, whose arguments are those set last.
    other.setArgs(100, x, y);
    kernel.launch(queue, { global: 1 }, 1, x, y);
    other.launch(queue, { global: 1 }, 10, x, y);
    kernel.launch(queue, { global: 1 }, 1, x, y);
    other.launch(queue, { global: 1 }, 10, x, y);
    expect(read(y)).toEqual([23]);
  });

  test("uses other wrappers' arguments in launchWithSetArgs", () => {
    const kernel = add();
    const x = ints(1);
    const y = ints(0);
    kernel.setArgs(1, x, y);
    Kernel.fromPointer(kernel.program, kernel.pointer).setArg("a", 7);
    kernel.launchWithSetArgs(queue, { global: 1 });
    expect(read(y)).toEqual([7]);
  });
});
