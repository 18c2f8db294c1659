import { caseCount } from "@cl/testing/level";
import { roundTrip } from "@cl/testing/round-trip";
import { expect, test } from "vitest";
import {
  CommandEvent,
  CommandQueue,
  CommandStatus,
  Context,
  EventInfo,
  OpenCLError,
  UserEvent,
  waitForEvents,
  waitForEventsSync,
} from "@cl/core";
import { context, queue } from "./support/kernels.js";

test("an event has a context, a queue, a command type and a reference count", () => {
  const event = queue.enqueueMarker();
  expect(event).toBeInstanceOf(CommandEvent);
  expect(event.context).toBe(context);
  expect(event.queue).toBe(queue);
  expect(event.referenceCount).toBeGreaterThan(0);
  expect(() => new (CommandEvent as unknown as new () => CommandEvent)()).toThrow(TypeError);
  expect(new DataView(event.getInfo(EventInfo.CONTEXT).buffer).getBigUint64(0, true)).toBe(context.pointer);
});

test("a marker has a status with a name before and after it completes", async () => {
  const gate = new UserEvent(context);
  const marker = queue.enqueueMarker(gate);
  queue.flush();
  expect(marker.status).toBeGreaterThan(CommandStatus.COMPLETE);
  expect(marker.status).toBe(CommandStatus[marker.statusName as "QUEUED" | "SUBMITTED" | "RUNNING"]);
  gate.complete();
  await marker.wait();
  expect([marker.status, marker.statusName]).toEqual([CommandStatus.COMPLETE, "COMPLETE"]);
});

test("thousands of promises resolve, some before and some after their events have completed or been released", async () => {
  const gate = new UserEvent(context);
  const markers = Array.from({ length: caseCount(5000) }, () => queue.enqueueMarker(gate));
  let resolved = 0;
  const waits = [...markers, ...markers].map((marker) => marker.wait().then(() => resolved++));
  markers[0]?.release();
  queue.flush();
  await roundTrip(context);
  expect(resolved).toBe(0);
  gate.complete();
  await Promise.all(waits);
  expect(resolved).toBe(2 * markers.length);
  await expect(markers[1]?.wait()).resolves.toBeUndefined();
  markers[1]?.waitSync();
});

test("waitForEvents accepts a list, one event or nothing", async () => {
  const gate = new UserEvent(context);
  const events = [queue.enqueueMarker(gate), queue.enqueueMarker()];
  const wait = waitForEvents(events);
  gate.complete();
  await wait;
  for (const what of [gate, [], undefined, null]) await expect(waitForEvents(what)).resolves.toBeUndefined();
  waitForEventsSync(events);
  waitForEventsSync(gate);
  waitForEventsSync([]);
  waitForEventsSync(null);
});

test("waitForEvents rejects if an event fails", async () => {
  const [good, bad] = [new UserEvent(context), new UserEvent(context)];
  const wait = waitForEvents([good, bad]);
  bad.fail(-5);
  await expect(wait).rejects.toThrow(OpenCLError);
  good.complete();
});

test("waitForEventsSync rejects events of two contexts", () => {
  const other = new CommandQueue(Context.create()).enqueueMarker();
  expect(() => waitForEventsSync([queue.enqueueMarker(), other])).toThrow(TypeError);
});
