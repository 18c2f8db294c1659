/** No two owners of one byte: what is written to memory stays there while others come and go. */
import type { Allocation } from "@cl/core";
import { expect, test } from "vitest";
import * as fc from "fast-check";

import { steps } from "./arbitraries.js";
import { allocate, plainSetting, type Subject } from "./subject.js";

interface Owned {
  readonly memory: Allocation;
  readonly bytes: number;
  readonly seed: number;
}

/** Tests of what is in the memory. */
export function testContents(subject: Subject): void {
  test("contents survive whatever is allocated, written and released beside them", async () => {
    const { patterns } = subject.place();
    const most = Math.min(subject.maxBytes, 65_536);
    await fc.assert(
      fc.asyncProperty(steps(most, 40), async (list) => {
        const allocator = subject.make(plainSetting(subject));
        const owned: Owned[] = [];
        const end = ({ memory, bytes, seed }: Owned): void => {
          patterns.check(memory, bytes, seed);
          memory.release();
        };
        for (const [seed, step] of list.entries()) {
          if ("bytes" in step) {
            const memory = allocate(allocator, step.bytes);
            patterns.write(memory, step.bytes, seed);
            owned.push({ memory, bytes: step.bytes, seed });
          } else if (owned.length > 0) {
            for (const one of owned.splice(step.release % owned.length, 1)) end(one);
          }
        }
        for (const one of owned) end(one);
        expect(await patterns.wrongBytes()).toBe(0);
        expect(subject.usedBytes(allocator)).toBe(0);
      }),
      { numRuns: 40 },
    );
  });

  test("every byte that was asked for can be used, the last one too", async () => {
    const { patterns } = subject.place();
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
