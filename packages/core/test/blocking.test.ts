/**
 * Calls that block the thread on a host function or a user event that only this thread can end throw; calls that can
 * return are allowed.
 */
import { describe, expect, test } from "vitest";
import { type CommandEvent, CommandQueue, handleCounts, OpenCLError, UserEvent } from "@cl/core";

import { runChild } from "./fixtures/child.js";
import { nativeFunctions } from "./native-kernels/build.js";
import { blockingCalls } from "./support/blocking-calls.js";
import { needs } from "@cl/base/testing";
import { errorLike } from "@cl/testing/error-like";
import { caseCount } from "@cl/testing/level";
import { overtakes } from "./support/overtaking.js";
import { context, queue } from "./support/kernels.js";

const other = new CommandQueue(context);
const hasOutOfOrder = queue.device.hasQueueOutOfOrderExecMode;
const outOfOrder = new CommandQueue(context, { outOfOrder: hasOutOfOrder });
const isPocl = queue.device.platform.name === "Portable Computing Language";
const { blocking, finishing, x, y, set } = blockingCalls(context);
const all = [...blocking, ...finishing];

const refused = expect.objectContaining({ code: "ERR_CL_DEADLOCK", name: "OpenCLError" });

/** A pending event, and the function that ends it. */
interface Pending {
  readonly event: CommandEvent;
  end(): void;
}

/** Starts a host function that ends when `end()` is called. */
async function startFunction(on: CommandQueue, waitFor?: CommandEvent): Promise<Pending> {
  return new Promise((resolve) => {
    const event = on.enqueueHostFunction(
      () => new Promise<void>((end) => setImmediate(() => resolve({ event, end: () => end() }))),
      { label: "long", ...(waitFor === undefined ? {} : { waitFor }) },
    );
  });
}

/** Enqueues a marker that waits for a user event. */
async function startUserEvent(on: CommandQueue): Promise<Pending> {
  const gate = new UserEvent(context);
  return { event: on.enqueueMarker(gate), end: () => gate.complete() };
}

describe.each([
  ["host function", startFunction],
  ["user event", startUserEvent],
])("with a pending %s", (_, start) => {
  test.each(all)("%s throws on its in-order queue until it ends, but not on another queue", async (__, block) => {
    const before = queue.enqueueFill(y, 7);
    const { end } = await start(queue);
    expect(() => block(queue)).toThrow(refused);
    block(other);
    before.waitSync();
    end();
    await queue.finish();
    block(queue);
  });

  test("a rejected call enqueues nothing and leaks no handle", async () => {
    queue.writeSync(y, Int32Array.of(0, 0, 0, 0));
    const { event, end } = await start(queue);
    const launch = (): void => set.launchAndFinishSync(other, { global: 1, waitFor: event }, y, 9);
    const before = handleCounts();
    for (const [name, block] of all) {
      // These create events that the caller must release.
      if (!name.includes("and wait")) expect(() => block(queue), name).toThrow(refused);
    }
    expect(launch).toThrow(refused);
    expect(handleCounts()).toEqual(before);
    end();
    await event.wait();
    expect([...queue.readSync(y)]).toEqual([0, 0, 0, 0]);
  });

  test.each(blocking)("%s throws on another queue if it waits for it or a later command", async (__, block) => {
    const { event, end } = await start(queue);
    const behind = queue.enqueueMarker();
    const there = outOfOrder.enqueueMarker(event);
    for (const waitFor of [event, behind, there]) expect(() => block(other, waitFor)).toThrow(refused);
    end();
    await Promise.all([queue, outOfOrder, other].map((one) => one.finish()));
    for (const waitFor of [event, behind, there]) block(other, waitFor);
  });

  test.each(finishing)("%s throws on a queue with a command that depends on it", async (__, block) => {
    const { event, end } = await start(queue);
    block(other);
    const there = other.enqueueFill(y, 1, { waitFor: event });
    const third = new CommandQueue(context);
    third.enqueueMarker(there);
    for (const target of [other, third]) expect(() => block(target)).toThrow(refused);
    end();
    await there.wait();
    await third.finish();
    for (const target of [other, third]) block(target);
  });

  test.for(finishing)("%s throws on its out-of-order queue", async ([, block], run) => {
    needs(run, hasOutOfOrder, `'${queue.device.name}' has no out-of-order queues`);
    const { end } = await start(outOfOrder);
    expect(() => block(outOfOrder)).toThrow(refused);
    end();
    await outOfOrder.finish();
    block(outOfOrder);
  });
});

describe("with a host function on an in-order queue", () => {
  test.each(all)("%s throws before the function runs", async (_, block) => {
    const event = queue.enqueueHostFunction(() => undefined, { label: "mine" });
    expect(() => block(queue)).toThrow(errorLike(OpenCLError, "ERR_CL_DEADLOCK"));
    await event.wait();
  });

  test("the last of thousands of functions is tracked until it ends", async () => {
    const gate = new UserEvent(context);
    const events = Array.from({ length: caseCount(10_000) }, () =>
      queue.enqueueHostFunction(() => undefined, { waitFor: gate }),
    );
    expect(() => queue.finishSync()).toThrow(refused);
    other.finishSync();
    gate.complete();
    await events.at(-1)?.wait();
    queue.finishSync();
  });

  test("a synchronous function can block on other queues but not on its own", async () => {
    const seen: unknown[] = [];
    await queue
      .enqueueHostFunction(() => {
        for (const [, block] of all) {
          block(other);
          try {
            block(queue);
          } catch (error) {
            seen.push((error as { code?: string }).code);
          }
        }
      })
      .wait();
    expect(seen).toEqual(all.map(() => "ERR_CL_DEADLOCK"));
  });

  test("functions that failed or were never called no longer block anything", async () => {
    const bad = new UserEvent(context);
    const failing = queue.enqueueHostFunction(() => Promise.reject(new Error("on purpose")));
    const never = other.enqueueHostFunction(() => undefined, { waitFor: bad });
    bad.fail();
    await Promise.allSettled([failing.wait(), never.wait()]);
    for (const [, block] of all) for (const target of [queue, other]) block(target);
    expect(() => failing.waitSync()).toThrow(errorLike(OpenCLError, "ERR_CL_HOST_FUNCTION"));
  });

  test("a queue adopted by its pointer counts as the same queue", async () => {
    using twin = CommandQueue.fromPointer(context, queue.pointer);
    const { end } = await startFunction(twin);
    expect(() => queue.finishSync()).toThrow(refused);
    end();
    await queue.finish();
    twin.finishSync();
  });

  test("another thread can block on a function of this thread", async () => {
    const { code, stdout, stderr } = await runChild("host-function-thread.mjs");
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "the worker has waited, called\n", stderr: "" });
  });
});

describe("with a host function on an out-of-order queue", () => {
  test.for(blocking)("%s throws if it depends on the function, and may block otherwise", async ([name, block], run) => {
    needs(run, hasOutOfOrder, `'${queue.device.name}' has no out-of-order queues`);
    const keepsOrder = !(await overtakes(outOfOrder));
    const before = outOfOrder.enqueueFill(y, 1);
    const { event, end } = await startFunction(outOfOrder, before);
    // These calls wait for all earlier commands. On PoCL every blocking command does, and other drivers may run in order.
    const isOrder =
      keepsOrder || /Marker|Barrier|empty|list/.test(name) || (isPocl && !/and wait|between buffers/.test(name));
    if (isOrder) expect(() => block(outOfOrder)).toThrow(refused);
    else block(outOfOrder);
    expect(() => block(outOfOrder, event)).toThrow(refused);
    end();
    await outOfOrder.finish();
    block(outOfOrder, event);
  });

  test("a barrier waits for the function only if it is in its wait list", async (run) => {
    needs(run, hasOutOfOrder, `'${queue.device.name}' has no out-of-order queues`);
    needs(run, await overtakes(outOfOrder), `'${queue.device.name}' runs out-of-order queues in order`);
    const before = outOfOrder.enqueueFill(y, 1);
    const { event, end } = await startFunction(outOfOrder);
    expect([...other.readSync(y, { waitFor: outOfOrder.enqueueBarrier(before) })]).toEqual([1, 1, 1, 1]);
    outOfOrder.enqueueWaitForEvents(event);
    expect(() => outOfOrder.readSync(x)).toThrow(refused);
    end();
    await outOfOrder.finish();
    outOfOrder.readSync(x);
  });
});

describe("with a user event", () => {
  test("its waitSync throws, and so does a call behind a host function that waits for it", async () => {
    const gate = new UserEvent(context);
    expect(() => gate.waitSync()).toThrow(refused);
    const done = queue.enqueueHostFunction(() => undefined, { waitFor: gate }).wait();
    expect(() => queue.finishSync()).toThrow(refused);
    gate.complete();
    await done;
    queue.finishSync();
  });

  test.each(["complete", "fail", "release"] as const)("calls block again after %s() of the event", async (end) => {
    const gate = new UserEvent(context);
    const event = queue.enqueueMarker(gate);
    expect(() => queue.finishSync()).toThrow(refused);
    gate[end]();
    await queue.finish().catch(() => undefined);
    if (end === "complete") event.waitSync();
    for (const [, block] of all) block(queue);
  });

  test("the end of each of thousands of events before a command is tracked", async () => {
    const gates = Array.from({ length: 5000 }, () => new UserEvent(context));
    const events = gates.map((gate) => queue.enqueueMarker(gate));
    const [first, ...rest] = gates;
    for (const gate of rest.toReversed()) gate.complete();
    expect(() => queue.finishSync()).toThrow(refused);
    expect(() => (events.at(-1) as CommandEvent).waitSync()).toThrow(refused);
    first?.complete();
    queue.finishSync();
    expect(events.every(({ statusName }) => statusName === "COMPLETE")).toBe(true);
  });

  test("a call blocks on an adopted event, which another thread completes meanwhile", async () => {
    const { code, stdout, stderr, hung } = await runChild("user-event-thread.mjs");
    const ended = { code: 0, stdout: "finished, completed\n", stderr: "", hung: false };
    expect({ code, stdout, stderr, hung }).toEqual(ended);
  });

  test("a call blocks on an event whose pointer was read, since other code may complete it", (run) => {
    const functions = nativeFunctions();
    needs(run, functions !== undefined, "there is no C compiler");
    const gate = new UserEvent(context);
    const event = queue.enqueueMarker(gate);
    expect(() => queue.finishSync()).toThrow(refused);
    const { pointer } = gate;
    functions?.completeOnThread(pointer);
    queue.finishSync();
    expect([gate.statusName, event.statusName]).toEqual(["COMPLETE", "COMPLETE"]);
  });
});
