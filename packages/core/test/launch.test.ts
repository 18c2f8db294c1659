import { describe, expect, test } from "vitest";
import { CommandEvent, CommandQueue, CommandType, Context, DeviceBuffer, Kernel, OpenCLError, Program } from "@cl/core";

import { collectGarbage, collectUntil, needs } from "@cl/base/testing";
import { context, kernelOf, queue } from "./support/kernels.js";
import { partsOf } from "@cl/testing/halves";
import { disposed } from "@cl/testing/core-errors";
import { outOfRange, wrongType, wrongValue } from "@cl/testing/error-like";

const count = kernelOf("__kernel void count(__global int *x, int by) { x[get_global_id(0)] += by; }");
const ints = (length: number): DeviceBuffer<Int32Array> => DeviceBuffer.from(context, new Int32Array(length));

describe("the launch methods of a kernel", () => {
  test("launch returns undefined, enqueue an event, launchAndFinishSync undefined after all commands finished", async () => {
    const x = ints(4);
    expect(count.launch(queue, { global: 4 }, x, 1)).toBeUndefined();
    const event = count.enqueue(queue, { global: 4 }, x, 1);
    expect(event).toBeInstanceOf(CommandEvent);
    expect(event.commandType).toBe(CommandType.NDRANGE_KERNEL);
    expect(event.queue).toBe(queue);
    await event.wait();
    const last = count.enqueue(queue, { global: 4 }, x, 1);
    expect(count.launchAndFinishSync(queue, { global: 4 }, x, 1)).toBeUndefined();
    expect(last.status).toBe(0);
    expect([...queue.readSync(x)]).toEqual([4, 4, 4, 4]);
  });
});

describe("a queue with many launches", () => {
  test("keeps the buffers in use alive", async () => {
    const sum = kernelOf(
      "__kernel void sum(__global const int *x, __global int *y) { for (int i = 0; i < 1000; i++) y[0] += x[i]; }",
    );
    const y = ints(1);
    for (let i = 0; i < 20; i++) {
      sum.launch(queue, { global: 1 }, DeviceBuffer.from(context, new Int32Array(1000).fill(1)), y);
    }
    await collectGarbage();
    await queue.finish();
    expect([...queue.readSync(y)]).toEqual([20_000]);
  });
});

describe("sub-devices", () => {
  test("run kernels on their own queues, in their own context", (run) => {
    const { device } = queue;
    const parts = partsOf(device, { equally: 1 }) ?? [];
    needs(run, parts.length > 0, `'${device.name}' cannot be divided equally`);
    const partContext = new Context(parts);
    const program = new Program(
      partContext,
      "__kernel void count(__global int *x, int by) { x[get_global_id(0)] += by; }",
    ).buildSync({ cache: false });
    const x = DeviceBuffer.from(partContext, new Int32Array(2));
    for (const part of parts.slice(0, 2)) {
      program.kernels()[0]?.launchAndFinishSync(new CommandQueue(partContext, { device: part }), { global: 2 }, x, 3);
    }
    const runs = 3 * Math.min(parts.length, 2);
    expect([...new CommandQueue(partContext).readSync(x)]).toEqual([runs, runs]);
  });
});

describe("a kernel of a program", () => {
  const source = "__kernel void one(__global int *x) { x[0] = 1; } __kernel void two(__global int *x) { x[0] = 2; }";

  /** Typed as a program with unknown kernels. */
  const unread: string = source;

  test("is found by name, and is the same object until it is released", () => {
    const program = new Program(context, source).buildSync();
    const one = program.kernel("one");
    expect(program.kernel("one")).toBe(one);
    expect(one.name).toBe("one");
    expect(one.program).toBe(program);
    expect(one.context).toBe(context);
    expect(
      program
        .kernels()
        .map((kernel) => kernel.name)
        .toSorted(),
    ).toEqual(["one", "two"]);
    expect(program.kernels()).toContain(one);
    one.release();
    expect(program.kernel("one")).not.toBe(one);
    expect(program.kernel("one").released).toBe(false);
  });

  test("with an unknown name throws an error that lists the existing ones", () => {
    const program = new Program(context, unread).buildSync();
    expect(() => program.kernel("tow")).toThrow(outOfRange());
    for (const name of ["toString", "One", "one\0"]) expect(() => program.kernel(name)).toThrow(outOfRange());
    expect(() => new Kernel(program, "three")).toThrow(OpenCLError);
  });

  test("retains its program until it is released", async () => {
    const program = new Program(context, source).buildSync({ cache: false });
    const before = program.referenceCount;
    const kernels = [new Kernel(program, "one"), new Kernel(program, "two")];
    const clones = kernels.map((kernel) => kernel.clone());
    const bound = kernels.map((kernel) => kernel.bind({ global: 1 }, ints(1)));
    // NVIDIA's driver keeps programs for kernels without counting a reference.
    expect([before, before + 6]).toContain(program.referenceCount);
    for (const each of [...kernels, ...clones, ...bound]) each.release();
    await queue.finish();
    expect(program.referenceCount).toBe(before);
    program.kernel("one").launchAndFinishSync(queue, { global: 1 }, ints(1));
    program.kernel("two").clone();
    program.kernel("one").release();
    program.kernel("two").release();
    expect(await collectUntil(() => program.referenceCount === before)).toBe(true);
  });

  test("outlives its program's wrapper", () => {
    const x = ints(1);
    const program = new Program(context, source).buildSync();
    const one = program.kernel("one");
    program.release();
    one.launch(queue, { global: 1 }, x);
    one.clone().launch(queue, { global: 1 }, x);
    one.bind({ global: 1 }, x).launch(queue);
    expect([...queue.readSync(x)]).toEqual([1]);
    expect(() => program.kernel("one")).toThrow(disposed());
  });

  test("from other code is adopted by its address if it belongs to the program", () => {
    const program = new Program(context, source).buildSync();
    const one = program.kernel("one");
    const references = one.referenceCount;
    const other = Kernel.fromPointer(program, one.pointer, { label: "adopted" });
    expect(other).toMatchObject({ name: "one", label: "adopted" });
    expect(one.referenceCount).toBe(references + 1);
    other.release();
    expect(one.referenceCount).toBe(references);
    const stranger = new Program(context, source).buildSync();
    expect(() => Kernel.fromPointer(stranger, one.pointer)).toThrow(wrongType("pointer"));
    expect(() => Kernel.fromPointer(stranger, one.pointer, { retain: false })).toThrow(wrongValue("options.retain"));
    expect(one.referenceCount).toBe(references);
  });
});
