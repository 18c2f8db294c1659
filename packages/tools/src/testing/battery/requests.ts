/** What is asked for comes, and as much of it; what makes no sense is refused. */
import { expect, test } from "vitest";
import * as fc from "fast-check";

import { sizes } from "./arbitraries.js";
import { allocate, plainSetting, type Subject } from "./subject.js";

/** Tests of what comes for a request. */
export function testRequests(subject: Subject): void {
  test("it gives memory of its context, alive and of at least the size", () => {
    const setting = plainSetting(subject);
    const allocator = subject.make(setting);
    expect(allocator.context.equals(setting.context)).toBe(true);
    expect(["boolean", "undefined"]).toContain(typeof allocator.deferred);
    fc.assert(
      fc.property(fc.array(sizes(subject.maxBytes), { minLength: 1, maxLength: 8 }), (list) => {
        const memories = list.map((bytes) => allocate(allocator, bytes));
        for (const [i, memory] of memories.entries()) {
          expect(memory.size).toBeGreaterThanOrEqual(list[i] as number);
          expect(memory.released).toBe(false);
          expect(memory.context.equals(setting.context)).toBe(true);
        }
        expect(subject.usedBytes(allocator)).toBeGreaterThanOrEqual(0);
        for (const memory of memories) memory.release();
        expect(subject.usedBytes(allocator)).toBe(0);
      }),
      { numRuns: 30 },
    );
  });

  test("what it gives starts where the alignment says", async () => {
    const { patterns } = subject.place();
    const allocator = subject.make(plainSetting(subject));
    const memories = [1, 3, 100, 1000, 1, 4097].map((bytes) => allocate(allocator, bytes));
    for (const memory of memories) expect(await patterns.remainder(memory, subject.alignment)).toBe(0);
    for (const memory of memories) memory.release();
  });

  test(`for no bytes it gives ${subject.zeroIsNull ? "null" : "memory of no bytes, or of one"}`, () => {
    const allocator = subject.make(plainSetting(subject));
    const nothing = allocator.allocate(0);
    if (subject.zeroIsNull) expect(nothing).toBeNull();
    else expect(nothing?.size).toBeLessThanOrEqual(1);
    nothing?.release();
    expect(subject.usedBytes(allocator)).toBe(0);
  });

  test.each([[-1], [1.5], [Number.NaN], [Infinity], ["16"], [16n], [undefined], [{}]])(
    "it refuses %s bytes with a sentence that names them",
    (bytes) => {
      const allocator = subject.make(plainSetting(subject));
      expect(() => allocator.allocate(bytes as number)).toThrow(/^bytes must be/);
      expect(subject.usedBytes(allocator)).toBe(0);
    },
  );

  test("what it holds can be given back at any time", () => {
    const allocator = subject.make(plainSetting(subject));
    const memory = allocate(allocator, 1000);
    allocate(allocator, 1000).release();
    for (let i = 0; i < 2; i++) {
      const freed = allocator.freeHeld?.() ?? 0;
      expect(freed).toBeGreaterThanOrEqual(0);
      expect(memory.released).toBe(false);
    }
    memory.release();
  });
}
