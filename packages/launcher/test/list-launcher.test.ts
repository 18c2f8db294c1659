import { CommandQueue, type DeviceBuffer, UserEvent } from "@cl/core";
import { HostLauncher, KernelLauncher, ListLauncher } from "@cl/launcher";

import { describe, expect, test } from "vitest";

import { context, floats, ints, needsUserEvents, program, queue, read, targets } from "./support/device.js";
import { adding, plus } from "./support/launchers.js";
import { disposed } from "@cl/testing/core-errors";
import { outOfRange, wrongState, wrongType, wrongValue } from "@cl/testing/error-like";

type Ints = DeviceBuffer<Int32Array>;

const add = program.kernel("add");
const times = (x: Ints, a: number): KernelLauncher =>
  new KernelLauncher(`times ${a}`, program.kernel("multiply"), { args: [x, a], global: 1 });
const slowly = (x: Ints, a: number): KernelLauncher =>
  new KernelLauncher("slowly", program.kernel("slow_set"), { args: [x, a], global: 1 });

describe.each(targets)("a list on %s", (_, target) => {
  test("runs its members in push order at each launch", async () => {
    const x = ints(0);
    const list = new ListLauncher("step").push(slowly(x, 1), times(x, 3)).push(plus(x, 4));
    expect(list.launch(target)).toBeUndefined();
    list.push(times(x, 2));
    list.launch(target);
    await list.enqueue(target).wait();
    expect(await read(x)).toEqual([14]);
    expect([list.length, list.name, list.order]).toEqual([4, "step", "sequential"]);
  });

  test("passes a parameter's value to all members that use it", async () => {
    const [x, y] = [ints(1), ints(1)];
    const list = new ListLauncher("step")
      .push(adding(x, "one"))
      .push(
        new KernelLauncher("two", program.kernel("multiply"), { args: [x], parameters: { factor: "a" }, global: 1 }),
      )
      .push(adding(y, "three"));
    expect([...list.parameters]).toEqual([
      ["a", { type: "int", launchers: ["one", "three"] }],
      ["factor", { type: "int", launchers: ["two"] }],
    ]);
    list.launch(target, { a: 1, factor: 10 });
    await list.enqueue(target, { a: 2, factor: 100 }).wait();
    expect([await read(x), await read(y)]).toEqual([[2200], [4]]);
  });

  test("runs nested lists with their parameters", async () => {
    const x = ints(0);
    const inner = new ListLauncher("inner").push(times(x, 2));
    const outer = new ListLauncher("outer").push(plus(x, 1), inner, plus(x, 3));
    await outer.enqueue(target).wait();
    expect(await read(x)).toEqual([5]);
    inner.push(adding(x, "late"));
    expect([...outer.parameters.keys()]).toEqual(["a"]);
    expect(() => outer.launch(target)).toThrow(wrongValue());
    await outer.enqueue(target, { a: 100 }).wait();
    expect(await read(x)).toEqual([115]);
  });

  test("runs kernels, copies, fills and host steps in order", async (run) => {
    needsUserEvents(run);
    const [x, y] = [ints(1, 2), ints(0, 0)];
    const [before, after] = [new Int32Array(2), new Int32Array(2)];
    const seen: number[][] = [];
    const list = new ListLauncher("mixed")
      .pushFill("fill", y, 7, { offset: 0, bytes: 8 })
      .push(new KernelLauncher("add", add, { args: [y], parameters: ["a"], global: 2 }))
      .pushCopyDeviceToHost("y before", y, before)
      .push(new HostLauncher("look", ({ t }) => seen.push([t, ...before]), { parameters: { t: "number" } }))
      .pushCopyDeviceToDevice("x to y", x, y)
      .pushCopyDeviceToHost("y after", y, after)
      .pushCopyHostToDevice("before to x", before, x)
      .push(new KernelLauncher("add again", add, { args: [x], parameters: ["a"], global: 2 }));
    await list.enqueue(target, { a: 1, t: 0.5 }).wait();
    expect([[...before], [...after], seen, await read(x)]).toEqual([[8, 8], [1, 2], [[0.5, 8, 8]], [9, 9]]);
    list.launch(target, { a: 2, t: 1.5 });
    list.launch(target, { a: 3, t: 2.5 });
    await target.finish();
    expect(seen).toEqual([
      [0.5, 8, 8],
      [1.5, 9, 9],
      [2.5, 10, 10],
    ]);
    expect([...after]).toEqual([11, 11]);
    expect(await read(x)).toEqual([13, 13]);
  });

  test("does nothing if empty, and its event completes after the events in waitFor", async (run) => {
    const list = new ListLauncher("empty").push(undefined, null).push(new ListLauncher("inside"));
    list.launch(target);
    await list.enqueue(target).wait();
    needsUserEvents(run);
    for (const one of [list, new ListLauncher("without anything", { order: "parallel" })]) {
      const gate = new UserEvent(context);
      const event = one.enqueue(target, {}, { waitFor: gate });
      target.flush();
      expect(event.status).toBeGreaterThan(0);
      setImmediate(() => gate.complete());
      await event.wait();
      expect(gate.status).toBe(0);
    }
  });

  test("throws if a member cannot be launched, and can be launched again", async () => {
    const x = ints(1);
    const lost = ints(1);
    const list = new ListLauncher("step").push(plus(x, 1), plus(lost, 1, "lost one"));
    lost.release();
    expect(() => list.launch(target)).toThrow(disposed());
    const member = plus(ints(1), 1);
    const released = new ListLauncher("released").push(member);
    released.launch(target);
    member.release();
    expect(() => released.launch(target)).toThrow(disposed());
    const size = (): number => wrong;
    let wrong = 0;
    const other = new ListLauncher("other").push(
      plus(x, 10),
      new KernelLauncher("empty", add, { args: [x, 100], global: size }),
    );
    expect(() => other.launch(target)).toThrow(outOfRange());
    wrong = 1;
    await other.enqueue(target).wait();
    expect(await read(x)).toEqual([121]);
  });
});

describe("a list", () => {
  test("uses its own queue and ignores the queues of its members", async () => {
    const x = ints(0);
    const other = new CommandQueue(context);
    const list = new ListLauncher("own", { queue }).push(
      new KernelLauncher("elsewhere", add, { args: [x, 1], global: 1, queue: other }),
    );
    other.release();
    list.launch();
    expect([await read(x), list.defaultQueue, list.queueConfigured]).toEqual([[1], queue, true]);
    expect(() => new ListLauncher("none").launch()).toThrow(wrongState());
  });

  test("can contain a launcher repeatedly and share it with other lists", async () => {
    const x = ints(0);
    const one = adding(x, "one");
    const twice = new ListLauncher("twice").push(one, one);
    const thrice = new ListLauncher("thrice").push(twice, one);
    twice.launch(queue, { a: 1 });
    one.launch(queue, { a: 10 });
    thrice.launch(queue, { a: 100 });
    twice.launch(queue, { a: 1 });
    expect(await read(x)).toEqual([314]);
    expect(thrice.parameters.get("a")?.launchers).toEqual(["one"]);
  });

  test("checks all parameters before it enqueues anything", async () => {
    const [x, y] = [ints(0), floats(0)];
    const list = new ListLauncher("step")
      .push(plus(x, 1))
      .push(
        new KernelLauncher("axpy", program.kernel("axpy"), { args: [floats(1), y, 1], parameters: ["a"], global: 1 }),
      )
      .push(new HostLauncher("host", () => undefined, { parameters: { t: "number" } }));
    const launch = (values: object): unknown => Reflect.apply(list.launch, list, [queue, values]);
    expect(() => launch({ t: 1 })).toThrow(wrongValue());
    expect(() => launch({ a: 1, t: 1, dt: 1 })).toThrow(wrongValue());
    expect(() => launch({ a: "1", t: 1 })).toThrow(wrongType());
    expect(() => launch({ a: 1, t: "1" })).toThrow(wrongType());
    expect(await read(x)).toEqual([0]);
  });

  test("rejects members whose parameters have incompatible types", () => {
    const x = ints(0);
    const list = new ListLauncher("step").push(adding(x, "add"));
    const axpy = new KernelLauncher("axpy", program.kernel("axpy"), {
      args: [floats(0), floats(0), 1],
      parameters: ["a"],
      global: 1,
    });
    expect(() => list.push(plus(x, 1), axpy)).toThrow(wrongValue());
    expect(list.length).toBe(1);
    list.push(new HostLauncher("host", () => undefined, { parameters: { a: "number" } }));
    expect(list.parameters.get("a")).toEqual({ type: "int", launchers: ["add", "host"] });
    expect(() => new ListLauncher("outer").push(list, axpy)).toThrow(wrongValue());
  });

  test("rejects itself as a member, values that are not launchers, and invalid options", () => {
    const list = new ListLauncher("a");
    const inner = new ListLauncher("b").push(new ListLauncher("c").push(list));
    expect(() => list.push(list)).toThrow(wrongValue());
    expect(() => list.push(inner)).toThrow(wrongValue());
    expect(() => list.push(7 as never)).toThrow(wrongType("launchers[0]"));
    expect(() => new ListLauncher("a", { order: "chaos" as "parallel" })).toThrow(wrongType("options.order"));
  });
});
