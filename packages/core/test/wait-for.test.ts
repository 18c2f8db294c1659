import { roundTrip } from "@cl/testing/round-trip";
import { describe, expect, test } from "vitest";
import { type CommandEvent, CommandQueue, Context, UserEvent, type WaitFor } from "@cl/core";

import { disposed } from "@cl/testing/core-errors";
import { wrongType, wrongValue } from "@cl/testing/error-like";

const context = Context.create();
const queue = new CommandQueue(context);
const stranger = new UserEvent(Context.create(), { label: "stranger" });

/** Every call of a queue that accepts a wait list but no memory. */
const calls: Record<string, (waitFor: WaitFor) => CommandEvent> = {
  enqueueMarker: (waitFor) => queue.enqueueMarker(waitFor),
  enqueueBarrier: (waitFor) => queue.enqueueBarrier(waitFor),
};

describe.each(Object.entries(calls))("%s", (_, enqueue) => {
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

  test("accepts one event, or nothing", async () => {
    for (const waitFor of [queue.enqueueMarker(), undefined, null, []]) {
      await expect(enqueue(waitFor).wait()).resolves.toBeUndefined();
    }
  });

  test.each(["x", 0, {}, new Map(), new Set(), { length: 1 }, queue])("throws for %o", (wrong) => {
    expect(() => enqueue(wrong as unknown as WaitFor)).toThrow(wrongType("waitFor"));
    expect(() => enqueue([queue.enqueueMarker(), wrong] as unknown as WaitFor)).toThrow(wrongType("waitFor[1]"));
  });

  test("throws for an empty element, an event of another context and a released event", () => {
    const released = queue.enqueueMarker();
    released.release();
    expect(() => enqueue([queue.enqueueMarker(), null] as unknown as WaitFor)).toThrow(wrongType("waitFor[1]"));
    for (const [event, error] of [
      [stranger, wrongValue("waitFor")],
      [released, disposed()],
    ] as const) {
      expect(() => enqueue(event)).toThrow(error);
      expect(() => enqueue([queue.enqueueMarker(), event])).toThrow(error);
    }
  });
});
