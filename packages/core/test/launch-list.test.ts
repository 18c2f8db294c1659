import { describe, expect, test } from "vitest";
import { CommandEvent, CommandQueue, DeviceBuffer, LaunchList, OpenCLError } from "@cl/core";

import { collectGarbage, needs } from "@cl/base/testing";
import { disposed } from "@cl/testing/core-errors";
import { errorLike, outOfRange, wrongType, wrongValue } from "@cl/testing/error-like";
import { context, ints, kernelOf, queue, read, saxpy } from "./support/kernels.js";

const add = kernelOf(saxpy);

describe("a launch list", () => {
  test("runs kernels, copies, fills and barriers in the order in which they were pushed", async () => {
    const x = ints(1, 2);
    const y = ints(9, 9);
    const z = ints(0, 0);
    const list = new LaunchList(context, { label: "step" })
      .pushFill(y, 10)
      .push(add.bind({ global: 2 }, 3, x, y))
      .pushBarrier()
      .pushCopy(z, y)
      .push(add.bind({ global: 2 }, 100, z, z));
    expect(list.length).toBe(5);
    expect(list.context).toBe(context);
    expect(String(list)).toBe('LaunchList "step" { fill, kernel "add", barrier, copy, kernel "add" }');
    expect(list.launch(queue)).toBeUndefined();
    expect(read(y)).toEqual([13, 16]);
    expect(read(z)).toEqual([1313, 1616]);
    const event = list.enqueue(queue);
    expect(event).toBeInstanceOf(CommandEvent);
    await event.wait();
    expect(read(z)).toEqual([1313, 1616]);
  });

  test("copies and fills the given ranges", () => {
    const a = ints(1, 2, 3, 4);
    const b = ints(0, 0, 0, 0);
    new LaunchList(context)
      .pushCopy(b, a, { sourceOffset: 4, targetOffset: 8, bytes: 8 })
      .pushFill(a, Int32Array.of(7, 8), { offset: 8, bytes: 8 })
      .launch(queue);
    expect(read(b)).toEqual([0, 0, 2, 3]);
    expect(read(a)).toEqual([1, 2, 7, 8]);
  });

  test("uses arguments changed after a kernel was pushed, and commands pushed after a launch", () => {
    const y = ints(0);
    const bound = add.bind({ global: 1 }, 1, ints(1), y);
    const list = new LaunchList(context).push(bound);
    list.launch(queue);
    bound.setArg("a", 10);
    list.launch(queue);
    bound.setArg("x", ints(10));
    list.push(bound).launch(queue);
    expect(read(y)).toEqual([211]);
  });

  test("copies a fill's pattern when it is pushed", () => {
    const x = ints(0);
    const pattern = Int32Array.of(5);
    const list = new LaunchList(context).pushFill(x, pattern);
    pattern[0] = 6;
    list.launch(queue);
    expect(read(x)).toEqual([5]);
  });

  test("does nothing without commands, and its event completes", async () => {
    const list = new LaunchList(context);
    expect(list.length).toBe(0);
    list.launch(queue);
    await list.enqueue(queue).wait();
    expect(String(list)).toBe("LaunchList");
  });

  test("omits empty commands", () => {
    const y = ints(1);
    const list = new LaunchList(context)
      .push(add.bind({ global: 0, allowEmpty: true }, 1, y, y))
      .pushFill(y, 3, { bytes: 0 })
      .pushCopy(ints(4), y, { bytes: 0 });
    expect(list.length).toBe(0);
    list.launch(queue);
    expect(read(y)).toEqual([1]);
  });

  test("keeps its kernels and buffers alive without other references", async () => {
    const y = ints(0);
    const list = new LaunchList(context).push(add.bind({ global: 1 }, 2, ints(3), y)).pushCopy(ints(0), ints(1));
    await collectGarbage();
    list.launch(queue);
    expect(read(y)).toEqual([6]);
  });
});

describe("a launch list with a released member", () => {
  test("names the command, and the kernel's argument", () => {
    const x = ints(1);
    const bound = add.bind({ global: 1 }, 1, x, ints(0));
    const list = new LaunchList(context).pushBarrier().pushBarrier().pushBarrier().push(bound);
    list.launch(queue);
    x.release();
    for (const call of [() => list.launch(queue), () => list.enqueue(queue)]) {
      expect(call).toThrow(disposed("argument 1"));
      expect(call).toThrow(disposed("command 3"));
    }
    bound.setArg("x", ints(1));
    list.launch(queue);
    bound.release();
    expect(() => list.launch(queue)).toThrow(disposed());
  });

  test("names the copy and the fill", () => {
    const a = ints(1);
    const b = ints(2);
    const copies = new LaunchList(context).pushBarrier().pushCopy(a, b);
    const fills = new LaunchList(context).pushFill(a, 1);
    b.release();
    expect(() => copies.launch(queue)).toThrow(disposed());
    fills.launch(queue);
    a.release();
    expect(() => fills.launch(queue)).toThrow(disposed());
  });

  test("names commands in errors by their labels", () => {
    const x = ints(0);
    const list = new LaunchList(context)
      .push(add.bind({ global: 1 }, 1, x, ints(0)), { label: "first" })
      .pushCopy(ints(0), x, { label: "second" })
      .pushFill(x, 0, { label: "third" });
    expect(String(list)).toBe('LaunchList { "first", kernel "add", "second", copy, "third", fill }');
    x.release();
    expect(() => list.launch(queue)).toThrow(disposed());
    const wrong = { label: 7 } as unknown as { label: string };
    expect(() => list.pushFill(ints(0), 0, wrong)).toThrow(wrongType("options.label"));
  });
});

describe("a launch list rejects", () => {
  const list = new LaunchList(context);
  const x = ints(1);

  test("ranges out of bounds", () => {
    expect(() => list.pushCopy(x, ints(1, 2))).toThrow(RangeError);
    expect(() => list.pushCopy(x, x)).toThrow(outOfRange());
    expect(() => list.pushFill(x, 1, { offset: 2 })).toThrow(RangeError);
    expect(() => list.pushFill(x, 1.5)).toThrow(RangeError);
    expect(list.length).toBe(0);
  });
});

test("a command that the driver rejects is named with its index, and earlier commands have run", () => {
  const y = ints(0);
  const list = new LaunchList(context)
    .push(add.bind({ global: 1 }, 1, ints(1), y))
    .push(add.bind({ global: 8, local: 3 }, 1, ints(1), y))
    .push(add.bind({ global: 1 }, 10, ints(1), y));
  expect(() => list.launch(queue)).toThrow(errorLike(OpenCLError, "CL_INVALID_WORK_GROUP_SIZE", "command 1"));
  expect(read(y)).toEqual([1]);
});

describe("values for each launch of a list", () => {
  test("set the named arguments, of every type, from an array or a Float64Array", (run) => {
    needs(run, queue.device.hasExtension("cl_khr_fp64"), "the device does not support double");
    const all = kernelOf(
      "__kernel void all(__global double *to, char a, uchar b, short c, ushort d, int e, uint f, float g, double h, long i) {" +
        "to[0] = a; to[1] = b; to[2] = c; to[3] = d; to[4] = e; to[5] = f; to[6] = g; to[7] = h; to[8] = i; }",
    );
    const scalars = { a: 0, b: 1, c: 2, d: 3, e: 4, f: 5, g: 6, 8: 7 };
    const to = new DeviceBuffer(context, 9 * 8).as(Float64Array);
    const bound = all.bind({ global: 1 }, to, 0, 0, 0, 0, 0, 0, 0, 0, 7n);
    const list = new LaunchList(context).push(bound, { scalars });
    expect(list.valueCount).toBe(8);
    const first = [-128, 255, -32768, 65535, -2147483648, 4294967295, 0.5, 0.1];
    list.launch(queue, first);
    expect([...queue.readSync(to)]).toEqual([...first, 7]);
    expect(bound.args.slice(1)).toEqual([...first, 7n]);
    list.launch(queue, Float64Array.of(1, 2, 3, 4, 5, 6, 0.1, Infinity));
    expect([...queue.readSync(to)]).toEqual([1, 2, 3, 4, 5, 6, Math.fround(0.1), Infinity, 7]);
    // Without values they keep the previous ones, and setArg still knows what was set last.
    bound.setArg("a", 0);
    list.launch(queue);
    expect([...queue.readSync(to)]).toEqual([0, 2, 3, 4, 5, 6, Math.fround(0.1), Infinity, 7]);
  });

  test("may differ between two entries of one kernel, and one value may set several arguments", () => {
    const y = ints(0, 0);
    const bound = add.bind({ global: 2 }, 0, ints(1, 1), y);
    const list = new LaunchList(context)
      .push(bound, { scalars: { a: 0 } })
      .push(bound, { scalars: { a: 1 } })
      .push(bound, { scalars: { 0: 1 } });
    for (let step = 0; step < 10; step++) list.launch(queue, [1, 10]);
    expect(read(y)).toEqual([210, 210]);
    expect(bound.args[0]).toBe(10);
  });

  test("are checked before anything is enqueued", () => {
    const y = ints(0);
    const bound = add.bind({ global: 1 }, 1, ints(1), y);
    const list = new LaunchList(context).pushFill(y, 5).push(bound, { label: "third", scalars: { a: 0 } });
    const first = "values[0] for argument 0";
    for (const [values, error] of [
      [[0.5], outOfRange(first)],
      [Float64Array.of(NaN), outOfRange(first)],
      [[2 ** 31], outOfRange(first)],
      [[], wrongValue("values")],
      [["1"], wrongType("values[0]")],
      ["1", wrongType("values")],
    ] as const) {
      expect(() => list.launch(queue, values as never)).toThrow(error);
    }
    for (const [scalars, error] of [
      [{ b: 0 }, outOfRange("parameter")],
      [{ x: 0 }, wrongValue("options.scalars.x")],
      [{ a: -1 }, outOfRange("options.scalars.a")],
      [{ a: 1e6 }, outOfRange("options.scalars.a")],
    ] as const) {
      expect(() => new LaunchList(context).push(bound, { scalars })).toThrow(error);
    }
    expect(read(y)).toEqual([0]);
    list.launch(queue, [2]);
    expect(read(y)).toEqual([7]);
  });
});

describe("dependencies in a list on an out-of-order queue", () => {
  const outOfOrder = new CommandQueue(context, { outOfOrder: context.devices[0]?.hasQueueOutOfOrderExecMode ?? false });

  test("follow `after`", async () => {
    const y = ints(1);
    const double = kernelOf("__kernel void twice(__global int *y, int b) { y[0] = 2 * y[0] + b; }");
    const list = new LaunchList(context);
    for (let i = 0; i < 20; i++) {
      list.push(double.bind({ global: 1 }, y, i % 2), i === 0 ? {} : { after: [i - 1] });
    }
    for (let step = 0; step < 20; step++) {
      queue.enqueueFill(y, 1).release();
      await queue.finish();
      await list.enqueue(outOfOrder).wait();
      let expected = 1;
      for (let i = 0; i < 20; i++) expected = 2 * expected + (i % 2);
      expect(read(y)).toEqual([expected]);
    }
  });

  test("must be commands of the list", () => {
    const y = ints(0);
    const list = new LaunchList(context).pushFill(y, 1);
    expect(() => list.pushFill(y, 2, { after: [1] })).toThrow(outOfRange("options.after[0]"));
    expect(() => list.pushFill(y, 2, { after: [-1] })).toThrow(outOfRange("options.after[0]"));
    expect(() => list.pushFill(y, 2, { after: 0 as never })).toThrow(wrongType("options.after"));
    expect(list.length).toBe(1);
  });
});
