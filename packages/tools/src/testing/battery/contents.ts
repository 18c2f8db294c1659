/** Tests that allocations do not overlap: written contents stay intact while other memory is allocated and released. */
import type { Allocation } from "@cl/core";
import { expect, test } from "vitest";
import * as fc from "fast-check";

import { steps } from "./arbitraries.js";
import { allocate, plainSetting, type Subject } from "./subject.js";

interface LiveAllocation {
  readonly memory: Allocation;
  readonly bytes: number;
  readonly seed: number;
}

/** Defines the tests of memory contents. */
export function testContents(subject: Subject): void {
  test("keeps contents intact while other memory is allocated, written and released", async () => {
    const { patterns } = subject.environment();
    const maxBytes = Math.min(subject.maxBytes, 65_536);
    await fc.assert(
      fc.asyncProperty(steps(maxBytes, 40), async (list) => {
        const allocator = subject.make(plainSetting(subject));
        const live: LiveAllocation[] = [];
        const checkAndRelease = ({ memory, bytes, seed }: LiveAllocation): void => {
          patterns.check(memory, bytes, seed);
          memory.release();
        };
        for (const [seed, step] of list.entries()) {
          if ("bytes" in step) {
            const memory = allocate(allocator, step.bytes);
            patterns.write(memory, step.bytes, seed);
            live.push({ memory, bytes: step.bytes, seed });
          } else if (live.length > 0) {
            for (const allocation of live.splice(step.release % live.length, 1)) checkAndRelease(allocation);
          }
        }
        for (const allocation of live) checkAndRelease(allocation);
        expect(await patterns.wrongBytes()).toBe(0);
        expect(subject.usedBytes(allocator)).toBe(0);
      }),
      { numRuns: 40 },
    );
  });

  test("makes every requested byte usable", async () => {
    const { patterns } = subject.environment();
    const allocator = subject.make(plainSetting(subject));
    for (const bytes of [1, 2, 255, 256, 257, 4095, 4096, 4097, subject.maxBytes]) {
      const memory = allocate(allocator, bytes);
      patterns.write(memory, bytes, bytes);
      patterns.check(memory, bytes, bytes);
      memory.release();
      expect(await patterns.wrongBytes()).toBe(0);
    }
  });
}
