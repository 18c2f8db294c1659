/** Memory use stays constant over repeated expressions, whether results are released or dropped. */
import { CommandQueue } from "@cl/core";
import { arrays } from "@cl/array";
import { ImmediateAllocator, MemoryPool } from "@cl/tools";
import { expect, test } from "vitest";

import { collectUntil } from "@cl/base/testing";
import { testsEveryCase } from "@cl/testing/level";
import { context } from "./support/device.js";

const everyCase = testsEveryCase(import.meta.url);

/** Enough rounds to detect a leak of a few bytes in each; ten times as many if every case is tested. */
const rounds = everyCase ? 10_000 : 1000;

const queue = new CommandQueue(context);
const pool = new MemoryPool(new ImmediateAllocator(queue));
const xp = arrays(queue, { allocator: pool });

test("an expression of 20 operators allocates the same amount each time", { timeout: 300_000 }, async () => {
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
