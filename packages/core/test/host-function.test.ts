import { afterEach, describe, expect, test } from "vitest";
import { CommandQueue, Context, handleCounts, UserEvent } from "@cl/core";

import { roundTrip } from "@cl/testing/round-trip";
import { context, number, other, queue } from "./support/host-functions.js";
import { needs, turns } from "@cl/base/testing";
import { caseCount } from "@cl/testing/level";
import { overtakes } from "./support/overtaking.js";

const hasOutOfOrder = queue.device.hasQueueOutOfOrderExecMode;
const outOfOrder = new CommandQueue(context, { outOfOrder: hasOutOfOrder });

/** Returns a function that ends when `end()` is called. */
function lasting(): { readonly begun: Promise<void>; readonly end: () => void; readonly run: () => Promise<void> } {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const run = (): Promise<void> => {
    begin();
    return ended;
  };
  return { begun, end, run };
}

afterEach(async () => {
  await Promise.all([queue.finish(), other.finish(), outOfOrder.finish()]);
});

describe("on an in-order queue", () => {
  test("a host function runs after earlier commands and before later ones", async () => {
    const x = number();
    const seen: number[] = [];
    queue.enqueueFill(x, 1);
    queue.enqueueHostFunction(() => {
      // A queue that does not wait for this one.
      seen.push(other.readSync(x)[0] as number);
      other.writeSync(x, Int32Array.of(seen.length + 10));
    });
    const after = new Int32Array(1);
    const copied = queue.enqueueCopy(after, x);
    queue.enqueueFill(x, 2);
    await queue.enqueueHostFunction(() => seen.push(other.readSync(x)[0] as number)).wait();
    expect(seen).toEqual([1, 2]);
    expect(copied.statusName).toBe("COMPLETE");
    expect([...after]).toEqual([11]);
  });

  test("later commands wait for the promise of a host function", async () => {
    const { begun, end, run } = lasting();
    const event = queue.enqueueHostFunction(run);
    const after = queue.enqueueMarker();
    queue.flush();
    await begun;
    await roundTrip(context);
    expect([event.statusName, after.statusName].includes("COMPLETE")).toBe(false);
    end();
    await after.wait();
    expect(event.statusName).toBe("COMPLETE");
    await event.wait();
    event.waitSync();
  });

  test("functions run one after another even if earlier ones take longer", async () => {
    const seen: string[] = [];
    for (const [name, count] of Object.entries({ a: 20, b: 1, c: 5, d: 0 })) {
      queue.enqueueHostFunction(async () => {
        seen.push(`${name} begins`);
        await turns(count);
        seen.push(`${name} ends`);
      });
    }
    await queue.finish();
    expect(seen.join()).toBe("a begins,a ends,b begins,b ends,c begins,c ends,d begins,d ends");
  });

  test("a command of another queue in waitFor is flushed and can be released", async () => {
    const filled = other.enqueueFill(number(), 1);
    const event = queue.enqueueHostFunction(() => undefined, { waitFor: filled });
    filled.release();
    await expect(event.wait()).resolves.toBeUndefined();
  });
});

describe("on an out-of-order queue", () => {
  test("a host function runs after the events in waitFor, and only its dependents wait for it", async (vitest) => {
    needs(vitest, hasOutOfOrder, `'${queue.device.name}' has no out-of-order queues`);
    needs(vitest, await overtakes(outOfOrder), `'${queue.device.name}' runs out-of-order queues in order`);
    const gate = new UserEvent(context);
    const closed = outOfOrder.enqueueMarker(gate);
    const first = outOfOrder.enqueueFill(number(), 1);
    const { begun, end, run } = lasting();
    const event = outOfOrder.enqueueHostFunction(run, { waitFor: first });
    const held = outOfOrder.enqueueFill(number(), 1, { waitFor: event });
    await outOfOrder.enqueueFill(number(), 2).wait();
    await begun;
    // It is not a barrier: commands that do not wait for it run, even those enqueued later.
    await outOfOrder.enqueueFill(number(), 3, { waitFor: first }).wait();
    expect(held.status).toBeGreaterThan(0);
    expect(closed.status).toBeGreaterThan(0);
    end();
    await held.wait();
    gate.complete();
    await closed.wait();
  });

  test("a host function without waitFor runs after all earlier commands", async (vitest) => {
    needs(vitest, hasOutOfOrder, `'${queue.device.name}' has no out-of-order queues`);
    const gate = new UserEvent(context);
    const before = outOfOrder.enqueueMarker(gate);
    let status = -1;
    const event = outOfOrder.enqueueHostFunction(() => (status = before.status));
    await roundTrip(context);
    expect(status).toBe(-1);
    gate.complete();
    await event.wait();
    expect(status).toBe(0);
  });
});

test.each([
  ["in order", () => queue],
  ["out of order", () => outOfOrder],
])("thousands of host functions can be pending (%s)", async (_, on) => {
  const before = handleCounts()["event"];
  const order: number[] = [];
  const gate = new UserEvent(context);
  const all = Array.from({ length: caseCount(10_000) }, (_unused, i) => i);
  const events = all.map((i) => on().enqueueHostFunction(() => void order.push(i), { waitFor: gate }));
  expect(order).toEqual([]);
  gate.complete();
  await Promise.all(events.map((event) => event.wait()));
  expect(on().outOfOrder ? order.toSorted((a, b) => a - b) : order).toEqual(all);
  for (const event of events) event.release();
  gate.release();
  expect(handleCounts()["event"]).toBeLessThanOrEqual(before as number);
});

test("the queue, the context and the event can be released while a host function is pending", async () => {
  const own = Context.create();
  const ownQueue = new CommandQueue(own);
  let called = 0;
  const gate = new UserEvent(own);
  const first = ownQueue.enqueueHostFunction(() => called++, { waitFor: gate });
  ownQueue
    .enqueueHostFunction(async () => {
      await turns(1);
      called++;
    })
    .release();
  const wait = first.wait();
  const last = ownQueue.enqueueMarker();
  first.release();
  ownQueue.release();
  own.release();
  gate.complete();
  await Promise.all([wait, last.wait()]);
  expect(called).toBe(2);
});

test("a host function's event has a label, a queue and callbacks", async () => {
  const event = queue.enqueueHostFunction(() => undefined, { label: "named" });
  expect([event.label, event.queue]).toEqual(["named", queue]);
  const stages: number[] = [];
  event.onStatus("complete", (status) => stages.push(status));
  await expect.poll(() => stages).toEqual([0]);
});
