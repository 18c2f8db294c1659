import { describe, expect, test } from "vitest";
import {
  BoundKernel,
  CommandEvent,
  CommandQueue,
  Context,
  DeviceBuffer,
  DisposedError,
  Kernel,
  UserEvent,
} from "@cl/core";

import { disposed } from "@cl/testing/core-errors";
import { outOfRange, wrongType, wrongValue } from "@cl/testing/error-like";
import { context, ints, kernelOf, queue, read, saxpy } from "./support/kernels.js";

const add = kernelOf(saxpy);

const verbs = ["launch", "enqueue", "launchAndFinishSync"] as const;

describe("a bound kernel", () => {
  test("uses its arguments and sizes at each launch", async () => {
    const y = ints(0, 0, 0);
    const bound = add.bind({ global: 2, offset: 1 }, 2, ints(1, 2, 3), y);
    expect(bound).toBeInstanceOf(BoundKernel);
    expect(bound.launch(queue)).toBeUndefined();
    const event = bound.enqueue(queue);
    expect(event).toBeInstanceOf(CommandEvent);
    await event.wait();
    expect(bound.launchAndFinishSync(queue)).toBeUndefined();
    expect(read(y)).toEqual([0, 12, 18]);
    expect(bound.name).toBe("add");
    expect(String(bound)).toContain("add");
    expect(bound.pointer).not.toBe(add.pointer);
    expect(bound.context).toBe(context);
    expect(bound.empty).toBe(false);
    const empty = add.bind({ global: 0, allowEmpty: true }, 2, y, y);
    expect(empty.empty).toBe(true);
    empty.launch(queue);
    empty.launchAndFinishSync(queue);
    expect(bound.args[0]).toBe(2);
    expect(bound.args[2]).toBe(y);
  });

  test("is independent of the kernel, its clones and other bound kernels", () => {
    const kernel = new Kernel(add.program, "add");
    const y = ints(0);
    const x = ints(1);
    const one = kernel.bind({ global: 1 }, 1, x, y);
    const ten = kernel.bind({ global: 1 }, 10, x, y);
    kernel.launch(queue, { global: 1 }, 100, x, y);
    one.launch(queue);
    ten.launch(queue);
    kernel.setArgs(1000, x, y);
    one.launch(queue);
    kernel.release();
    ten.launch(queue);
    expect(read(y)).toEqual([122]);
  });

  test("evaluates sizes given as names or functions when it is bound", () => {
    const y = ints(0, 0, 0, 0);
    const bound = add.bind({ global: "a", local: () => 1 }, 2, ints(1, 1, 1, 1), y);
    bound.setArg("a", 4).launch(queue);
    expect(read(y)).toEqual([4, 4, 0, 0]);
    expect(() => add.bind({ global: "z" }, 1, y, y)).toThrow(outOfRange("sizes.global"));
  });

  test("uses the kernel's defaultSizes and throws if there are no sizes", () => {
    const kernel = add.clone();
    kernel.defaultSizes = { global: 1 };
    const y = ints(0);
    kernel.bind(null, 5, ints(1), y).launch(queue);
    expect(read(y)).toEqual([5]);
    for (const [sizes, argument] of [
      [null, "sizes.global"],
      [{}, "sizes.global"],
      [[5], "sizes"],
    ] as const) {
      expect(() => add.bind(sizes as null, 5, ints(1), y)).toThrow(wrongType(argument));
    }
  });

  test("throws once one of its buffers is released, and works again with another one", () => {
    const [x, y] = [ints(1), ints(0)];
    const bound = add.bind({ global: 1 }, 1, x, y);
    bound.launch(queue);
    x.release();
    for (const verb of verbs) expect(() => bound[verb](queue)).toThrow(DisposedError);
    bound.setArg("x", ints(2)).launch(queue);
    expect(read(y)).toEqual([3]);
  });

  test("cannot be launched on a queue of another context or on anything but a queue", () => {
    const bound = add.bind({ global: 1 }, 1, ints(1), ints(1));
    const other = new CommandQueue(new Context([queue.device]));
    for (const verb of verbs) {
      expect(() => bound[verb](other)).toThrow(wrongValue());
      expect(() => bound[verb](context as never)).toThrow(wrongType("queue"));
    }
    bound.release();
    expect(() => bound.launch(queue)).toThrow(disposed());
    expect(() => bound.setArg(0, 1)).toThrow(disposed());
  });
});

describe("an argument of a bound kernel", () => {
  test("can be changed by position or name, for later launches only", () => {
    const gate = new UserEvent(context);
    const y = ints(0);
    const bound = add.bind({ global: 1 }, 1, ints(1), y);
    const first = bound.enqueue(queue, { waitFor: gate });
    expect(bound.setArg(0, 10)).toBe(bound);
    bound.launch(queue);
    bound.setArg("x", ints(100)).launch(queue);
    gate.complete();
    first.waitSync();
    expect(read(y)).toEqual([1011]);
    expect(bound.args[0]).toBe(10);
  });

  test("keeps its value when a change is rejected", () => {
    const y = ints(0);
    const bound = add.bind({ global: 1 }, 1, ints(1), y);
    for (const value of [1.5, 2 ** 31]) expect(() => bound.setArg("a", value)).toThrow(RangeError);
    expect(() => bound.setArg("x", DeviceBuffer.from(context, new Float32Array(1)))).toThrow(wrongType());
    expect(() => bound.setArg("z", 1)).toThrow(outOfRange("parameter"));
    bound.launch(queue);
    expect(read(y)).toEqual([1]);
    expect(bound.args[0]).toBe(1);
  });
});
