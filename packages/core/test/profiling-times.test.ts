import { disposed } from "@cl/testing/core-errors";
import { errorLike, outOfRange, wrongType } from "@cl/testing/error-like";
import { expect, test } from "vitest";
import { type CommandEvent, CommandQueue, OpenCLError, profilingTimes, UserEvent } from "@cl/core";
import { context } from "./support/kernels.js";

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

test("throws without profiling, before completion, and for a user event", async () => {
  const plain = new CommandQueue(context).enqueueMarker();
  await plain.wait();
  const gate = new UserEvent(context);
  const early = queue.enqueueMarker(gate);
  const user = new UserEvent(context);
  user.complete();
  for (const event of [plain, early, user]) {
    for (const read of [() => event.profile, () => event.duration, () => profilingTimes([event])]) {
      expect(read).toThrow(errorLike(OpenCLError, "CL_PROFILING_INFO_NOT_AVAILABLE"));
    }
  }
  gate.complete();
  await early.wait();
  expect(early.duration).toBeTypeOf("bigint");
});

test("rejects invalid arguments and released events", async () => {
  const [event] = (await completed(1)) as [CommandEvent];
  for (const [args, error] of [
    [[[event, "x"]], wrongType("events[1]")],
    [[[event], ["toString"]], wrongType("fields")],
    [[[event], ["start", "end"], new BigInt64Array(1)], outOfRange("into")],
  ] as const) {
    expect((): unknown => Reflect.apply(profilingTimes, undefined, args)).toThrow(error);
  }
  event.release();
  expect(() => profilingTimes([event])).toThrow(disposed());
});
