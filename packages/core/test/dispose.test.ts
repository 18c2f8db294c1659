import { expect, test } from "vitest";
import { CommandQueue, Context, DisposedError, handleCount, handleCounts, type Resource, UserEvent } from "@cl/core";
import { disposed } from "@cl/testing/core-errors";
import { runChild } from "./fixtures/child.js";
import { context } from "./support/kernels.js";

/** A factory for each kind of object, and a call that uses the object. */
const makers: Record<string, () => { object: Resource; use: () => unknown }> = {
  Context() {
    const object = Context.create({ label: "mine" });
    return { object, use: () => new CommandQueue(object) };
  },
  CommandQueue() {
    const object = new CommandQueue(context, { label: "mine" });
    return { object, use: () => object.enqueueMarker() };
  },
  CommandEvent() {
    const object = new CommandQueue(context).enqueueMarker();
    object.label = "mine";
    return { object, use: () => object.status };
  },
  UserEvent() {
    const object = new UserEvent(context, { label: "mine" });
    return { object, use: () => object.complete() };
  },
};

test.each(Object.entries(makers))("releasing a %s twice releases it once", (_, make) => {
  const { object } = make();
  const before = handleCount();
  expect(object.released).toBe(false);
  object.release();
  expect(object.released).toBe(true);
  expect(handleCount()).toBe(before - 1);
  object.release();
  object[Symbol.dispose]();
  expect(handleCount()).toBe(before - 1);
});

test.each(Object.entries(makers))("every use of a released %s throws a DisposedError with its label", (_, make) => {
  const { object, use } = make();
  expect([object.label, String(object)]).toEqual(["mine", expect.stringContaining('"mine"')]);
  object.release();
  for (const act of [use, () => object.pointer, () => (object as Context).getInfo(0)]) {
    expect(act).toThrow(disposed());
    expect(act).toThrow(/"mine" has been released/);
  }
});

test("asynchronous calls on released objects reject", async () => {
  const queue = new CommandQueue(context, { label: "mine" });
  const event = queue.enqueueMarker();
  queue.release();
  event.release();
  await expect(queue.finish()).rejects.toThrow(DisposedError);
  await expect(event.wait()).rejects.toThrow(DisposedError);
  expect(() => queue.finishSync()).toThrow(DisposedError);
  expect(() => event.waitSync()).toThrow(DisposedError);
});

test("`await using` accepts a released queue", async () => {
  const queue = new CommandQueue(context);
  queue.release();
  await expect(queue[Symbol.asyncDispose]()).resolves.toBeUndefined();
});

test("handleCounts counts each kind of object", () => {
  const before = handleCounts();
  const event = new UserEvent(context);
  expect(handleCounts()).toEqual({ ...before, event: (before["event"] ?? 0) + 1 });
  event.release();
  expect(handleCounts()).toEqual(before);
});

test("an object dropped without release is reclaimed by the garbage collector", async () => {
  const { code, stdout } = await runChild("garbage.mjs", { nodeFlags: ["--expose-gc"] });
  expect(JSON.parse(stdout)).toEqual({ before: 0, during: expect.any(Number), after: 0, slots: "reused" });
  expect(code).toBe(0);
});
