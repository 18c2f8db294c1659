/**
 * Pools that several queues use at the same time.
 *
 * @module-tag ci
 */
import { setImmediate as turn } from "node:timers/promises";

import { randomNumbers } from "@cl/base";
import { CommandQueue, DeviceBuffer, Program } from "@cl/core";
import { ImmediateAllocator, MemoryPool, SvmAllocator, SvmPool } from "@cl/tools";
import { caseCount } from "@cl/testing/level";
import { context, needsCoarse } from "@cl/testing/svm";
import { beforeAll, expect, test } from "vitest";

const queues = [new CommandQueue(context), new CommandQueue(context), new CommandQueue(context, { outOfOrder: true })];
const [first] = queues as [CommandQueue];

const source = `
// Marks the block with its owner, slowly, to provoke races.
__kernel void mark(__global int *block, int owner, int slowness) {
  const size_t i = get_global_id(0);
  int spun = owner;
  for (int k = 0; k < slowness; k++) spun = spun * 1664525 + 1013904223;
  block[i] = slowness > 0 && spun == 12345 ? spun : owner;
}

// Counts values that are not the owner's.
__kernel void inspect(__global const int *block, int owner, __global int *strangers) {
  if (block[get_global_id(0)] != owner) atomic_inc(strangers);
}
`;
let program: Program;

beforeAll(async () => {
  program = await new Program(context, source).build();
});

/** Returns a function that returns pseudorandom integers below a limit. */
function sequence(seed: number): (limit: number) => number {
  const next = randomNumbers(seed);
  return (limit) => Math.floor(next() * limit);
}

/** Allocates and releases at random on all queues. Returns the number of values seen that belong to another owner. */
async function hammer(pool: MemoryPool | SvmPool, rounds: number): Promise<number> {
  const strangers = DeviceBuffer.from(context, Int32Array.of(0));
  const next = sequence(7);
  const [mark, inspect] = [program.kernel("mark"), program.kernel("inspect")];
  for (let owner = 1; owner <= rounds; owner++) {
    const items = 64 << next(3);
    const memory = pool.allocate(4 * items);
    const queue = queues[next(queues.length)] as CommandQueue;
    const marked = mark.bind({ global: items }, memory, owner, next(4) === 0 ? 2000 : 0).enqueue(queue);
    // Ordered by an event, because the queue may be out-of-order; sometimes on another queue.
    const second = next(4) === 0 ? (queues[next(queues.length)] as CommandQueue) : queue;
    inspect.bind({ global: items }, memory, owner, strangers).enqueue(second, { waitFor: marked });
    memory.release();
    if (next(8) === 0) queue.flush();
    if (next(64) === 0) await turn();
    if (next(512) === 0) await queue.finish();
    // Replace queues, too.
    if (next(1024) === 0) {
      const i = 1 + next(queues.length - 1);
      const old = queues[i] as CommandQueue;
      queues[i] = new CommandQueue(context, { outOfOrder: i === 2 });
      old.flush();
      old.release();
    }
  }
  for (const queue of queues) await queue.finish();
  await first.finish();
  return (await first.read(strangers))[0] as number;
}

test("a pool shared by three queues never exposes a block to two owners", async () => {
  const pool = new MemoryPool(new ImmediateAllocator(first));
  expect(await hammer(pool, caseCount(10_000))).toBe(0);
  expect(pool.activeBlocks).toBe(0);
  // Blocks were reused.
  expect(pool.heldBlocks).toBeLessThan(100);
}, 240_000);

test("an SvmPool shared by three queues never exposes a block to two owners", async (run) => {
  needsCoarse(run);
  const pool = new SvmPool(new SvmAllocator(context));
  expect(await hammer(pool, caseCount(4000))).toBe(0);
  expect(pool.activeBlocks).toBe(0);
  expect(pool.heldBlocks).toBeLessThan(100);
}, 240_000);

test("many garbage-collected blocks return to the pool while others are allocated", async () => {
  const pool = new MemoryPool(new ImmediateAllocator(first), { maxBytes: 2 ** 22 });
  const next = sequence(3);
  for (let i = 0; i < 20_000; i++) {
    const memory = pool.allocate(64 << next(6));
    if (next(2) === 0) memory.release();
    if (i % 500 === 0) await turn();
  }
  expect(pool.managedBytes).toBeLessThanOrEqual(2 ** 22);
  expect(pool.activeBlocks).toBeLessThan(20_000);
}, 240_000);
