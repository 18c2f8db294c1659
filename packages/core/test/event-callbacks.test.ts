import { afterEach, expect, test, vi } from "vitest";
import { type CommandEvent, CommandStatus, UserEvent } from "@cl/core";
import { turns } from "@cl/base/testing";
import { roundTrip } from "@cl/testing/round-trip";
import { context, queue } from "./support/kernels.js";

type Callback = (status: number, event: CommandEvent) => void;

/** Replaces vitest's handling of uncaught exceptions. */
const others = process.listeners("uncaughtException");
afterEach(() => {
  process.removeAllListeners("uncaughtException");
  for (const listener of others) process.on("uncaughtException", listener);
});

test("onStatus calls back once per status, in order, with the status and the event", async () => {
  const gate = new UserEvent(context);
  const marker = queue.enqueueMarker(gate);
  const seen: unknown[][] = [];
  for (const stage of ["complete", "submitted", "running"] as const) {
    marker.onStatus(stage, (status, event) => seen.push([stage, status, event]));
  }
  await roundTrip(context);
  expect(seen.map(([stage]) => stage)).not.toContain("complete");
  gate.complete();
  await vi.waitFor(() => expect(seen).toHaveLength(3));
  await turns();
  expect(seen).toEqual([
    ["submitted", CommandStatus.SUBMITTED, marker],
    ["running", CommandStatus.RUNNING, marker],
    ["complete", CommandStatus.COMPLETE, marker],
  ]);
});

test("a callback never runs inside onStatus, even for a completed event", async () => {
  const marker = queue.enqueueMarker();
  await marker.wait();
  const callback = vi.fn<Callback>();
  const stages = ["submitted", "running", "complete"] as const;
  for (const stage of stages) expect(marker.onStatus(stage, callback)).toBe(marker);
  expect(callback).not.toHaveBeenCalled();
  await vi.waitFor(() => expect(callback).toHaveBeenCalledTimes(3));
  expect(callback.mock.calls.every(([status]) => status >= 0)).toBe(true);
});

test.each(["submitted", "running", "complete"] as const)(
  "a callback for %s receives an error status, registered before or after the failure",
  async (stage) => {
    const event = new UserEvent(context);
    const dependent = queue.enqueueMarker(event);
    const [before, after, behind] = [vi.fn<Callback>(), vi.fn<Callback>(), vi.fn<Callback>()];
    // A user event is created with the status submitted.
    if (stage !== "submitted") event.onStatus(stage, before);
    dependent.onStatus("complete", behind);
    event.fail(-5);
    event.onStatus(stage, after);
    await vi.waitFor(() => expect(after).toHaveBeenCalledExactlyOnceWith(-5, event));
    if (stage !== "submitted") await vi.waitFor(() => expect(before).toHaveBeenCalledExactlyOnceWith(-5, event));
    await vi.waitFor(() => expect(behind).toHaveBeenCalledOnce());
    expect(behind.mock.calls[0]?.[0]).toBeLessThan(0);
  },
);

test("an error thrown by a callback is an uncaught exception and does not affect other callbacks", async () => {
  process.removeAllListeners("uncaughtException");
  const uncaught = vi.fn<(error: Error) => void>();
  process.on("uncaughtException", uncaught);
  const gate = new UserEvent(context);
  const markers = Array.from({ length: 20 }, () => queue.enqueueMarker(gate));
  let resolved = 0;
  for (const [i, marker] of markers.entries()) {
    marker.onStatus("complete", () => {
      if (i % 5 === 0) throw new Error(`mine ${i}`);
      resolved++;
    });
  }
  const waits = markers.map((marker) => marker.wait());
  gate.complete();
  await Promise.all(waits);
  await vi.waitFor(() => expect(uncaught).toHaveBeenCalledTimes(4));
  expect(resolved).toBe(16);
  const messages = uncaught.mock.calls.map(([error]) => error.message);
  expect(messages.toSorted()).toEqual(["mine 0", "mine 10", "mine 15", "mine 5"]);
  await queue.finish();
});

test("a callback can enqueue, wait and release", async () => {
  const order: string[] = [];
  await new Promise<void>((resolve) => {
    const first = queue.enqueueMarker();
    first.onStatus("complete", (_, event) => {
      order.push("first");
      event.release();
      const second = queue.enqueueMarker();
      second.waitSync();
      second.onStatus("complete", () => {
        order.push("second");
        resolve();
      });
    });
  });
  expect(order).toEqual(["first", "second"]);
});

test("an event can be released before its callback runs", async () => {
  const gate = new UserEvent(context);
  const marker = queue.enqueueMarker(gate);
  const callback = vi.fn<Callback>();
  marker.onStatus("complete", callback);
  marker.release();
  gate.complete();
  await vi.waitFor(() => expect(callback).toHaveBeenCalledOnce());
});
