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

const context = Context.create();
const queue = new CommandQueue(context);

test("an event has a context, a queue, a command type and a reference count", () => {
  const event = queue.enqueueMarker();
  expect(event).toBeInstanceOf(CommandEvent);
  expect(event.context).toBe(context);
  expect(event.queue).toBe(queue);
  expect(event.referenceCount).toBeGreaterThan(0);
  expect(new DataView(event.getInfo(EventInfo.CONTEXT).buffer).getBigUint64(0, true)).toBe(context.pointer);
});

test("the CommandEvent constructor throws", () => {
  expect(() => new (CommandEvent as unknown as new () => CommandEvent)()).toThrow(/every enqueue/);
});

test("a marker completes only after the events it waits for", async () => {
  const gate = new UserEvent(context);
  const marker = queue.enqueueMarker(gate);
  queue.flush();
  await roundTrip(context);
  expect(marker.status).toBeGreaterThan(CommandStatus.COMPLETE);
  expect(["QUEUED", "SUBMITTED", "RUNNING"]).toContain(marker.statusName);
  gate.complete();
  await marker.wait();
  expect(marker.status).toBe(CommandStatus.COMPLETE);
  expect(marker.statusName).toBe("COMPLETE");
});

test("wait flushes the queue", async () => {
  await expect(new CommandQueue(context).enqueueMarker().wait()).resolves.toBeUndefined();
});

test("an event can be waited for repeatedly, before and after it has completed", async () => {
  const gate = new UserEvent(context);
  const marker = queue.enqueueMarker(gate);
  const waits = [marker.wait(), marker.wait(), marker.wait()];
  gate.complete();
  await Promise.all(waits);
  await expect(marker.wait()).resolves.toBeUndefined();
  marker.waitSync();
});

test("waitSync blocks until the command has completed", () => {
  const marker = new CommandQueue(context).enqueueMarker();
  marker.waitSync();
  expect(marker.statusName).toBe("COMPLETE");
});

test("an event can be released during a wait", async () => {
  const gate = new UserEvent(context);
  const marker = queue.enqueueMarker(gate);
  const wait = marker.wait();
  marker.release();
  gate.complete();
  await expect(wait).resolves.toBeUndefined();
});

test("5,000 pending promises all resolve", async () => {
  const gate = new UserEvent(context);
  const markers = Array.from({ length: 5000 }, () => queue.enqueueMarker(gate));
  let resolved = 0;
  const waits = markers.map((marker) => marker.wait().then(() => resolved++));
  queue.flush();
  await roundTrip(context);
  expect(resolved).toBe(0);
  gate.complete();
  await Promise.all(waits);
  expect(resolved).toBe(5000);
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

test.each(["x", 5, {}, true])("waiting for %j throws and names it", async (wrong) => {
  const events = wrong as unknown as CommandEvent[];
  await expect(waitForEvents(events)).rejects.toThrow(/^events must be a CommandEvent/);
  await expect(waitForEvents([events] as unknown as CommandEvent[])).rejects.toThrow(
    /^events\[0\] must be a CommandEvent/,
  );
  expect(() => waitForEventsSync(events)).toThrow(/^events must be a CommandEvent/);
  expect(() => waitForEventsSync([queue.enqueueMarker(), events] as unknown as CommandEvent[])).toThrow(
    /^events\[1\] must be a CommandEvent/,
  );
});

test("waitForEventsSync rejects events of two contexts", () => {
  const other = new CommandQueue(Context.create()).enqueueMarker();
  expect(() => waitForEventsSync([queue.enqueueMarker(), other])).toThrow(/another context/);
});

test("wait rejects invalid options", async () => {
  const event = queue.enqueueMarker();
  await expect(event.wait(5 as unknown as object)).rejects.toThrow(/^options must be an object/);
  await expect(event.wait({ signal: {} as AbortSignal })).rejects.toThrow(/^signal must be an AbortSignal/);
});
