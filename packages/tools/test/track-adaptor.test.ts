import type { DeviceBuffer } from "@cl/core";
import { type OutstandingAllocation, TrackAdaptor } from "@cl/tools";
import { collectUntil, until } from "@cl/base/testing";
import { errorLike } from "@cl/testing/error-like";
import { expect, test, vi } from "vitest";

import { plain } from "./support/allocators.js";

function allocateHere(tracked: TrackAdaptor, bytes: number): DeviceBuffer {
  return tracked.allocate(bytes) as DeviceBuffer;
}

test("TrackAdaptor lists outstanding allocations with size, label, stack and age", async () => {
  const tracked = new TrackAdaptor(plain);
  const first = allocateHere(tracked, 100);
  using second = allocateHere(tracked, 200);
  second.label = "weights";
  await until(() => tracked.outstanding().every(({ age }) => age > 0));
  const [one, other] = tracked.outstanding() as [OutstandingAllocation, OutstandingAllocation];
  expect(one).toMatchObject({ id: 1, bytes: 100, size: 100, label: undefined });
  expect(other).toMatchObject({ id: 2, bytes: 200, size: 200, label: "weights" });
  expect(one.stack.split("\n")[0]).toMatch(/^at allocateHere \(.*track-adaptor\.test\.ts:\d+:\d+\)$/);
  expect(one.age).toBeGreaterThan(0);
  expect(one.age).toBeGreaterThanOrEqual(other.age);
  expect(tracked.outstandingBytes).toBe(300);
  first.release();
  expect(tracked.outstanding().map(({ id }) => id)).toEqual([2]);
  expect(tracked.outstandingBytes).toBe(200);
});

test("ages are of one time, even if the process is interrupted between two of them", () => {
  const times = [5, 6, 10, 20, 30][Symbol.iterator]();
  const clock = vi.spyOn(performance, "now").mockImplementation(() => times.next().value as number);
  try {
    const tracked = new TrackAdaptor(plain);
    using first = tracked.allocate(1) as DeviceBuffer;
    using second = tracked.allocate(1) as DeviceBuffer;
    expect(tracked.outstanding().map(({ age }) => age)).toEqual([5, 4]);
    expect([first.size, second.size]).toEqual([1, 1]);
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

test.each([
  [
    "frames that are not a number",
    { stackFrames: "all" },
    errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options.stackFrames"),
  ],
  ["an invalid callback", { onCollected: true }, errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options.onCollected")],
])("TrackAdaptor rejects %s", (_, options, message) => {
  expect(() => new TrackAdaptor(plain, options as never)).toThrow(message);
});
