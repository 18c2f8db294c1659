import { OutOfMemoryError } from "@cl/core";
import { errorLike } from "@cl/testing/error-like";
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
  const aborted = AbortSignal.abort(new Error("too late"));
  await expect(allocateEventually(empty, 10, { signal: aborted })).rejects.toThrow("too late");
  expect(empty.calls).toBe(0);
  const controller = new AbortController();
  const waiting = allocateEventually(empty, 10, { attempts: 30, signal: controller.signal });
  controller.abort();
  await expect(waiting).rejects.toMatchObject({ name: "AbortError" });
  expect(empty.calls).toBe(1);
});

test.each([
  ["a value that is not an allocator", [{}, 1], errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "allocator")],
  ["bytes that are not a number", [plain, "1"], errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "bytes")],
  ["no attempts", [plain, 1, { attempts: 0 }], errorLike(RangeError, "ERR_OUT_OF_RANGE", "options.attempts")],
  ["an invalid signal", [plain, 1, { signal: {} }], errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "signal")],
])("allocateEventually rejects %s", async (_, args, message) => {
  await expect(Reflect.apply(allocateEventually, undefined, args)).rejects.toThrow(message);
});
