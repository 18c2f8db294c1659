/** Tests that valid requests return enough memory and invalid ones are rejected. */
import { expect, test } from "vitest";
import * as fc from "fast-check";

import { sizes } from "./arbitraries.js";
import { allocate, plainSetting, type Subject } from "./subject.js";

export function testRequests(subject: Subject): void {
  test("returns live memory of its context with at least the requested size", () => {
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

  test("returns aligned memory", async () => {
    const { patterns } = subject.environment();
    const allocator = subject.make(plainSetting(subject));
    const memories = [1, 3, 100, 1000, 1, 4097].map((bytes) => allocate(allocator, bytes));
    for (const memory of memories) expect(await patterns.remainder(memory, subject.alignment)).toBe(0);
    for (const memory of memories) memory.release();
  });

  test(`returns ${subject.zeroIsNull ? "null" : "memory of at most one byte"} for 0 bytes`, () => {
    const allocator = subject.make(plainSetting(subject));
    const nothing = allocator.allocate(0);
    if (subject.zeroIsNull) expect(nothing).toBeNull();
    else expect(nothing?.size).toBeLessThanOrEqual(1);
    nothing?.release();
    expect(subject.usedBytes(allocator)).toBe(0);
  });

  test.each([[-1], [1.5], [Number.NaN], [Infinity], ["16"], [16n], [undefined], [{}]])(
    "rejects %s bytes with an error that names the argument",
    (bytes) => {
      const allocator = subject.make(plainSetting(subject));
      expect(() => allocator.allocate(bytes as number)).toThrow(/^bytes must be/);
      expect(subject.usedBytes(allocator)).toBe(0);
    },
  );

  test("can free held memory at any time", () => {
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
