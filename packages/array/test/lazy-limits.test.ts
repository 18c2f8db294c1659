/**
 * Limits of pending elements: the memory that they keep alive, and the number of operations that are recorded.
 *
 * @module-tag full
 */
import type { Arrays, DeviceArray } from "@cl/array";
import { describe, expect, test } from "vitest";
import { pooled } from "./support/pooled.js";

import { testsEveryCase } from "@cl/testing/level";

describe("an accumulator that is not read", () => {
  const addOnes = (xp: Arrays, sum: DeviceArray<"float32">): DeviceArray<"float32"> => {
    using ones = xp.ones([16], { dtype: "float32" });
    const added = sum.add(ones);
    sum.release();
    return added;
  };

  test("runs in constant memory", { timeout: 300_000 }, () => {
    const rounds = testsEveryCase ? 100_000 : 5000;
    const { pool, xp } = pooled();
    let sum = xp.zeros([16], { dtype: "float32" });
    for (let k = 0; k < 100; k++) sum = addOnes(xp, sum);
    const managed = pool.managedBytes;
    for (let k = 0; k < rounds; k++) {
      sum = addOnes(xp, sum);
      // So that commands do not pile up.
      if (k % 1000 === 0) xp.queue.finishSync();
    }
    expect(pool.peakManagedBytes).toBe(managed);
    expect(new Set(sum.dataSync())).toEqual(new Set([rounds + 100]));
  });

  test.each(["released", "dropped"])("keeps a fraction of the pool's memory alive if operands are %s", (way) => {
    const limit = 64 * 2 ** 20;
    const { pool, xp } = pooled(undefined, limit);
    const make = (value: number): DeviceArray<"float32"> => xp.full([2 ** 21], value, { dtype: "float32" });
    let sum = make(0);
    for (let k = 0; k < 40; k++) {
      const next = make(k);
      const added = sum.add(next);
      if (way === "released") for (const one of [sum, next]) one.release();
      sum = added;
    }
    expect([sum.min().dataSync()[0], sum.max().dataSync()[0]]).toEqual([780, 780]);
    expect(pool.peakManagedBytes).toBeLessThanOrEqual(limit);
  });

  test("computes values that are used by views", async () => {
    const { xp } = pooled();
    let a: DeviceArray<"float32"> = xp.zeros([3, 3], { dtype: "float32" });
    for (let k = 0; k < 5000; k++) a = a.T.add(1);
    expect(new Set(await a.data())).toEqual(new Set([5000]));
  });
});
