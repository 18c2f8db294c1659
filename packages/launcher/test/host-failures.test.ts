/** Failing host steps, in lists and alone. */
import type { OpenCLError } from "@cl/core";
import { CopyLauncher, HostLauncher, KernelLauncher, ListLauncher } from "@cl/launcher";
import { afterEach, describe, expect, test } from "vitest";

import { needs, turns, until } from "@cl/base/testing";
import { context, ints, outOfOrder, program, queue, readNow } from "./support/device.js";

const add = program.kernel("add");
const hasUserEvents = !context.devices.some(({ name }) => name.startsWith("basic"));
const targets = [
  ["an in-order queue", queue],
  ["an out-of-order queue", outOfOrder],
] as const;

afterEach(async () => {
  await Promise.all(targets.map(([, target]) => target.finish().catch(() => undefined)));
});

const steps = [
  [
    "that throws",
    () => {
      throw new RangeError("no such luck");
    },
  ],
  [
    "that rejects",
    async () => {
      await turns();
      throw new RangeError("no such luck");
    },
  ],
] as const;

/** Returns the error of an event. */
const failure = async (event: { wait(): Promise<void> }): Promise<OpenCLError> =>
  event.wait().then(
    () => expect.unreachable("the event should have failed"),
    (error: unknown) => error as OpenCLError,
  );

/** Returns the last error of the cause chain. */
const root = (error: Error): unknown => (error.cause instanceof Error ? root(error.cause) : error);

describe.each(targets)("a failing host step on %s", (_, target) => {
  describe.each(steps)("%s", (__, run) => {
    test.for([
      ["at the end", 0],
      ["before a kernel", 1],
      ["before a kernel, a host step and a copy to the host", 3],
    ] as const)("%s fails the rest of the list, whose event has the cause", async ([, after], testing) => {
      needs(testing, hasUserEvents, "the device has no user events");
      const [x, host] = [ints(0), new Int32Array(1)];
      const called: string[] = [];
      const one = new KernelLauncher("add", add, { args: [x, 1], global: 1 });
      let fails = true;
      const bad = new HostLauncher("bad", () => (fails ? run() : undefined));
      const follow = [
        one,
        new HostLauncher("next", () => called.push("next")),
        new CopyLauncher("out", { source: x, target: host }),
      ];
      const list = new ListLauncher("list").push(one, bad, ...follow.slice(0, after));
      for (let launches = 1; launches <= 2; launches++) {
        const error = await failure(list.enqueue(target));
        expect(error.message).toContain('host function "bad" failed: no such luck');
        expect(root(error)).toBeInstanceOf(RangeError);
        expect(await readNow(x)).toEqual([launches]);
      }
      expect(called).toEqual([]);
      expect([...host]).toEqual([0]);
      // The list remains usable.
      await target.finish().catch(() => undefined);
      fails = false;
      await list.enqueue(target).wait();
      expect(await readNow(x)).toEqual([after > 0 ? 4 : 3]);
      expect(called).toEqual(after > 1 ? ["next"] : []);
    });

    test("in a nested list fails the outer list with the cause", async (testing) => {
      needs(testing, hasUserEvents, "the device has no user events");
      const x = ints(0);
      const one = new KernelLauncher("add", add, { args: [x, 1], global: 1 });
      const inner = new ListLauncher("inner").push(one, new HostLauncher("bad", run), one);
      const outer = new ListLauncher("outer").push(inner, one, new ListLauncher("more").push(one));
      const error = await failure(outer.enqueue(target));
      expect(root(error)).toBeInstanceOf(RangeError);
      expect(await readNow(x)).toEqual([1]);
    });

    test("does not block other members of a parallel list, and fails the list's event", async (testing) => {
      needs(testing, hasUserEvents, "the device has no user events");
      const [x, y] = [ints(0), ints(0)];
      const list = new ListLauncher("list", { order: "parallel" }).push(
        new KernelLauncher("one", add, { args: [x, 1], global: 1 }),
        new HostLauncher("bad", run),
        new KernelLauncher("two", add, { args: [y, 1], global: 1 }),
      );
      const error = await failure(list.enqueue(target));
      expect(root(error)).toBeInstanceOf(RangeError);
      expect(await readNow(x)).toEqual([1]);
    });

    test("fails commands that wait for the list", async (testing) => {
      needs(testing, hasUserEvents, "the device has no user events");
      const list = new ListLauncher("list").push(new HostLauncher("bad", run));
      const next = new ListLauncher("next").push(new KernelLauncher("add", add, { args: [ints(0), 1], global: 1 }));
      const event = list.enqueue(target);
      const end = failure(next.enqueue(outOfOrder, {}, { waitFor: event }));
      expect(root(await failure(event))).toBeInstanceOf(RangeError);
      expect((await end).message).not.toBe("");
    });
  });

  test("does not affect later launches of its list", async (testing) => {
    needs(testing, hasUserEvents, "the device has no user events");
    const x = ints(0);
    const one = new KernelLauncher("add", add, { args: [x, 1], global: 1 });
    const bad = new HostLauncher("bad", () => {
      throw new Error("each time");
    });
    const list = new ListLauncher("list").push(one, bad, one);
    for (let n = 0; n < 200; n++) {
      // The list's event can fail before the driver has finished the other commands.
      await list
        .enqueue(target)
        .wait()
        .catch(() => undefined);
      await target.finish().catch(() => undefined);
    }
    expect(await readNow(x)).toEqual([200]);
  });

  test("emits a process warning if it was launched without an event", async (testing) => {
    needs(testing, hasUserEvents, "the device has no user events");
    const warnings: Error[] = [];
    const note = (warning: Error): void => void (warning.name === "HostFunctionWarning" && warnings.push(warning));
    process.on("warning", note);
    try {
      const bad = new HostLauncher("bad", () => {
        throw new Error("alone");
      });
      const listed = new HostLauncher("listed", () => {
        throw new Error("in a list");
      });
      bad.launch(target);
      await target.finish().catch(() => undefined);
      new ListLauncher("list")
        .push(listed, new KernelLauncher("add", add, { args: [ints(0), 1], global: 1 }))
        .launch(target);
      await target.finish().catch(() => undefined);
      await until(() => warnings.length > 1);
    } finally {
      process.off("warning", note);
    }
    expect(warnings.map(({ message }) => message)).toEqual([
      'host function "bad" failed: alone (its event is not awaited)',
      'host function "listed" failed: in a list (its event is not awaited)',
    ]);
  });
});
