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

import { collectGarbage } from "@cl/base/testing";
import { errorLike } from "@cl/testing/error-like";
import { context, kernelOf, queue, thrownBy } from "./support/kernels.js";

const add = kernelOf(
  "__kernel void add(int a, __global const int *x, __global int *y) { y[get_global_id(0)] += a * x[get_global_id(0)]; }",
);
const ints = (...values: number[]): DeviceBuffer<Int32Array> => DeviceBuffer.from(context, Int32Array.from(values));
const read = (buffer: DeviceBuffer<Int32Array>): number[] => [...queue.readSync(buffer)];

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
    expect(bound.context).toBe(context);
    expect(bound.empty).toBe(false);
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
  });

  test("uses the kernel's defaultSizes and throws if there are no sizes", () => {
    const kernel = add.clone();
    kernel.defaultSizes = { global: 1 };
    const y = ints(0);
    kernel.bind(null, 5, ints(1), y).launch(queue);
    expect(read(y)).toEqual([5]);
    for (const sizes of [null, undefined, {}]) {
      expect(() => add.bind(sizes, 5, ints(1), y)).toThrow(
        errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "sizes.global"),
      );
    }
    for (const sizes of [5, "a", [5]]) {
      expect(() => add.bind(sizes as unknown as { global: number }, 5, ints(1), y)).toThrow(
        errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "sizes"),
      );
    }
  });

  test("waits for the events passed to each enqueue, not for those passed to bind", async () => {
    const y = ints(0);
    const bound = add.bind({ global: 1 }, 1, ints(1), y);
    const gate = new UserEvent(context);
    const event = bound.enqueue(queue, { waitFor: gate });
    queue.flush();
    expect(event.status).toBeGreaterThan(0);
    gate.complete();
    await event.wait();
    expect(read(y)).toEqual([1]);
    expect(() => add.bind({ global: 1, waitFor: event }, 1, ints(1), y)).toThrow(
      errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "sizes.waitFor"),
    );
    expect(() => bound.enqueue(queue, { waitFor: 1 as unknown as CommandEvent })).toThrow(
      errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "waitFor"),
    );
  });

  test("keeps its buffers alive after the caller drops them", async () => {
    const y = ints(0);
    const bound = add.bind({ global: 1 }, 2, ints(21), y);
    await collectGarbage();
    bound.launch(queue);
    expect(read(y)).toEqual([42]);
    bound.setArg("x", ints(4));
    await collectGarbage();
    bound.launch(queue);
    expect(read(y)).toEqual([50]);
  });

  test("is unaffected by the release of other buffers and throws once its own is released", () => {
    const x = ints(1);
    const y = ints(0);
    const bound = add.bind({ global: 1 }, 1, x, y);
    ints(3).release();
    bound.launch(queue);
    x.release();
    for (const call of [
      () => bound.launch(queue),
      () => bound.enqueue(queue),
      () => bound.launchAndFinishSync(queue),
    ]) {
      const error = thrownBy(call);
      expect(error).toBeInstanceOf(DisposedError);
      expect(error.message).toMatch(/^argument 1 "x" \(int\s?\*\) of kernel "add": this .* has been released$/);
    }
    bound.setArg("x", ints(2)).launch(queue);
    expect(read(y)).toEqual([3]);
  });

  test("does nothing for an empty range but returns a normal event", async () => {
    const y = ints(7);
    const bound = add.bind({ global: 0, allowEmpty: true }, 1, ints(1), y);
    expect(bound.empty).toBe(true);
    bound.launch(queue);
    bound.launchAndFinishSync(queue);
    const gate = new UserEvent(context);
    const event = bound.enqueue(queue, { waitFor: gate });
    queue.flush();
    expect(event.status).toBeGreaterThan(0);
    gate.complete();
    await event.wait();
    expect(read(y)).toEqual([7]);
  });

  test("throws the same errors as a launch and leaks no handle", () => {
    const before = add.program.referenceCount;
    const y = ints(0);
    expect(() => add.bind({ global: 1 }, 1.5, y, y)).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE"));
    expect(() => add.bind({ global: 0 }, 1, y, y)).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE", "sizes.global"));
    expect(() => add.bind({ global: "z" }, 1, y, y)).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE", "sizes.global"));
    expect(() => add.bind({ global: 1 }, 1, y)).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_VALUE"));
    expect(add.program.referenceCount).toBe(before);
  });

  test("cannot be launched on a queue of another context or on anything but a queue", () => {
    const bound = add.bind({ global: 1 }, 1, ints(1), ints(1));
    const other = new CommandQueue(new Context([queue.device]));
    for (const verb of ["launch", "enqueue", "launchAndFinishSync"] as const) {
      expect(() => bound[verb](other)).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_VALUE"));
      for (const value of [null, undefined, {}, context]) {
        expect(() => bound[verb](value as never)).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "queue"));
      }
    }
    bound.release();
    expect(() => bound.launch(queue)).toThrow(errorLike(DisposedError, "ERR_CL_DISPOSED"));
    expect(() => bound.setArg(0, 1)).toThrow(errorLike(DisposedError, "ERR_CL_DISPOSED"));
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
    for (const value of [1.5, 2 ** 31, 1n, null, undefined, "1"]) {
      expect(() => bound.setArg("a", value)).toThrow(/^argument 0 "a" \(int\) of kernel "add"/);
    }
    expect(() => bound.setArg("x", DeviceBuffer.from(context, new Float32Array(1)))).toThrow(
      errorLike(TypeError, "ERR_INVALID_ARG_TYPE"),
    );
    expect(() => bound.setArg("z", 1)).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE", "parameter"));
    bound.launch(queue);
    expect(read(y)).toEqual([1]);
    expect(bound.args[0]).toBe(1);
  });

  test("can change at each step, as a timestep dt does", () => {
    const y = ints(0);
    const bound = add.bind({ global: 1 }, 0, ints(1), y);
    for (let step = 1; step <= 1000; step++) bound.setArg("a", step).launch(queue);
    expect(read(y)).toEqual([500_500]);
  });

  test("changed through the raw kernel can still be set with setArg", () => {
    const y = ints(0);
    const bound = add.bind({ global: 1 }, 1, ints(1), y);
    const other = Kernel.fromPointer(add.program, bound.pointer);
    other.setArg("a", 100);
    bound.setArg("a", 1).launch(queue);
    expect(read(y)).toEqual([1]);
  });
});
