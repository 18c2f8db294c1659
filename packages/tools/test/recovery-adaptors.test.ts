/** Adaptors that handle exhausted memory. */
import { type Allocator, CommandQueue, Context, type DeviceBuffer, OutOfMemoryError } from "@cl/core";
import { errorLike } from "@cl/testing/error-like";
import {
  AlignedAdaptor,
  DeferredAllocator,
  type FailureCallback,
  FailureCallbackAdaptor,
  FallbackAdaptor,
  LimitAdaptor,
  RetryAdaptor,
  SvmAllocator,
} from "@cl/tools";
import { needs } from "@cl/tools/testing";
import { expect, test, vi } from "vitest";

import { context, outOfMemory, plain, ScriptedAllocator, thrownBy } from "./support/allocators.js";

const empty = (text?: string): ScriptedAllocator =>
  new ScriptedAllocator(() => {
    throw outOfMemory(text);
  });

test("FallbackAdaptor uses its fallback when its primary allocator is out of memory", () => {
  const primary = new LimitAdaptor(plain, 100);
  const fallback = new LimitAdaptor(plain, 100);
  const either = new FallbackAdaptor(primary, fallback);
  expect(either.fallback).toBe(fallback);
  const first = either.allocate(80);
  using second = either.allocate(80);
  expect([primary.usedBytes, fallback.usedBytes, either.fallbackCount]).toEqual([80, 80, 1]);
  first?.release();
  using third = either.allocate(90);
  expect([primary.usedBytes, fallback.usedBytes, either.fallbackCount]).toEqual([90, 80, 1]);
  expect([second?.size, third?.size]).toEqual([80, 90]);
});

test("FallbackAdaptor throws an error with both messages if both are out of memory", () => {
  const either = new FallbackAdaptor(empty("one is full"), new LimitAdaptor(plain, 10));
  const error = thrownBy(() => either.allocate(50));
  expect(error).toBeInstanceOf(OutOfMemoryError);
  expect(String(error)).toMatch(
    /neither allocator has 50 bytes\. ScriptedAllocator: one is full\. LimitAdaptor: .*cannot allocate 50 bytes/,
  );
  expect((error as Error).cause).toBeInstanceOf(AggregateError);
  expect(either.fallbackCount).toBe(0);
});

test("FallbackAdaptor rethrows other errors of the primary allocator", () => {
  const fallback = new ScriptedAllocator((bytes) => plain.allocate(bytes));
  const either = new FallbackAdaptor(new ScriptedAllocator(() => undefined), fallback);
  expect(() => either.allocate(10)).toThrow(errorLike(TypeError, "ERR_CL_BAD_ALLOCATOR"));
  expect(fallback.calls).toBe(0);
});

test("FallbackAdaptor names the fallback in errors, and freeHeld frees held memory of both", () => {
  const holding = (bytes: number): Allocator => ({ context, allocate: () => null, freeHeld: () => bytes });
  expect(new FallbackAdaptor(holding(3), holding(4)).freeHeld()).toBe(7);
  expect(() => new FallbackAdaptor(empty(), holding(1)).allocate(5)).toThrow(
    errorLike(TypeError, "ERR_CL_BAD_ALLOCATOR"),
  );
});

test("FallbackAdaptor rejects allocators of different contexts", () => {
  const other = new DeferredAllocator(new Context(context.devices));
  expect(() => new FallbackAdaptor(plain, other)).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "fallback"));
});

test("FailureCallbackAdaptor retries while its callback returns true", () => {
  const budget = new LimitAdaptor(plain, 100);
  const spare = [budget.allocate(50), budget.allocate(50)];
  const asked: unknown[] = [];
  const allocator = new FailureCallbackAdaptor(budget, (bytes, error, attempts) => {
    asked.push([bytes, error.code, attempts]);
    spare.pop()?.release();
    return true;
  });
  using memory = allocator.allocate(80);
  expect(memory?.size).toBe(80);
  expect(asked).toEqual([
    [80, "ERR_CL_OVER_BUDGET", 1],
    [80, "ERR_CL_OVER_BUDGET", 2],
  ]);
});

test("FailureCallbackAdaptor rethrows if its callback returns false, and does not call it for other errors", () => {
  const callback = vi.fn<FailureCallback>(() => false);
  expect(() => new FailureCallbackAdaptor(empty(), callback).allocate(1)).toThrow(
    errorLike(OutOfMemoryError, "CL_MEM_OBJECT_ALLOCATION_FAILURE"),
  );
  expect(callback).toHaveBeenCalledTimes(1);
  const broken = new FailureCallbackAdaptor(new ScriptedAllocator(() => undefined), callback);
  expect(() => broken.allocate(1)).toThrow(errorLike(TypeError, "ERR_CL_BAD_ALLOCATOR"));
  expect(callback).toHaveBeenCalledTimes(1);
});

test("FailureCallbackAdaptor rejects a callback that returns a promise or no Boolean", () => {
  const later = (async () => true) as unknown as FailureCallback;
  expect(() => new FailureCallbackAdaptor(empty(), later).allocate(1)).toThrow(
    errorLike(TypeError, "ERR_INVALID_ARG_TYPE"),
  );
  const silent = (() => undefined) as unknown as FailureCallback;
  expect(() => new FailureCallbackAdaptor(empty(), silent).allocate(1)).toThrow(
    errorLike(TypeError, "ERR_INVALID_ARG_TYPE"),
  );
  expect(() => new FailureCallbackAdaptor(plain, 1 as never)).toThrow(
    errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "callback"),
  );
});

test("FailureCallbackAdaptor rethrows errors of its callback", () => {
  const allocator = new FailureCallbackAdaptor(empty(), () => {
    throw new Error("enough");
  });
  expect(() => allocator.allocate(1)).toThrow("enough");
});

test("RetryAdaptor frees all held memory before it retries", () => {
  const budget = new LimitAdaptor(plain, 100);
  const held = (bytes: number): Allocator => {
    const memory = budget.allocate(bytes);
    const freeHeld = (): number => {
      memory?.release();
      return bytes;
    };
    return { context, allocate: () => null, freeHeld };
  };
  const [one, other] = [held(60), held(40)];
  const allocator = new RetryAdaptor(budget, { otherAllocators: [one, other] });
  using memory = allocator.allocate(100);
  expect(memory?.size).toBe(100);
  expect(allocator.retries).toBe(1);
});

test.each([1, 2, 5])("RetryAdaptor makes at most %i attempts", (attempts) => {
  const upstream = empty();
  const allocator = new RetryAdaptor(upstream, { attempts });
  expect(() => allocator.allocate(1)).toThrow(OutOfMemoryError);
  expect(upstream.calls).toBe(attempts);
  expect(allocator.attempts).toBe(attempts);
  expect(allocator.retries).toBe(attempts - 1);
});

test("RetryAdaptor frees held memory of its upstream, and does not retry other errors", () => {
  let held = 0;
  const upstream = {
    context,
    allocate: (bytes: number): DeviceBuffer | null => {
      if (held === 0) throw outOfMemory();
      return plain.allocate(bytes);
    },
    freeHeld: () => ++held,
  };
  using memory = new RetryAdaptor(upstream).allocate(10);
  expect(memory?.size).toBe(10);
  const broken = new ScriptedAllocator(() => undefined);
  expect(() => new RetryAdaptor(broken, { attempts: 9 }).allocate(1)).toThrow(
    errorLike(TypeError, "ERR_CL_BAD_ALLOCATOR"),
  );
  expect(broken.calls).toBe(1);
});

test.each([
  ["no attempts", { attempts: 0 }, errorLike(RangeError, "ERR_OUT_OF_RANGE", "options.attempts")],
  [
    "otherAllocators that are not allocators",
    { otherAllocators: [plain, {}] },
    errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options.otherAllocators[1]"),
  ],
  [
    "otherAllocators that are not a list",
    { otherAllocators: 1 },
    errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options.otherAllocators"),
  ],
])("RetryAdaptor rejects %s", (_, options, message) => {
  expect(() => new RetryAdaptor(plain, options as never)).toThrow(message);
});

test("AlignedAdaptor rounds sizes up, except 0", () => {
  const aligned = new AlignedAdaptor(plain, 256);
  expect(aligned.alignment).toBe(256);
  for (const [asked, given] of [
    [1, 256],
    [256, 256],
    [257, 512],
  ] as const) {
    using memory = aligned.allocate(asked);
    expect(memory?.size).toBe(given);
  }
  expect(aligned.allocate(0)).toBeNull();
  expect(() => aligned.allocate(Number.MAX_SAFE_INTEGER)).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE", "bytes"));
});

test("AlignedAdaptor rejects and releases misaligned sub-buffers", () => {
  const base = plain.allocate(65_536) as DeviceBuffer;
  const step = Math.max(...context.devices.map((device) => device.memBaseAddrAlign)) / 8;
  const parts: DeviceBuffer[] = [];
  const upstream = new ScriptedAllocator((bytes, call) => {
    const part = base.subBuffer(call === 1 ? 0 : step, bytes);
    parts.push(part);
    return part;
  });
  const aligned = new AlignedAdaptor(upstream, 2 * step);
  using first = aligned.allocate(1);
  expect(first?.size).toBe(2 * step);
  expect(() => aligned.allocate(1)).toThrow(
    `ScriptedAllocator returned memory that starts at ${step}, which is not a multiple of ${2 * step}`,
  );
  expect(parts.map(({ released }) => released)).toEqual([false, true]);
});

test("AlignedAdaptor accepts only aligned SVM addresses, and names the allocator in its error", (run) => {
  let allocator: SvmAllocator | undefined;
  try {
    allocator = new SvmAllocator(context, { alignment: 64 });
  } catch {
    allocator = undefined;
  }
  needs(run, allocator !== undefined, "the device has no shared virtual memory");
  const upstream = allocator as SvmAllocator;
  using memory = new AlignedAdaptor(upstream, 64).allocate(10);
  expect(memory?.size).toBe(64);
  expect((memory?.pointer ?? 1n) % 64n).toBe(0n);
  const whole = upstream.allocate(256);
  const odd = { context, allocate: (bytes: number) => whole.part(1, bytes) };
  expect(() => new AlignedAdaptor(odd, 64).allocate(10)).toThrow(
    /returned memory that starts at \d+, which is not a multiple/,
  );
});

test.each([[0], [3], [1.5], ["64"]])("AlignedAdaptor rejects an alignment of %s", (alignment) => {
  expect(() => new AlignedAdaptor(plain, alignment as number)).toThrow(/^alignment must be/);
});

test("adaptors can be stacked in any order", async () => {
  const queue = new CommandQueue(context);
  const stack = new RetryAdaptor(new AlignedAdaptor(new LimitAdaptor(plain, 1024), 64));
  using memory = stack.allocate(100);
  await queue.write(memory as DeviceBuffer, new Uint8Array(128).fill(7));
  expect((await queue.read(memory as DeviceBuffer, Uint8Array))[127]).toBe(7);
});
