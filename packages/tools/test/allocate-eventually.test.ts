import { OutOfMemoryError } from "@cl/core";
import { errorLike, outOfRange, wrongType } from "@cl/testing/error-like";
import { allocateEventually, LimitAdaptor } from "@cl/tools";
import { expect, test } from "vitest";

import { context, outOfMemory, plain, ScriptedAllocator } from "./support/allocators.js";

test("allocateEventually returns available memory immediately, and null for 0 bytes", async () => {
  using memory = await allocateEventually(plain, 100);
  expect(memory?.size).toBe(100);
  expect(await allocateEventually(plain, 0)).toBeNull();
});

test("allocateEventually waits for memory that others release", async () => {
  const budget = new LimitAdaptor(plain, 100);
  const held = budget.allocate(100);
  setImmediate(() => held?.release());
  using memory = await allocateEventually(budget, 80);
  expect(memory?.size).toBe(80);
});

test("allocateEventually waits for the memory of collected objects, which a synchronous call cannot get", async () => {
  const budget = new LimitAdaptor(plain, 100);
  (() => {
    budget.allocate(100);
  })();
  expect(() => budget.allocate(80)).toThrow(OutOfMemoryError);
  using memory = await allocateEventually(budget, 80);
  expect(memory?.size).toBe(80);
});

test("allocateEventually makes the allocator free held memory", async () => {
  let freed = 0;
  const pool = {
    context,
    allocate: (bytes: number) => {
      if (freed === 0) throw outOfMemory();
      return plain.allocate(bytes);
    },
    freeHeld: () => ++freed,
  };
  using memory = await allocateEventually(pool, 10);
  expect([memory?.size, freed]).toEqual([10, 1]);
});

test("allocateEventually rejects after the last attempt, and immediately for other errors", async () => {
  const empty = new ScriptedAllocator(() => {
    throw outOfMemory();
  });
  await expect(allocateEventually(empty, 10, { attempts: 3 })).rejects.toThrow(
    errorLike(OutOfMemoryError, "CL_MEM_OBJECT_ALLOCATION_FAILURE"),
  );
  expect(empty.calls).toBe(3);
  const broken = new ScriptedAllocator(() => undefined);
  await expect(allocateEventually(broken, 10)).rejects.toThrow(errorLike(TypeError, "ERR_CL_BAD_ALLOCATOR"));
  expect(broken.calls).toBe(1);
});

test("allocateEventually stops waiting when its signal is aborted", async () => {
  const empty = new ScriptedAllocator(() => {
    throw outOfMemory();
  });
  const reason = new Error("too late");
  await expect(allocateEventually(empty, 10, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  expect(empty.calls).toBe(0);
  const controller = new AbortController();
  const waiting = allocateEventually(empty, 10, { attempts: 30, signal: controller.signal });
  controller.abort();
  await expect(waiting).rejects.toMatchObject({ name: "AbortError" });
  expect(empty.calls).toBe(1);
});

test.each([
  [[{}, 1], wrongType("allocator")],
  [[plain, "1"], wrongType("bytes")],
  [[plain, 1, { attempts: 0 }], outOfRange("options.attempts")],
  [[plain, 1, { signal: {} }], wrongType("signal")],
])("allocateEventually rejects invalid arguments (%#)", async (args, error) => {
  await expect(Reflect.apply(allocateEventually, undefined, args)).rejects.toThrow(error);
});
