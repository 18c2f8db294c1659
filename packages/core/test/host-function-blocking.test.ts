/** What blocks the thread that a pending host function needs throws a sentence; what would return is not refused. */
import { describe, expect, test } from "vitest";
import { type CommandEvent, CommandQueue, Context, handleCounts, UserEvent } from "@cl/core";

import { runChild } from "./fixtures/child.js";
import { blockingCalls } from "./support/blocking-calls.js";
import { needs } from "@cl/base/testing";
import { OpenCLError } from "@cl/core";
import { errorLike } from "@cl/testing/error-like";
import { overtakes } from "./support/overtaking.js";

const context = Context.create();
const queue = new CommandQueue(context);
const other = new CommandQueue(context);
const hasOutOfOrder = queue.device.hasQueueOutOfOrderExecMode;
const outOfOrder = new CommandQueue(context, { outOfOrder: hasOutOfOrder });
const isPocl = queue.device.platform.name === "Portable Computing Language";
const { blocking, finishing, x, y, set } = blockingCalls(context);

const refused = expect.objectContaining({ code: "ERR_CL_DEADLOCK", name: "OpenCLError" });

/** A function that has begun and does not end before it is told. */
async function begun(on: CommandQueue, waitFor?: CommandEvent): Promise<{ event: CommandEvent; end: () => void }> {
  return new Promise((resolve) => {
    const event = on.enqueueHostFunction(
      () => new Promise<void>((end) => setImmediate(() => resolve({ event, end: () => end() }))),
      { label: "long", ...(waitFor === undefined ? {} : { waitFor }) },
    );
  });
}

describe("with a host function before it on an in-order queue", () => {
  test.each([...blocking, ...finishing])("%s throws, whether the function has begun or not", async (_, block) => {
    const event = queue.enqueueHostFunction(() => undefined, { label: "mine" });
    expect(() => block(queue)).toThrow(refused);
    expect(() => block(queue)).toThrow(errorLike(OpenCLError, "ERR_CL_DEADLOCK"));
    await event.wait();
    const { end } = await begun(queue);
    expect(() => block(queue)).toThrow(refused);
    end();
    await queue.finish();
    block(queue);
  });

  test("what is refused has not been enqueued", async () => {
    queue.writeSync(y, Int32Array.of(0, 0, 0, 0));
    const event = queue.enqueueHostFunction(() => undefined);
    expect(() => queue.writeSync(y, Int32Array.of(1, 1, 1, 1))).toThrow(refused);
    expect(() => queue.copySync(y, x)).toThrow(refused);
    expect(() => set.launchAndFinishSync(queue, { global: 1 }, y, 9)).toThrow(refused);
    await event.wait();
    expect([...queue.readSync(y)]).toEqual([0, 0, 0, 0]);
  });

  test("another queue may block, on anything that does not wait for it", async () => {
    const before = queue.enqueueFill(y, 7);
    const { end } = await begun(queue);
    for (const [, block] of [...blocking, ...finishing]) block(other);
    for (const [, block] of blocking) block(other, before);
    before.waitSync();
    end();
    await expect(queue.finish()).resolves.toBeUndefined();
  });
});

describe("on another queue, behind events of the function's", () => {
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

  test.each(finishing)("%s throws once something there waits for it", async (_, block) => {
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
  test.for(blocking)("%s throws behind its event, and works beside it", async ([name, block], run) => {
    needs(run, hasOutOfOrder, `'${queue.device.name}' has no out-of-order queues`);
    const keepsOrder = !(await overtakes(outOfOrder));
    const before = outOfOrder.enqueueFill(y, 1);
    const { event, end } = await begun(outOfOrder, before);
    // These wait for everything before them, on PoCL every blocking command does, and elsewhere perhaps all.
    const isOrder =
      keepsOrder || /Marker|Barrier|nothing|list/.test(name) || (isPocl && !/and wait|between buffers/.test(name));
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

  test("what is behind a barrier that waits for it throws", async (run) => {
    needs(run, hasOutOfOrder, `'${queue.device.name}' has no out-of-order queues`);
    const { event, end } = await begun(outOfOrder);
    outOfOrder.enqueueWaitForEvents(event);
    expect(() => outOfOrder.readSync(x)).toThrow(refused);
    end();
    await outOfOrder.finish();
    outOfOrder.readSync(x);
  });
});

test("ten thousand functions later the last is still known, and its end, too", async () => {
  const gate = new UserEvent(context);
  const events = Array.from({ length: 10_000 }, () => queue.enqueueHostFunction(() => undefined, { waitFor: gate }));
  expect(() => queue.finishSync()).toThrow(refused);
  other.finishSync();
  gate.complete();
  await events.at(-1)?.wait();
  queue.finishSync();
}, 240_000);

test("inside a synchronous function its own queue cannot be waited for, others can", async () => {
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

test("a function that failed, or was never called, blocks nobody", async () => {
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

test("the same queue by its address is the same queue", async () => {
  using twin = CommandQueue.fromPointer(context, queue.pointer);
  const { end } = await begun(twin);
  expect(() => queue.finishSync()).toThrow(refused);
  end();
  await queue.finish();
  twin.finishSync();
});

test("refusals leave no handles behind", async () => {
  const event = queue.enqueueHostFunction(() => undefined);
  const before = handleCounts();
  for (const [name, block] of [...blocking, ...finishing]) {
    // Their events belong to whoever enqueued them.
    if (/and wait/.test(name)) continue;
    expect(() => block(queue), name).toThrow(refused);
  }
  expect(handleCounts()).toEqual(before);
  await event.wait();
});

test("another thread may block on a function of this one", async () => {
  const { code, stdout, stderr } = await runChild("host-function-thread.mjs");
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "the worker has waited, called\n", stderr: "" });
});
