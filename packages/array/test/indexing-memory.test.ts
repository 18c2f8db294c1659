/**
 * Indexing releases all temporary memory, for memory of every kind and on out-of-order queues.
 *
 * @module-tag ci
 */
import { CommandQueue, type DeviceBuffer } from "@cl/core";
import { type Arrays, arrays } from "@cl/array";
import { ImmediateAllocator, SvmAllocator } from "@cl/tools";
import { expect, test } from "vitest";
import { needsCoarse } from "@cl/testing/svm";
import { pooled } from "./support/pooled.js";

import { outOfRange, wrongValue } from "@cl/testing/error-like";
import { context } from "./support/device.js";

/** Runs every indexing operation once, including waits and errors. */
async function runAll(xp: Arrays): Promise<void> {
  using a = xp.arange(60, { dtype: "int32" });
  using matrix = a.reshape([6, 10]);
  using rows = xp.array([1, -1, 3], { dtype: "int32" });
  using mask = a.greater(40);
  using masks = mask.reshape([6, 10]);
  using values = xp.arange(19, { dtype: "float32" });
  using taken = matrix.at(rows, [0, 1, 2]);
  expect([...(await taken.data())]).toEqual([10, 51, 32]);
  using selected = await a.at(mask);
  expect(selected.size).toBe(19);
  using some = matrix.at([true, false, true, false, false, false], { size: 2 });
  expect(some.shape).toEqual([2, 10]);
  using known = a.at(mask, { size: 30, fill: -1 });
  using last = known.slice(-1);
  expect(await last.item()).toBe(-1);
  for (const one of await matrix.nonzero()) one.release();
  using target = matrix.copy();
  target.setAt([rows, ":"], 5).setAt(masks, values);
  target.addAt([[0, 0], 1], 100).put(rows, [7, 8]);
  using start = target.slice(0, ":4");
  expect([...(await start.data())]).toEqual([0, 7, 2, 7]);
  using far = xp.array([99], { dtype: "int32" });
  matrix.take(far).release();
  await expect(matrix.data()).rejects.toThrow(outOfRange());
  await expect(a.at(mask, ":", ":")).rejects.toThrow(outOfRange("indices"));
  await expect(a.at(mask, { signal: AbortSignal.abort(new Error("enough")) })).rejects.toThrow(
    expect.objectContaining({ message: "enough" }),
  );
  target.setAt(masks, [1, 2]);
  await expect(xp.check()).rejects.toThrow(wrongValue());
}

test("the pool's managed bytes stay constant", async () => {
  const { pool, xp } = pooled();
  await runAll(xp);
  const { managedBytes, activeBytes } = pool;
  for (let i = 0; i < 20; i++) await runAll(xp);
  expect([pool.managedBytes, pool.activeBytes]).toEqual([managedBytes, activeBytes]);
});

test("releases everything that it allocates", async () => {
  const queue = new CommandQueue(context);
  const outstanding = new Map<DeviceBuffer, string>();
  const inner = new ImmediateAllocator(queue);
  const xp = arrays(queue, {
    allocator: {
      context,
      allocate: (bytes) => {
        const buffer = inner.allocate(bytes);
        if (buffer !== null) outstanding.set(buffer, String(new Error("here").stack));
        return buffer;
      },
    },
  });
  await runAll(xp);
  const left = [...outstanding].filter(([{ released }]) => !released);
  expect(left.map(([, where]) => where)).toEqual([]);
});

test("keeps dependent commands in order on an out-of-order queue", async () => {
  const xp = arrays(new CommandQueue(context, { outOfOrder: true }));
  await expect(runAll(xp)).resolves.toBeUndefined();
});

test("supports memory shared with the host", async (run) => {
  needsCoarse(run);
  const xp = arrays(new CommandQueue(context), { allocator: new SvmAllocator(context) });
  await expect(runAll(xp)).resolves.toBeUndefined();
});
