import { DeviceBuffer, OutOfMemoryError } from "@cl/core";
import { errorLike, outOfRange, wrongType } from "@cl/testing/error-like";
import { LimitAdaptor } from "@cl/tools";
import { expect, test } from "vitest";
import * as fc from "fast-check";

import { context, outOfMemory, plain, ScriptedAllocator, thrownBy } from "./support/allocators.js";

test("LimitAdaptor allocates until its budget is used up, and reports the used bytes", () => {
  const limited = new LimitAdaptor(plain, 100);
  const first = limited.allocate(60);
  using rest = limited.allocate(40);
  expect([limited.maxBytes, limited.usedBytes, limited.availableBytes]).toEqual([100, 100, 0]);
  expect(rest?.size).toBe(40);
  first?.release();
  first?.release();
  expect([limited.usedBytes, limited.availableBytes]).toEqual([40, 60]);
});

test("LimitAdaptor counts the allocated bytes, and releases memory that exceeds the budget", () => {
  const generous = new ScriptedAllocator((bytes) => new DeviceBuffer(context, bytes + 28));
  const limited = new LimitAdaptor(generous, 200);
  using one = limited.allocate(100);
  expect(one?.size).toBe(128);
  expect(limited.usedBytes).toBe(128);
  expect(() => limited.allocate(60)).toThrow(errorLike(OutOfMemoryError, "ERR_CL_OVER_BUDGET"));
  expect(limited.usedBytes).toBe(128);
});

test("LimitAdaptor with a budget of 0 allows only 0 bytes", () => {
  const limited = new LimitAdaptor(plain, 0);
  expect(limited.allocate(0)).toBeNull();
  expect(() => limited.allocate(1)).toThrow(OutOfMemoryError);
});

test("a reentrant upstream cannot exceed the budget of a LimitAdaptor", () => {
  const inner: (DeviceBuffer | null)[] = [];
  const upstream: ScriptedAllocator = new ScriptedAllocator((bytes, call) => {
    if (call === 1) inner.push(limited.allocate(50));
    return new DeviceBuffer(context, bytes);
  });
  const limited: LimitAdaptor = new LimitAdaptor(upstream, 100);
  expect(() => limited.allocate(60)).toThrow(errorLike(OutOfMemoryError, "ERR_CL_OVER_BUDGET"));
  expect(limited.usedBytes).toBe(0);
  using both = limited.allocate(100);
  expect(both?.size).toBe(100);
});

test("LimitAdaptor's used bytes are the sum of live allocations after any sequence of calls", () => {
  const step = fc.oneof(
    fc.record({ bytes: fc.integer({ min: 0, max: 700 }), fails: fc.boolean() }),
    fc.record({ release: fc.nat({ max: 100 }) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let fails = false;
      const upstream = new ScriptedAllocator((bytes) => {
        if (fails) throw outOfMemory();
        return plain.allocate(bytes);
      });
      const limited = new LimitAdaptor(upstream, 1000);
      const live: DeviceBuffer[] = [];
      for (const one of steps) {
        const used = live.reduce((sum, { size }) => sum + size, 0);
        expect(limited.usedBytes).toBe(used);
        if ("release" in one) {
          live.splice(one.release % Math.max(1, live.length), 1)[0]?.release();
          continue;
        }
        fails = one.fails && one.bytes > 0;
        const fits = !fails && used + one.bytes <= 1000;
        const error = thrownBy(() => {
          const memory = limited.allocate(one.bytes);
          if (memory !== null) live.push(memory);
        });
        expect(error === undefined).toBe(fits);
      }
      for (const memory of live) memory.release();
      expect(limited.usedBytes).toBe(0);
    }),
  );
});

test.each([
  [-1, outOfRange("maxBytes")],
  [1.5, outOfRange("maxBytes")],
  ["100", wrongType("maxBytes")],
])("LimitAdaptor rejects a budget of %j", (budget, error) => {
  expect(() => new LimitAdaptor(plain, budget as number)).toThrow(error);
});
