/** A call that blocks the thread on a user event that only this thread can complete throws; other calls block. */
import { describe, expect, test } from "vitest";
import { type CommandEvent, CommandQueue, handleCounts, UserEvent } from "@cl/core";

import { runChild } from "./fixtures/child.js";
import { nativeFunctions } from "./native-kernels/build.js";
import { blockingCalls } from "./support/blocking-calls.js";
import { needs } from "@cl/base/testing";
import { context, queue } from "./support/kernels.js";

const other = new CommandQueue(context);
const hasOutOfOrder = queue.device.hasQueueOutOfOrderExecMode;
const outOfOrder = new CommandQueue(context, { outOfOrder: hasOutOfOrder });
const { blocking, finishing, x, y, set } = blockingCalls(context);

const deadlockError = expect.objectContaining({ code: "ERR_CL_DEADLOCK", name: "OpenCLError" });

/** Runs `body` with a pending user event and completes it afterwards, even if `body` throws. */
async function withGate(body: (gate: UserEvent) => void): Promise<void> {
  const gate = new UserEvent(context);
  try {
    body(gate);
  } finally {
    gate.complete();
    await Promise.all([queue, other, outOfOrder].map((one) => one.finish()));
  }
}

describe("with an earlier pending user event on an in-order queue", () => {
  test.each([...blocking, ...finishing])("%s throws until the event has completed", async (_, block) => {
    await withGate((gate) => {
      queue.enqueueMarker(gate).release();
      expect(() => block(queue)).toThrow(deadlockError);
      block(other);
    });
    block(queue);
  });

  test("a rejected command is not enqueued", async () => {
    queue.writeSync(y, Int32Array.of(0, 0, 0, 0));
    await withGate((gate) => {
      queue.enqueueMarker(gate).release();
      expect(() => queue.writeSync(y, Int32Array.of(1, 1, 1, 1))).toThrow(deadlockError);
      expect(() => queue.copySync(y, x)).toThrow(deadlockError);
      expect(() => set.launchAndFinishSync(queue, { global: 1 }, y, 9)).toThrow(deadlockError);
    });
    expect([...queue.readSync(y)]).toEqual([0, 0, 0, 0]);
  });

  test("a rejected call leaks no handles", async () => {
    await withGate((gate) => {
      queue.enqueueMarker(gate).release();
      const before = handleCounts();
      for (const [name, block] of [...blocking, ...finishing]) {
        // These create events that the caller must release.
        if (name.includes("and wait")) continue;
        expect(() => block(queue), name).toThrow(deadlockError);
      }
      expect(handleCounts()).toEqual(before);
    });
  });
});

describe("with a pending user event in the wait list", () => {
  test.each(blocking)("%s throws, directly and through another queue", async (_, block) => {
    await withGate((gate) => {
      expect(() => block(queue, gate)).toThrow(deadlockError);
      const behind = other.enqueueMarker(gate);
      expect(() => block(outOfOrder, behind)).toThrow(deadlockError);
    });
  });

  test("waitSync of the user event itself throws", async () => {
    await withGate((gate) => {
      expect(() => gate.waitSync()).toThrow(deadlockError);
    });
  });

  test("launchAndFinishSync throws before it enqueues the launch", async () => {
    queue.writeSync(y, Int32Array.of(0, 0, 0, 0));
    await withGate((gate) => {
      expect(() => set.launchAndFinishSync(queue, { global: 1, waitFor: gate }, y, 9)).toThrow(deadlockError);
    });
    expect([...queue.readSync(y)]).toEqual([0, 0, 0, 0]);
  });
});

test.for(finishing)("on an out-of-order queue, %s throws", async ([, block], run) => {
  needs(run, hasOutOfOrder, `'${queue.device.name}' has no out-of-order queues`);
  await withGate((gate) => {
    outOfOrder.enqueueMarker(gate).release();
    expect(() => block(outOfOrder)).toThrow(deadlockError);
  });
  block(outOfOrder);
});

test("rejects a host function of this thread that waits for the event", async () => {
  let done: Promise<void> | undefined;
  await withGate((gate) => {
    done = queue.enqueueHostFunction(() => undefined, { waitFor: gate }).wait();
    expect(() => queue.finishSync()).toThrow(deadlockError);
  });
  await done;
  queue.finishSync();
});

test.each(["complete", "fail", "release"] as const)("calls block again after %s() of the event", async (end) => {
  const gate = new UserEvent(context);
  const event = queue.enqueueMarker(gate);
  expect(() => queue.finishSync()).toThrow(deadlockError);
  gate[end]();
  await queue.finish().catch(() => undefined);
  if (end === "complete") event.waitSync();
  for (const [, block] of [...blocking, ...finishing]) block(queue);
});

test("tracks thousands of pending user events before a command, and the end of each", async () => {
  const gates = Array.from({ length: 5000 }, () => new UserEvent(context));
  const events = gates.map((gate) => queue.enqueueMarker(gate));
  const [first, ...rest] = gates;
  for (const gate of rest.toReversed()) gate.complete();
  expect(() => queue.finishSync()).toThrow(deadlockError);
  expect(() => (events.at(-1) as CommandEvent).waitSync()).toThrow(deadlockError);
  first?.complete();
  queue.finishSync();
  expect(events.every(({ statusName }) => statusName === "COMPLETE")).toBe(true);
});

test("a call blocks on an adopted user event, which another thread completes meanwhile", async () => {
  const { code, stdout, stderr, hung } = await runChild("user-event-thread.mjs");
  expect({ code, stdout, stderr, hung }).toEqual({ code: 0, stdout: "finished, completed\n", stderr: "", hung: false });
});

test("a call blocks on a user event whose pointer was read, since other code may complete it", (run) => {
  const functions = nativeFunctions();
  needs(run, functions !== undefined, "there is no C compiler");
  const gate = new UserEvent(context);
  const event = queue.enqueueMarker(gate);
  expect(() => queue.finishSync()).toThrow(deadlockError);
  const { pointer } = gate;
  functions?.completeOnThread(pointer);
  queue.finishSync();
  expect([gate.statusName, event.statusName]).toEqual(["COMPLETE", "COMPLETE"]);
});
