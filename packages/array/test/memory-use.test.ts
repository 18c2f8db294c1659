/** Memory use stays constant over repeated expressions, whether results are released or dropped. */
import { CommandQueue, Context, OutOfMemoryError } from "@cl/core";
import { arrays, type DeviceArray } from "@cl/array";
import { MemoryPool } from "@cl/tools";
import { describe, expect, test } from "vitest";
import { pooled } from "./support/pooled.js";

import { collectUntil } from "@cl/base/testing";
import { outOfRange, wrongValue } from "@cl/testing/error-like";
import { isFull, testsEveryCase } from "@cl/testing/level";

/** Enough rounds to detect a leak of a few bytes in each. */
const rounds = isFull ? 10_000 : 1000;

const { pool, xp } = pooled();
const { queue } = xp;

test("20 operators allocate the same amount each time", { timeout: 300_000, tags: "ci" }, async () => {
  using a = xp.arange(1000, { dtype: "float32" });
  using b = xp.full([1000], 2, { dtype: "float32" });
  const round = (): void => {
    let value = a.add(0);
    for (let k = 0; k < 19; k++) {
      using reversed = value.slice("::-1");
      const next = k % 3 === 0 ? value.add(b) : k % 3 === 1 ? value.mul(0.5) : reversed.maximum(b);
      value.release();
      value = next;
    }
    using sum = value.sum();
    expect(sum.size).toBe(1);
    value.release();
  };
  for (let k = 0; k < 20; k++) round();
  await xp.check();
  await queue.finish();
  const [managed, active] = [pool.managedBytes, pool.activeBytes];
  for (let k = 0; k < rounds; k++) {
    round();
    // Reads each result, as a real program does, so that commands do not pile up.
    if (k % 100 === 99) await queue.finish();
  }
  expect([pool.managedBytes, pool.activeBytes]).toEqual([managed, active]);
});

test("dropped arrays return to the pool", async () => {
  const before = pool.activeBytes;
  const drop = (): void => {
    for (let k = 0; k < 50; k++) {
      const whole = xp.zeros([1000], { dtype: "float32" });
      const part = whole.slice("1::2").T.reshape([-1, 1]);
      expect(part.add(whole.slice("::2").reshape([-1, 1])).size).toBe(500);
    }
  };
  drop();
  await queue.finish();
  expect(await collectUntil(() => pool.activeBytes <= before)).toBe(true);
});

describe("the default pool", () => {
  /** Returns a queue of a new context, which has a new pool. */
  const queueOfNewContext = (): CommandQueue => new CommandQueue(Context.create());

  test("is shared by all factories of a context", () => {
    const own = queueOfNewContext();
    const other = new CommandQueue(own.context);
    const made = arrays(own);
    expect(made.allocator).toBeInstanceOf(MemoryPool);
    expect(arrays(other).allocator).toBe(made.allocator);
  });

  test("reuses the memory of released arrays", () => {
    const made = arrays(queueOfNewContext());
    const memory = made.allocator as MemoryPool;
    for (let k = 0; k < 5; k++) made.zeros([1000]).release();
    expect(memory).toMatchObject({ activeBlocks: 0, heldBlocks: 1 });
    expect(memory.freeHeld()).toBeGreaterThanOrEqual(8000);
  });

  test("has the limit of the context's first factory", () => {
    const own = queueOfNewContext();
    expect((arrays(own, { maxBytes: 2 ** 20 }).allocator as MemoryPool).maxBytes).toBe(2 ** 20);
    expect(() => arrays(own).zeros([2 ** 20])).toThrow(OutOfMemoryError);
    expect(() => arrays(own, { maxBytes: 2 ** 21 })).toThrow(wrongValue());
    expect(() => arrays(own, { maxBytes: 0 })).toThrow(outOfRange());
    expect(() => arrays(own, { maxBytes: 2 ** 20, allocator: pool })).toThrow(wrongValue());
  });

  test.each([
    ["awaited", async (sum: DeviceArray<"float32">) => expect(await sum.item()).toBe(3 * 2 ** 20)],
    ["in one turn of the event loop", () => undefined],
  ] as const)(
    "holds a loop of dropped arrays within its limit: %s",
    { timeout: 600_000, tags: "ci" },
    async (_, wait) => {
      const made = arrays(queueOfNewContext(), { maxBytes: 64 * 2 ** 20 });
      for (let k = 0; k < (testsEveryCase ? 10_000 : 100); k++) {
        const a = made.zeros([1024, 1024], { dtype: "float32" }).add(1).mul(3);
        const reading = wait(a.sum());
        if (reading !== undefined) await reading;
      }
      expect((made.allocator as MemoryPool).peakManagedBytes).toBeLessThanOrEqual(64 * 2 ** 20);
    },
  );
});
