import type { DeviceBuffer } from "@cl/core";
import { type OutstandingAllocation, TrackAdaptor } from "@cl/tools";
import { collectUntil } from "@cl/base/testing";
import { expect, test, vi } from "vitest";

import { plain } from "./support/allocators.js";
import { wrongType } from "@cl/testing/error-like";

function allocateHere(tracked: TrackAdaptor, bytes: number): DeviceBuffer {
  return tracked.allocate(bytes) as DeviceBuffer;
}

test("TrackAdaptor lists outstanding allocations with size, label, stack and age at one time", () => {
  // The start of the adaptor, the allocations, and the query, which may be interrupted.
  const times = [5, 6, 10, 20, 30][Symbol.iterator]();
  const clock = vi.spyOn(performance, "now").mockImplementation(() => times.next().value as number);
  try {
    const tracked = new TrackAdaptor(plain);
    const first = allocateHere(tracked, 100);
    using second = allocateHere(tracked, 200);
    second.label = "weights";
    const [one, other] = tracked.outstanding() as [OutstandingAllocation, OutstandingAllocation];
    expect(one).toMatchObject({ id: 1, bytes: 100, size: 100, label: undefined, age: 5 });
    expect(other).toMatchObject({ id: 2, bytes: 200, size: 200, label: "weights", age: 4 });
    expect(one.stack.split("\n")[0]).toMatch(/^at allocateHere \(.*track-adaptor\.test\.ts:\d+:\d+\)$/);
    expect(tracked.outstandingBytes).toBe(300);
    first.release();
    expect(tracked.outstandingBytes).toBe(200);
  } finally {
    clock.mockRestore();
  }
});

test("the report is grouped by call site, the most bytes first", () => {
  const tracked = new TrackAdaptor(plain);
  expect(tracked.report()).toBe("nothing is outstanding");
  const small = [1, 2, 3].map((i) => {
    const memory = tracked.allocate(10) as DeviceBuffer;
    memory.label = `small ${i}`;
    return memory;
  });
  const large = allocateHere(tracked, 5000);
  const [head, first, place, ...more] = tracked.report().split("\n");
  expect(head).toBe("outstanding: 5030 bytes in 4 allocations");
  expect(first).toMatch(/^ {2}5000 bytes in 1 allocation, [\d.]+ \S+ old$/);
  expect(place).toMatch(/^ {4}at allocateHere \(/);
  expect(more.find((line) => /^ {2}\d/.test(line))).toMatch(
    /^ {2}30 bytes in 3 allocations, [\d.]+ \S+ to [\d.]+ \S+ old, "small 1", "small 2", "small 3"$/,
  );
  for (const memory of [...small, large]) memory.release();
  expect(tracked.report()).toBe("nothing is outstanding");
});

test("TrackAdaptor stores the requested number of stack frames, or none", () => {
  const limit = Error.stackTraceLimit;
  const short = new TrackAdaptor(plain, { stackFrames: 1 });
  using one = short.allocate(1);
  expect(short.outstanding()[0]?.stack.split("\n")).toHaveLength(1);
  const none = new TrackAdaptor(plain, { stackFrames: 0 });
  using other = none.allocate(1);
  expect(none.outstanding()[0]?.stack).toBe("");
  expect(none.report()).toMatch(/^outstanding: 1 bytes in 1 allocation\n {2}1 bytes in 1 allocation, [\d.]+ \S+ old$/);
  expect(Error.stackTraceLimit).toBe(limit);
  expect([one?.released, other?.released]).toEqual([false, false]);
});

test("TrackAdaptor distinguishes garbage-collected from released memory", async () => {
  const collected: OutstandingAllocation[] = [];
  const tracked = new TrackAdaptor(plain, { onCollected: (allocation) => collected.push(allocation) });
  allocateHere(tracked, 10).release();
  (() => {
    allocateHere(tracked, 20);
  })();
  expect(tracked.outstandingBytes).toBe(20);
  expect(await collectUntil(() => tracked.collectedCount > 0)).toBe(true);
  expect(tracked.collectedCount).toBe(1);
  expect(tracked.outstandingBytes).toBe(0);
  expect(collected).toMatchObject([{ id: 2, bytes: 20 }]);
  expect(collected[0]?.stack).toContain("allocateHere");
});

test("TrackAdaptor rejects invalid options", () => {
  expect(() => new TrackAdaptor(plain, { stackFrames: "all" as never })).toThrow(wrongType("options.stackFrames"));
  expect(() => new TrackAdaptor(plain, { onCollected: true as never })).toThrow(wrongType("options.onCollected"));
});
