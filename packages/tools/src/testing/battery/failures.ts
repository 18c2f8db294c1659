/** What stands on another allocator must live with whatever that does. */
import { type Allocation, type Allocator, OutOfMemoryError } from "@cl/core";
import { expect, test } from "vitest";

import { LimitAdaptor } from "../../adaptors/limit-adaptor.js";
import { needs } from "@cl/base/testing";
import { type Fault, faults, FaultyAllocator } from "./faulty-allocator.js";
import { allocate, type Subject } from "./subject.js";

const requests = [100, 4096, 333, 100, 20_000, 4096, 101];

/** Tests of what is left when the upstream fails. */
export function testFailures(subject: Subject): void {
  test.for(faults)("when the n-th answer of its upstream is %s, its books are right, for every n", (fault, run) => {
    const { context, queue } = subject.place();
    let reached = 0;
    for (let n = 1; n === reached + 1; n++) {
      const upstream = new FaultyAllocator(context, subject.plain, fault, n);
      const allocator = subject.make({ context, queue, upstream });
      const errors = scenario(allocator);
      if (upstream.calls >= n) {
        reached = n;
        judge(fault, errors);
      } else {
        expect(errors).toEqual([]);
      }
      expect(subject.usedBytes(allocator)).toBe(0);
      upstream.heal();
      for (const bytes of requests) allocate(allocator, bytes).release();
      expect(subject.usedBytes(allocator)).toBe(0);
      allocator.freeHeld?.();
      expect(upstream.live).toBe(0);
    }
    needs(run, reached > 0, "it stands on no other allocator");
  });

  test("when a budget is used up it is out of memory, and all of that can be had again once it is released", (run) => {
    const { context, queue } = subject.place();
    const upstream = new LimitAdaptor(subject.plain(context), 1_000_000);
    const allocator = subject.make({ context, queue, upstream });
    const counts = [0, 1, 2].map(() => {
      const memories: Allocation[] = [];
      const error = exhaust(allocator, memories);
      needs(run, upstream.usedBytes > 0, "it stands on no other allocator");
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

/** Allocates and releases; every error that came. At its end everything has been released. */
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

function judge(fault: Fault, errors: readonly unknown[]): void {
  for (const error of errors) expect(error).toBeInstanceOf(Error);
  if (fault === "out of memory") {
    // Whoever knows better may have helped itself.
    for (const error of errors) expect(error).toBeInstanceOf(OutOfMemoryError);
    return;
  }
  expect(errors).toHaveLength(1);
  expect((errors[0] as Error).message).toMatch(fault === "an error" ? /on purpose/ : /\bFaultyAllocator\b/);
}

/** Allocates until that fails. */
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
