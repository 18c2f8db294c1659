import { OutOfMemoryError } from "@cl/core";
import type { DeviceBuffer } from "@cl/core";
import { errorLike, wrongState } from "@cl/testing/error-like";
import { StatisticsAdaptor } from "@cl/tools";
import { expect, test } from "vitest";

import { outOfMemory, plain, ScriptedAllocator } from "./support/allocators.js";

test("StatisticsAdaptor counts current, peak and total bytes and allocations", () => {
  const counted = new StatisticsAdaptor(plain);
  const one = counted.allocate(100);
  const other = counted.allocate(50);
  one?.release();
  const third = counted.allocate(20);
  expect(counted.allocate(0)).toBeNull();
  expect(counted.snapshot()).toEqual({
    bytes: { current: 70, peak: 150, total: 170 },
    allocations: { current: 2, peak: 2, total: 3 },
    failures: 0,
  });
  const before = counted.snapshot();
  other?.release();
  third?.release();
  expect(before.bytes.current).toBe(70);
  expect(counted.snapshot().bytes).toEqual({ current: 0, peak: 150, total: 170 });
});

test("StatisticsAdaptor counts failed requests", () => {
  const counted = new StatisticsAdaptor(
    new ScriptedAllocator((bytes, call) => {
      if (call < 3) throw outOfMemory();
      return plain.allocate(bytes);
    }),
  );
  for (let i = 0; i < 2; i++) {
    expect(() => counted.allocate(10)).toThrow(errorLike(OutOfMemoryError, "CL_MEM_OBJECT_ALLOCATION_FAILURE"));
  }
  using memory = counted.allocate(10);
  expect(counted.snapshot()).toMatchObject({
    failures: 2,
    allocations: { total: 1 },
    bytes: { current: memory?.size },
  });
});

test("pushed counters count separately and are added to those below when popped", () => {
  const counted = new StatisticsAdaptor(plain);
  const outside = counted.allocate(100);
  expect(counted.pushCounters().bytes).toEqual({ current: 100, peak: 100, total: 100 });
  expect(counted.depth).toBe(2);
  const inside = counted.allocate(30) as DeviceBuffer;
  counted.allocate(40)?.release();
  expect(counted.snapshot().bytes).toEqual({ current: 30, peak: 70, total: 70 });
  outside?.release();
  const popped = counted.popCounters();
  expect(popped.bytes).toEqual({ current: -70, peak: 70, total: 70 });
  expect(popped.allocations).toEqual({ current: 0, peak: 2, total: 2 });
  expect(counted.depth).toBe(1);
  expect(counted.snapshot().bytes).toEqual({ current: 30, peak: 170, total: 170 });
  inside.release();
  expect(counted.snapshot().bytes.current).toBe(0);
});

test("the first counters cannot be popped", () => {
  const counted = new StatisticsAdaptor(plain);
  counted.pushCounters();
  counted.popCounters();
  expect(() => counted.popCounters()).toThrow(wrongState());
  expect(counted.depth).toBe(1);
});
