import { expect, test } from "vitest";
import { type CommandEvent, CommandQueue, Context, DisposedError, profilingTimes, UserEvent } from "@cl/core";

const context = Context.create();
const queue = new CommandQueue(context, { profiling: true });

async function completed(count: number): Promise<CommandEvent[]> {
  const events = Array.from({ length: count }, () => queue.enqueueMarker());
  await queue.finish();
  return events;
}

test("a profiled command has five ordered times and a duration", async () => {
  const [event] = (await completed(1)) as [CommandEvent];
  const { queued, submit, start, end, complete } = event.profile;
  expect(queued).toBeGreaterThan(0n);
  expect([queued, submit, start, end, complete]).toEqual(
    [queued, submit, start, end, complete].toSorted((a, b) => Number(a - b)),
  );
  expect(event.duration).toBe(end - start);
});

test("returns the times of many events in one array, a row per event", async () => {
  const events = await completed(100);
  const times = profilingTimes(events);
  expect(times).toBeInstanceOf(BigInt64Array);
  expect(times).toHaveLength(200);
  for (const [i, event] of events.entries()) {
    expect(times[2 * i]).toBe(event.profile.start);
    expect(times[2 * i + 1]).toBe(event.profile.end);
  }
});

test("selects the given fields, and writes into a given array", async () => {
  const events = await completed(3);
  const into = new BigInt64Array(10).fill(-1n);
  expect(profilingTimes(events, ["queued", "submit", "end"], into)).toBe(into);
  expect(into[3]).toBe(events[1]?.profile.queued);
  expect(into[9]).toBe(-1n);
  expect(profilingTimes([], ["start"])).toHaveLength(0);
  expect(profilingTimes(events, [])).toHaveLength(0);
});

test("the error without profiling, or before completion, mentions both causes", async () => {
  const plain = new CommandQueue(context).enqueueMarker();
  await plain.wait();
  const gate = new UserEvent(context);
  const early = queue.enqueueMarker(gate);
  for (const event of [plain, early]) {
    for (const read of [() => event.profile, () => event.duration, () => profilingTimes([event])]) {
      expect(read).toThrow(/CL_PROFILING_INFO_NOT_AVAILABLE .*profiling: true.*has not completed/);
    }
  }
  gate.complete();
  await early.wait();
  expect(early.duration).toBeTypeOf("bigint");
});

test("a user event has no times", () => {
  const event = new UserEvent(context);
  event.complete();
  expect(() => event.profile).toThrow(/CL_PROFILING_INFO_NOT_AVAILABLE/);
});

test("the errors for invalid arguments name them", async () => {
  const [event] = (await completed(1)) as [CommandEvent];
  const wrong = (value: unknown): never => value as never;
  expect(() => profilingTimes(wrong(undefined))).toThrow(/^events must be an array/);
  expect(() => profilingTimes(wrong(event))).toThrow(/^events must be an array/);
  expect(() => profilingTimes(wrong([event, "x"]))).toThrow(/^events\[1\] must be a CommandEvent/);
  expect(() => profilingTimes([event], wrong("start"))).toThrow(/^fields must be an array/);
  expect(() => profilingTimes([event], wrong(["begin"]))).toThrow(
    /^fields must be an array of queued, submit, start, end, complete/,
  );
  expect(() => profilingTimes([event], wrong(["toString"]))).toThrow(/^fields must be an array of/);
  expect(() => profilingTimes([event], ["start"], wrong(new Float64Array(1)))).toThrow(/^into must be a BigInt64Array/);
  expect(() => profilingTimes([event], ["start", "end"], new BigInt64Array(1))).toThrow(
    /^into must be at least 2 elements long/,
  );
  event.release();
  expect(() => profilingTimes([event])).toThrow(DisposedError);
});
