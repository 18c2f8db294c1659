import { OutOfMemoryError } from "@cl/core";
import { errorLike } from "@cl/testing/error-like";
import { allocateEventually, LimitAdaptor } from "@cl/tools";
import { expect, test } from "vitest";

import { context, outOfMemory, plain, ScriptedAllocator } from "./support/allocators.js";

test("allocateEventually gives memory at once where there is some, and null for no bytes", async () => {
  using memory = await allocateEventually(plain, 100);
  expect(memory?.size).toBe(100);
  expect(await allocateEventually(plain, 0)).toBeNull();
});

test("it waits for what others release", async () => {
  const budget = new LimitAdaptor(plain, 100);
  const held = budget.allocate(100);
  setTimeout(() => held?.release(), 3);
  using memory = await allocateEventually(budget, 80);
  expect(memory?.size).toBe(80);
});

test("it waits for the memory of objects that were dropped, which no call that answers at once can have", async () => {
  const budget = new LimitAdaptor(plain, 100);
  (() => {
    budget.allocate(100);
  })();
  expect(() => budget.allocate(80)).toThrow(OutOfMemoryError);
  using memory = await allocateEventually(budget, 80);
  expect(memory?.size).toBe(80);
});

test("it has the allocator give back what it holds", async () => {
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

test("it gives up after so many attempts, and at once where the error is another", async () => {
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

test("a signal ends the waiting", async () => {
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
  ["what is no allocator", [{}, 1], errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "allocator")],
  ["bytes that are no number", [plain, "1"], errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "bytes")],
  ["no attempts", [plain, 1, { attempts: 0 }], errorLike(RangeError, "ERR_OUT_OF_RANGE", "options.attempts")],
  ["a signal that is none", [plain, 1, { signal: {} }], errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "signal")],
])("it refuses %s", async (_, args, message) => {
  await expect(Reflect.apply(allocateEventually, undefined, args)).rejects.toThrow(message);
});
