import type { CommandEvent } from "@cl/core";
import { StepError } from "@cl/launcher";
import { expect, test, vi } from "vitest";

import { Flights } from "../../src/run/flights.js";

/** Creates an event that ends when `end` is called. */
function pendingEvent(): { event: CommandEvent; end: (error?: Error) => void; release: () => void } {
  let end: (error?: Error) => void = () => undefined;
  const ended = new Promise<void>((resolve, reject) => {
    end = (error) => (error === undefined ? resolve() : reject(error));
  });
  const release = vi.fn<() => void>();
  return { event: { wait: () => ended, release } as unknown as CommandEvent, end, release };
}

test("the oldest event is awaited first, even if a later one ends earlier", async () => {
  const flights = new Flights(10);
  const [one, two] = [pendingEvent(), pendingEvent()];
  flights.add(14, one.event);
  flights.add(16, two.event);
  expect([flights.watched, flights.ended]).toEqual([16, 10]);
  two.end();
  let settled = false;
  const first = flights.settleOne().then(() => (settled = true));
  await Promise.resolve();
  expect(settled).toBe(false);
  one.end();
  await first;
  expect(flights.ended).toBe(14);
  await flights.settleOne();
  expect(flights.ended).toBe(16);
  await flights.settleOne();
  for (const { release } of [one, two]) expect(release).toHaveBeenCalledOnce();
});

test("a failure is attributed to the steps since the previous event", async () => {
  const flights = new Flights(0);
  const [one, two, three] = [pendingEvent(), pendingEvent(), pendingEvent()];
  flights.add(4, one.event);
  flights.add(8, two.event);
  flights.add(9, three.event);
  // The later failure is a consequence of the earlier one.
  three.end(new Error("after"));
  two.end(new Error("out of resources"));
  one.end();
  const finish = vi.fn<() => Promise<void>>();
  const error = await flights.settle(12, finish).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(StepError);
  expect(error).toMatchObject({ step: 4, lastStep: 7, message: "one of the steps 4 to 7: out of resources" });
  expect(flights.ended).toBe(4);
  expect(finish).not.toHaveBeenCalled();
  flights.releaseAll();
  expect(three.release).toHaveBeenCalledOnce();
});

test("steps without an event end with the queue", async () => {
  const flights = new Flights(0);
  const one = pendingEvent();
  flights.add(3, one.event);
  one.end();
  await flights.settle(5, () => Promise.resolve());
  expect([flights.ended, flights.watched]).toEqual([5, 5]);
  const failing = flights.settle(8, () => Promise.reject(new Error("lost")));
  await expect(failing).rejects.toMatchObject({ step: 5, lastStep: 7 });
});
