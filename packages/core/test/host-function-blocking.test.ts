/** Blocking calls on the thread that a pending host function needs throw; calls that can return are allowed. */
import { describe, expect, test } from "vitest";
import { type CommandEvent, CommandQueue, handleCounts, OpenCLError, UserEvent } from "@cl/core";

import { runChild } from "./fixtures/child.js";
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

const refused = expect.objectContaining({ code: "ERR_CL_DEADLOCK", name: "OpenCLError" });

/** Starts a host function that ends when `end()` is called. */
async function begun(on: CommandQueue, waitFor?: CommandEvent): Promise<{ event: CommandEvent; end: () => void }> {
  return new Promise((resolve) => {
    const event = on.enqueueHostFunction(
      () => new Promise<void>((end) => setImmediate(() => resolve({ event, end: () => end() }))),
      { label: "long", ...(waitFor === undefined ? {} : { waitFor }) },
    );
  });
}

describe("on an in-order queue with a pending host function", () => {
  test.each([...blocking, ...finishing])("%s throws before and while the function runs", async (_, block) => {
    const event = queue.enqueueHostFunction(() => undefined, { label: "mine" });
    expect(() => block(queue)).toThrow(errorLike(OpenCLError, "ERR_CL_DEADLOCK"));
    await event.wait();
    const { end } = await begun(queue);
    expect(() => block(queue)).toThrow(refused);
    end();
    await queue.finish();
    block(queue);
  });

  test("a rejected call enqueues nothing and leaks no handle", async () => {
    queue.writeSync(y, Int32Array.of(0, 0, 0, 0));
    const event = queue.enqueueHostFunction(() => undefined);
    const before = handleCounts();
    expect(() => queue.writeSync(y, Int32Array.of(1, 1, 1, 1))).toThrow(refused);
    expect(() => queue.copySync(y, x)).toThrow(refused);
    expect(() => set.launchAndFinishSync(queue, { global: 1 }, y, 9)).toThrow(refused);
    expect(handleCounts()).toEqual(before);
    await event.wait();
    expect([...queue.readSync(y)]).toEqual([0, 0, 0, 0]);
  });

  test("another queue can block on anything that does not depend on the function", async () => {
    const before = queue.enqueueFill(y, 7);
    const { end } = await begun(queue);
    for (const [, block] of [...blocking, ...finishing]) block(other);
    for (const [, block] of blocking) block(other, before);
    before.waitSync();
    end();
    await expect(queue.finish()).resolves.toBeUndefined();
  });
});

describe("on another queue, waiting for the function's event or a later one", () => {
  test.each(blocking)("%s throws", async (_, block) => {
    const { event, end } = await begun(queue);
    const behind = queue.enqueueMarker();
    expect(() => block(other, event)).toThrow(refused);
    expect(() => block(other, behind)).toThrow(refused);
    end();
    await queue.finish();
    await other.finish();
    block(other, event);
    block(other, behind);
  });

  test.each(finishing)("%s throws if a command there depends on the function", async (_, block) => {
    const { event, end } = await begun(queue);
    block(other);
    const there = other.enqueueFill(y, 1, { waitFor: event });
    const third = new CommandQueue(context);
    third.enqueueMarker(there);
    expect(() => block(other)).toThrow(refused);
    expect(() => block(third)).toThrow(refused);
    end();
    await there.wait();
    await third.finish();
    block(other);
    block(third);
  });
});

describe("on an out-of-order queue", () => {
  test.for(blocking)("%s throws if it depends on the function, and may block otherwise", async ([name, block], run) => {
    needs(run, hasOutOfOrder, `'${queue.device.name}' has no out-of-order queues`);
    const keepsOrder = !(await overtakes(outOfOrder));
    const before = outOfOrder.enqueueFill(y, 1);
    const { event, end } = await begun(outOfOrder, before);
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

  test.each(finishing)("%s throws", async (_, block) => {
    const { end } = await begun(outOfOrder);
    expect(() => block(outOfOrder)).toThrow(refused);
    end();
    await outOfOrder.finish();
    block(outOfOrder);
  });

  test("a barrier with a wait list without the function does not wait for it", async (run) => {
    needs(run, hasOutOfOrder, `'${queue.device.name}' has no out-of-order queues`);
    needs(run, await overtakes(outOfOrder), `'${queue.device.name}' runs out-of-order queues in order`);
    const before = outOfOrder.enqueueFill(y, 1);
    const { end } = await begun(outOfOrder);
    expect([...other.readSync(y, { waitFor: outOfOrder.enqueueBarrier(before) })]).toEqual([1, 1, 1, 1]);
    end();
    await outOfOrder.finish();
  });

  test("a read after a barrier that waits for the function throws", async (run) => {
    needs(run, hasOutOfOrder, `'${queue.device.name}' has no out-of-order queues`);
    const { event, end } = await begun(outOfOrder);
    outOfOrder.enqueueWaitForEvents(event);
    expect(() => outOfOrder.readSync(x)).toThrow(refused);
    end();
    await outOfOrder.finish();
    outOfOrder.readSync(x);
  });
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
      for (const [, block] of [...blocking, ...finishing]) {
        block(other);
        try {
          block(queue);
        } catch (error) {
          seen.push((error as { code?: string }).code);
        }
      }
    })
    .wait();
  expect(seen).toEqual(Array.from({ length: blocking.length + finishing.length }, () => "ERR_CL_DEADLOCK"));
});

test("functions that failed or were never called no longer block anything", async () => {
  const bad = new UserEvent(context);
  const failing = queue.enqueueHostFunction(() => Promise.reject(new Error("on purpose")));
  const never = other.enqueueHostFunction(() => undefined, { waitFor: bad });
  bad.fail();
  await Promise.allSettled([failing.wait(), never.wait()]);
  for (const [, block] of [...blocking, ...finishing]) {
    block(queue);
    block(other);
  }
  expect(() => failing.waitSync()).toThrow(errorLike(OpenCLError, "ERR_CL_HOST_FUNCTION"));
});

test("a queue adopted by its pointer counts as the same queue", async () => {
  using twin = CommandQueue.fromPointer(context, queue.pointer);
  const { end } = await begun(twin);
  expect(() => queue.finishSync()).toThrow(refused);
  end();
  await queue.finish();
  twin.finishSync();
});

test("another thread can block on a function of this thread", async () => {
  const { code, stdout, stderr } = await runChild("host-function-thread.mjs");
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "the worker has waited, called\n", stderr: "" });
});
