import { roundTrip } from "@cl/testing/round-trip";
import { describe, expect, test } from "vitest";
import { type CommandEvent, CommandQueue, Context, DisposedError, UserEvent, type WaitFor } from "@cl/core";

const context = Context.create();
const queue = new CommandQueue(context);
const stranger = new UserEvent(Context.create(), { label: "stranger" });

/** Every call of a queue that accepts a wait list but no memory. */
const calls: Record<string, (waitFor: WaitFor) => CommandEvent> = {
  enqueueMarker: (waitFor) => queue.enqueueMarker(waitFor),
  enqueueBarrier: (waitFor) => queue.enqueueBarrier(waitFor),
};

describe.each(Object.entries(calls))("%s", (_, enqueue) => {
  test("waits for a single event", async () => {
    const gate = new UserEvent(context);
    const event = enqueue(gate);
    queue.flush();
    await roundTrip(context);
    expect(event.status).toBeGreaterThan(0);
    gate.complete();
    await event.wait();
  });

  test("waits for each event of a list, including duplicates", async () => {
    const gates = [new UserEvent(context), new UserEvent(context)] as const;
    const event = enqueue([gates[0], gates[1], gates[0]]);
    queue.flush();
    gates[0].complete();
    await roundTrip(context);
    expect(event.status).toBeGreaterThan(0);
    gates[1].complete();
    await event.wait();
  });

  test.each([[undefined], [null], [[]]])("accepts %j as no events", async (nothing) => {
    await expect(enqueue(nothing).wait()).resolves.toBeUndefined();
  });

  test("does not modify the list", () => {
    const list = Object.freeze([queue.enqueueMarker()]);
    enqueue(list);
    expect(list).toHaveLength(1);
  });

  test.each(["x", 0, true, {}, new Map(), Symbol.iterator, queue, context, (): void => undefined])(
    "throws for %o, and enqueues nothing",
    (wrong) => {
      expect(() => enqueue(wrong as unknown as WaitFor)).toThrow(
        /^waitFor must be a CommandEvent, an array of them, or nothing/,
      );
      expect(() => enqueue([queue.enqueueMarker(), wrong] as unknown as WaitFor)).toThrow(
        /^waitFor\[1\] must be a CommandEvent/,
      );
    },
  );

  test.each([[[null]], [[undefined]], [[[]]], [Array.from({ length: 2 })]])(
    "throws for a list with invalid elements: %j",
    (wrong) => {
      expect(() => enqueue(wrong as unknown as WaitFor)).toThrow(/^waitFor\[0\] must be a CommandEvent/);
    },
  );

  test("throws for a set and for an array-like object", () => {
    const event = queue.enqueueMarker();
    for (const wrong of [new Set([event]), { 0: event, length: 1 }]) {
      expect(() => enqueue(wrong as unknown as WaitFor)).toThrow(/^waitFor must be/);
    }
  });

  test("throws for an event of another context", () => {
    expect(() => enqueue(stranger)).toThrow(/waitFor belongs to another context/);
    expect(() => enqueue([queue.enqueueMarker(), stranger])).toThrow(/waitFor belongs to another context/);
  });

  test("throws for a released event, and names its label", () => {
    const released = queue.enqueueMarker();
    released.label = "gone";
    released.release();
    expect(() => enqueue(released)).toThrow(DisposedError);
    expect(() => enqueue([released])).toThrow(/"gone" has been released/);
  });
});
