/** Tests that adaptors and pools handle failures of their upstream. */
import { type Allocation, type Allocator, OutOfMemoryError } from "@cl/core";
import { expect, test } from "vitest";

import { LimitAdaptor } from "../../adaptors/limit-adaptor.js";
import { needs } from "@cl/base/testing";
import { type Fault, faults, FaultyAllocator } from "./faulty-allocator.js";
import { allocate, type Subject } from "./subject.js";

const requests = [100, 4096, 333, 100, 20_000, 4096, 101];

/** Defines the tests of upstream failures. */
export function testFailures(subject: Subject): void {
  test.for(faults)("keeps its counters correct when the n-th upstream result is %s, for every n", (fault, run) => {
    const { context, queue } = subject.environment();
    let reached = 0;
    for (let n = 1; n === reached + 1; n++) {
      const upstream = new FaultyAllocator(context, subject.plain, fault, n);
      const allocator = subject.make({ context, queue, upstream });
      const errors = scenario(allocator);
      if (upstream.calls >= n) {
        reached = n;
        checkErrors(fault, errors);
      } else {
        expect(errors).toEqual([]);
      }
      expect(subject.usedBytes(allocator)).toBe(0);
      upstream.disableFault();
      for (const bytes of requests) allocate(allocator, bytes).release();
      expect(subject.usedBytes(allocator)).toBe(0);
      allocator.freeHeld?.();
      expect(upstream.live).toBe(0);
    }
    needs(run, reached > 0, "the allocator has no upstream");
  });

  test("throws an OutOfMemoryError when a budget is exhausted, and can allocate as much again after release", (run) => {
    const { context, queue } = subject.environment();
    const upstream = new LimitAdaptor(subject.plain(context), 1_000_000);
    const allocator = subject.make({ context, queue, upstream });
    const counts = [0, 1, 2].map(() => {
      const memories: Allocation[] = [];
      const error = exhaust(allocator, memories);
      needs(run, upstream.usedBytes > 0, "the allocator has no upstream");
      expect(error).toBeInstanceOf(OutOfMemoryError);
      expect(upstream.usedBytes).toBeLessThanOrEqual(upstream.maxBytes);
      for (const memory of memories) memory.release();
      expect(subject.usedBytes(allocator)).toBe(0);
      return memories.length;
    });
    expect(counts[0]).toBeGreaterThan(10);
    expect(new Set(counts).size).toBe(1);
    allocator.freeHeld?.();
    expect(upstream.usedBytes).toBe(0);
  });
}

/** Allocates and releases memory and finally releases everything. Returns the errors. */
function scenario(allocator: Allocator<Allocation>): unknown[] {
  const errors: unknown[] = [];
  const live: Allocation[] = [];
  for (const [i, bytes] of requests.entries()) {
    try {
      live.push(allocate(allocator, bytes));
    } catch (error) {
      errors.push(error);
    }
    if (i % 3 === 2) live.shift()?.release();
  }
  for (const memory of live) memory.release();
  return errors;
}

function checkErrors(fault: Fault, errors: readonly unknown[]): void {
  for (const error of errors) expect(error).toBeInstanceOf(Error);
  if (fault === "out of memory") {
    // The allocator may have recovered.
    for (const error of errors) expect(error).toBeInstanceOf(OutOfMemoryError);
    return;
  }
  expect(errors).toHaveLength(1);
  expect((errors[0] as Error).message).toMatch(fault === "an error" ? /on purpose/ : /\bFaultyAllocator\b/);
}

/** Allocates until an allocation fails, at most 200 times. Returns the error. */
function exhaust(allocator: Allocator<Allocation>, memories: Allocation[]): unknown {
  for (let i = 0; i < 200; i++) {
    try {
      memories.push(allocate(allocator, 50_000));
    } catch (error) {
      return error;
    }
  }
  return undefined;
}
