import { CommandQueue, DisposedError, type SvmAllocation } from "@cl/core";
import { context, needsCoarse, needsFine } from "@cl/testing/svm";
import { leadingBits, PooledSvm, SvmAllocator, SvmPool } from "@cl/tools";
import { beforeEach, expect, test } from "vitest";

import { collectUntil } from "@cl/base/testing";

const queue = new CommandQueue(context);

beforeEach(needsCoarse);

test("SvmPool reuses released memory for requests of the same bin", () => {
  const pool = new SvmPool(new SvmAllocator(context, { queue }));
  const first = pool.allocate(1000);
  expect(first).toBeInstanceOf(PooledSvm);
  expect(first.size).toBe(1000);
  const { pointer } = first;
  first.release();
  expect(pool).toMatchObject({ heldBlocks: 1, activeBlocks: 0, managedBytes: 1023, activeBytes: 0 });
  using second = pool.allocate(1001);
  expect(second.pointer).toBe(pointer);
  expect(pool).toMatchObject({ heldBlocks: 0, activeBlocks: 1, activeBytes: 1001 });
  expect(() => first.mapSync(queue)).toThrow(DisposedError);
});

test("allocations are equal if they start at the same address", () => {
  const pool = new SvmPool(new SvmAllocator(context));
  const first = pool.allocate(64);
  expect(first.equals(first.part(0))).toBe(true);
  expect(first.equals(pool.allocate(64))).toBe(false);
});

test("enqueueRelease equals release, and stopHolding and freeHeld free the allocations", () => {
  const made: SvmAllocation[] = [];
  const upstream = new SvmAllocator(context);
  const allocator = {
    context,
    allocate: (bytes: number): SvmAllocation => {
      made.push(upstream.allocate(bytes));
      return made.at(-1) as SvmAllocation;
    },
  };
  const pool = new SvmPool(allocator);
  pool.allocate(64).enqueueRelease();
  expect([pool.heldBlocks, pool.freeHeld()]).toEqual([1, 67]);
  const late = pool.allocate(64);
  pool.stopHolding();
  late.release();
  expect(made.map(({ released }) => released)).toEqual([true, true]);
});

test("memory can be bound to a queue and unbound", async () => {
  const memory = new SvmPool(new SvmAllocator(context)).allocate(64);
  memory.bindToQueue(queue);
  expect(memory.queue).toBe(queue);
  await memory.unbindFromQueue();
  expect(memory.queue).toBeUndefined();
});

test("fine-grained memory with a host array is reused after the array is garbage-collected", async (run) => {
  needsFine(run);
  const pool = new SvmPool(new SvmAllocator(context, { kind: "fine-buffer" }));
  const memory = pool.allocate(64);
  const array = memory.array(Int32Array);
  array[0] = 3;
  memory.release();
  expect(array).toHaveLength(0);
  expect(await collectUntil(() => pool.heldBlocks === 1)).toBe(true);
  expect((await pool.allocate(64).ready()).array(Int32Array)[0]).toBe(3);
});

test("the binning determines the sizes", () => {
  const pool = new SvmPool(new SvmAllocator(context), { binning: leadingBits(2) });
  using _ = pool.allocate(1000);
  expect(pool.managedBytes).toBe(1023);
  using more = pool.allocate(1025);
  expect(pool.managedBytes).toBe(1023 + 1279);
  expect(more.size).toBe(1025);
});
