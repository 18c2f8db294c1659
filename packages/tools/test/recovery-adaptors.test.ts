/** Adaptors that handle exhausted memory. */
import { type Allocator, Context, type DeviceBuffer, OutOfMemoryError } from "@cl/core";
import { errorLike, outOfRange, wrongType } from "@cl/testing/error-like";
import { needsCoarse } from "@cl/testing/svm";
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
  const error = thrownBy(() => either.allocate(50)) as OutOfMemoryError;
  expect(error).toBeInstanceOf(OutOfMemoryError);
  expect(error.message).toContain("ScriptedAllocator: one is full. LimitAdaptor: ");
  expect(error.cause).toBeInstanceOf(AggregateError);
  expect(either.fallbackCount).toBe(0);
});

test("FallbackAdaptor checks the fallback's memory, frees held memory of both, and is deferred if either is", () => {
  const holding = (bytes: number): Allocator => ({ context, allocate: () => null, freeHeld: () => bytes });
  expect(new FallbackAdaptor(holding(3), holding(4)).freeHeld()).toBe(7);
  expect(new FallbackAdaptor(holding(3), plain).deferred).toBe(true);
  expect(() => new FallbackAdaptor(empty(), holding(1)).allocate(5)).toThrow(
    errorLike(TypeError, "ERR_CL_BAD_ALLOCATOR"),
  );
});

test("FallbackAdaptor rejects allocators of different contexts", () => {
  const other = new DeferredAllocator(new Context(context.devices));
  expect(() => new FallbackAdaptor(plain, other)).toThrow(wrongType("fallback"));
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

test("FailureCallbackAdaptor rethrows if its callback returns false or throws", () => {
  const callback = vi.fn<FailureCallback>(() => false);
  expect(() => new FailureCallbackAdaptor(empty(), callback).allocate(1)).toThrow(
    errorLike(OutOfMemoryError, "CL_MEM_OBJECT_ALLOCATION_FAILURE"),
  );
  expect(callback).toHaveBeenCalledTimes(1);
  const mine = new Error("mine");
  callback.mockImplementation(() => {
    throw mine;
  });
  expect(thrownBy(() => new FailureCallbackAdaptor(empty(), callback).allocate(1))).toBe(mine);
});

test("FailureCallbackAdaptor rejects a callback that returns a promise or no Boolean", () => {
  for (const callback of [async () => true, () => undefined] as unknown as FailureCallback[]) {
    expect(() => new FailureCallbackAdaptor(empty(), callback).allocate(1)).toThrow(wrongType());
  }
  expect(() => new FailureCallbackAdaptor(plain, 1 as never)).toThrow(wrongType("callback"));
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

test("RetryAdaptor frees held memory of its upstream", () => {
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
});

test.each([
  [{ attempts: 0 }, outOfRange("options.attempts")],
  [{ otherAllocators: [plain, {}] }, wrongType("options.otherAllocators[1]")],
  [{ otherAllocators: 1 }, wrongType("options.otherAllocators")],
])("RetryAdaptor rejects invalid options (%#)", (options, error) => {
  expect(() => new RetryAdaptor(plain, options as never)).toThrow(error);
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
  expect(() => aligned.allocate(Number.MAX_SAFE_INTEGER)).toThrow(outOfRange("bytes"));
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
  expect(() => aligned.allocate(1)).toThrow(TypeError);
  expect(parts.map(({ released }) => released)).toEqual([false, true]);
});

test("AlignedAdaptor accepts only aligned SVM addresses", (run) => {
  needsCoarse(run);
  const upstream = new SvmAllocator(context, { alignment: 64 });
  using memory = new AlignedAdaptor(upstream, 64).allocate(10);
  expect(memory?.size).toBe(64);
  expect((memory?.pointer ?? 1n) % 64n).toBe(0n);
  const whole = upstream.allocate(256);
  const odd = { context, allocate: (bytes: number) => whole.part(1, bytes) };
  expect(() => new AlignedAdaptor(odd, 64).allocate(10)).toThrow(TypeError);
});

test.each([0, 3, 1.5])("AlignedAdaptor rejects an alignment of %s", (alignment) => {
  expect(() => new AlignedAdaptor(plain, alignment)).toThrow(outOfRange("alignment"));
});
