/** Lists and launchers that are released or garbage-collected while they are in use. */
import { CommandQueue, DeviceBuffer, DisposedError, handleCounts, Program, UserEvent } from "@cl/core";
import { FillLauncher, HostLauncher, IterativeLauncher, KernelLauncher, ListLauncher } from "@cl/launcher";
import { describe, expect, test } from "vitest";

import { collectUntil, needs } from "@cl/base/testing";
import { errorLike } from "@cl/testing/error-like";
import { context, ints, outOfOrder, program, queue, read, readNow } from "./support/device.js";

const add = program.kernel("add");
const hasUserEvents = !context.devices.some(({ name }) => name.startsWith("basic"));
const targets = [
  ["an in-order queue", queue],
  ["an out-of-order queue", outOfOrder],
] as const;

describe.each(targets)("on %s", (_, target) => {
  test("a list, its members and their kernels can be released while launches are pending", async (run) => {
    needs(run, hasUserEvents, "the device has no user events");
    const [x, y] = [ints(0), ints(0)];
    const own = new Program(
      context,
      "__kernel void add(__global int *x, int a) { x[get_global_id(0)] += a; }",
    ).buildSync();
    const kernel = own.kernel("add");
    const one = new KernelLauncher("one", kernel, { args: [x, 1], global: 1 });
    const two = new KernelLauncher("two", own, { args: [x], parameters: ["a"], global: 1 });
    const list = new ListLauncher("list").push(one, two).pushCopyDeviceToDevice("out", x, y);
    const gate = new UserEvent(context);
    const events = [1, 2, 3].map((a) => list.enqueue(target, { a }, { waitFor: gate }));
    for (const resource of [list, one, two, kernel, own]) resource.release();
    expect(() => list.launch(target, { a: 1 })).toThrow(DisposedError);
    gate.complete();
    await Promise.all(events.map((event) => event.wait()));
    expect(await readNow(y)).toEqual([9]);
  });

  test("a list with a released member cannot be launched", async () => {
    const x = ints(0);
    const one = new KernelLauncher("one", add, { args: [x, 1], global: 1 });
    const list = new ListLauncher("list").push(one);
    list.launch(target);
    one.release();
    expect(() => list.launch(target)).toThrow(errorLike(DisposedError, "ERR_CL_DISPOSED"));
    await target.finish();
    expect(await readNow(x)).toEqual([1]);
  });

  test("a released buffer does not affect pending launches, but makes the next launch throw", async (run) => {
    needs(run, hasUserEvents, "the device has no user events");
    const [x, y] = [ints(1), ints(0)];
    const list = new ListLauncher("list")
      .push(new KernelLauncher("one", add, { args: [x, 1], global: 1 }))
      .pushCopyDeviceToDevice("out", x, y);
    const gate = new UserEvent(context);
    const event = list.enqueue(target, {}, { waitFor: gate });
    x.release();
    gate.complete();
    await event.wait();
    expect(await readNow(y)).toEqual([2]);
    expect(() => list.launch(target)).toThrow(errorLike(DisposedError, "ERR_CL_DISPOSED"));
    await target.finish();
  });

  test("a list whose host array was transferred cannot be launched", async () => {
    const [x, host] = [ints(7), new Int32Array(1)];
    const list = new ListLauncher("list").pushCopyDeviceToHost("out", x, host);
    await list.enqueue(target).wait();
    expect([...host]).toEqual([7]);
    structuredClone(host.buffer, { transfer: [host.buffer] });
    expect(() => list.launch(target)).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_VALUE"));
    await target.finish();
  });
});

describe("a queue", () => {
  test.each([false, true])(
    "with outOfOrder: %s completes pending lists after its release, and rejects new launches",
    async (order) => {
      const own = new CommandQueue(context, { outOfOrder: order });
      const x = ints(0);
      const list = new ListLauncher("list").push(new KernelLauncher("one", add, { args: [x, 1], global: 1 }));
      for (let n = 0; n < 50; n++) list.launch(own);
      const event = list.enqueue(own);
      own.release();
      await event.wait();
      expect(await readNow(x)).toEqual([51]);
      expect(() => list.launch(own)).toThrow(DisposedError);
      // The list works on another queue.
      await list.enqueue(queue).wait();
      expect(await readNow(x)).toEqual([52]);
    },
  );
});

test("aborting the waits for hundreds of pending launches does not cancel the launches", async (run) => {
  needs(run, hasUserEvents, "the device has no user events");
  const x = ints(0);
  const list = new ListLauncher("list").push(
    new KernelLauncher("one", add, { args: [x], parameters: ["a"], global: 1 }),
    new FillLauncher("fill", { target: ints(0), pattern: 1 }),
  );
  const gate = new UserEvent(context);
  queue.enqueueBarrier(gate).release();
  const own = new AbortController();
  // Few enough that launch() does not block.
  for (let n = 0; n < 100; n++) list.launch(queue, { a: 1 });
  const waits = Array.from({ length: 200 }, () => list.enqueue(queue, { a: 1 }).wait({ signal: own.signal }));
  const finished = queue.finish({ signal: own.signal });
  own.abort(new Error("enough"));
  for (const end of await Promise.allSettled([...waits, finished])) {
    expect(end).toMatchObject({ status: "rejected", reason: { message: "enough" } });
  }
  gate.complete();
  await queue.finish();
  expect(await read(x)).toEqual([300]);
});

describe("two launchers of one kernel", () => {
  test("do not affect each other or the kernel in any launch order", async () => {
    const [x, y, z] = [ints(0), ints(0), ints(0)];
    const a = new KernelLauncher("a", program, { kernel: "add", args: [x], parameters: ["a"], global: 1 });
    const b = new KernelLauncher("b", add, { args: [y, 10], global: 1 });
    const sweep = new IterativeLauncher("sweep", add, {
      args: [z],
      parameters: ["a"],
      iterate: { a: [100, 200] },
      global: 1,
    });
    add.setArgs(x, 1000);
    const both = new ListLauncher("both").push(a, b, sweep, a);
    both.launch(queue, { a: 1 });
    b.launch(queue);
    a.launch(queue, { a: 2 });
    sweep.launch(queue);
    both.launch(queue, { a: 3 });
    expect(await Promise.all([x, y, z].map(read))).toEqual([[10], [30], [900]]);
    add.launchWithSetArgs(queue, { global: 1 });
    expect(await read(x)).toEqual([1010]);
  });

  test("give the same result at each launch", async () => {
    const source = ints(5);
    const x = ints(0);
    const list = new ListLauncher("list")
      .pushCopyDeviceToDevice("start", source, x)
      .push(new KernelLauncher("add", add, { args: [x], parameters: ["a"], global: 1 }))
      .push(new KernelLauncher("multiply", program.kernel("multiply"), { args: [x, 3], global: 1 }));
    for (const target of [queue, outOfOrder, queue]) {
      for (let n = 0; n < 5; n++) {
        await list.enqueue(target, { a: 2 }).wait();
        expect(await readNow(x)).toEqual([21]);
      }
    }
  });
});

describe("garbage collection", () => {
  test("frees unreferenced lists, launchers, kernels and recordings", async () => {
    const before = { ...handleCounts() };
    const make = async (): Promise<void> => {
      const x = DeviceBuffer.from(context, Int32Array.of(0));
      const one = new KernelLauncher("one", add, { args: [x], parameters: ["a"], global: 1 });
      const sweep = new IterativeLauncher("sweep", add, {
        args: [x],
        parameters: ["a"],
        iterate: { a: [1] },
        global: 1,
      });
      const inner = new ListLauncher("inner").push(one, sweep);
      const list = new ListLauncher("list").push(inner, one).pushCopyDeviceToDevice("copy", x, ints(0));
      if (hasUserEvents) list.push(new HostLauncher("host", () => undefined));
      for (const target of [queue, outOfOrder]) {
        list.launch(target, { a: 1 });
        await list.enqueue(target, { a: 2 }).wait();
      }
      list.parameterTable();
      await Promise.all([queue.finish(), outOfOrder.finish()]);
    };
    for (let n = 0; n < 10; n++) await make();
    const kinds = ["kernel", "list", "memory", "event"];
    const grown = (): boolean => kinds.some((kind) => (handleCounts()[kind] ?? 0) > (before[kind] ?? 0));
    expect(await collectUntil(() => !grown()), JSON.stringify([before, handleCounts()])).toBe(true);
  });

  test("does not free the members of a referenced list or their buffers", async () => {
    const make = (): { list: ListLauncher<{ readonly a: number }>; out: Int32Array } => {
      const out = new Int32Array(1);
      const x = DeviceBuffer.from(context, Int32Array.of(40));
      const list = new ListLauncher("list")
        .push(new KernelLauncher("one", add, { args: [x], parameters: ["a"], global: 1 }))
        .pushCopyDeviceToHost("out", x, out);
      return { list, out };
    };
    const { list, out } = make();
    await collectUntil(() => false);
    await list.enqueue(queue, { a: 2 }).wait();
    expect([...out]).toEqual([42]);
  });
});
