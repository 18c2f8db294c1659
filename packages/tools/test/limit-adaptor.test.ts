import { DeviceBuffer, OutOfMemoryError } from "@cl/core";
import { errorLike } from "@cl/testing/error-like";
import { LimitAdaptor } from "@cl/tools";
import { expect, test } from "vitest";
import * as fc from "fast-check";

import { context, outOfMemory, plain, ScriptedAllocator, thrownBy } from "./support/allocators.js";

test("a LimitAdaptor gives memory until its budget is used up, and says what is used", () => {
  const limited = new LimitAdaptor(plain, 100);
  const first = limited.allocate(60);
  using rest = limited.allocate(40);
  expect([limited.maxBytes, limited.usedBytes, limited.availableBytes]).toEqual([100, 100, 0]);
  expect(rest?.size).toBe(40);
  first?.release();
  first?.release();
  expect([limited.usedBytes, limited.availableBytes]).toEqual([40, 60]);
});

test("beyond the budget it is an OutOfMemoryError that says the budget, what is used and what was asked", () => {
  const limited = new LimitAdaptor(plain, 1000);
  using held = limited.allocate(600);
  const error = thrownBy(() => limited.allocate(500));
  expect(error).toBeInstanceOf(OutOfMemoryError);
  expect(error).toMatchObject({
    message: "LimitAdaptor: cannot allocate 500 bytes, 600 of 1000 are in use",
    code: "ERR_CL_OVER_BUDGET",
    status: 0,
  });
  expect(limited.usedBytes).toBe(held?.size);
});

test("it counts the bytes that came, and gives back what does not fit", () => {
  const generous = new ScriptedAllocator((bytes) => new DeviceBuffer(context, bytes + 28));
  const limited = new LimitAdaptor(generous, 200);
  using one = limited.allocate(100);
  expect(one?.size).toBe(128);
  expect(limited.usedBytes).toBe(128);
  const error = thrownBy(() => limited.allocate(60));
  expect(String(error)).toMatch(/88 bytes for a request of 60, 128 of 200 are in use/);
  expect(limited.usedBytes).toBe(128);
});

test("a budget of nothing gives nothing, but no bytes are free", () => {
  const limited = new LimitAdaptor(plain, 0);
  expect(limited.allocate(0)).toBeNull();
  expect(() => limited.allocate(1)).toThrow(OutOfMemoryError);
});

test("an upstream that allocates from the same budget while it is asked does not overdraw it", () => {
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

test("its books are the sum of what is out, whatever is allocated, released and failed", () => {
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

test.each([[-1], [1.5], ["100"], [undefined]])("it refuses a budget of %s", (budget) => {
  expect(() => new LimitAdaptor(plain, budget as number)).toThrow(/^maxBytes must be/);
});
