import { type Allocator, CommandQueue, Context, DeviceBuffer, DisposedError, OutOfMemoryError } from "@cl/core";
import { DeferredAllocator, ImmediateAllocator, LimitAdaptor, MemoryPool, PooledBuffer } from "@cl/tools";
import { describe, expect, test, vi } from "vitest";

import { thrownBy } from "./support/allocators.js";
import { collectUntil } from "@cl/base/testing";
import { errorLike, outOfRange, wrongType } from "@cl/testing/error-like";

const context = Context.create();
const queue = new CommandQueue(context);
const immediate = new ImmediateAllocator(queue);

/** An allocator with a budget that counts its allocations. */
class Source implements Allocator {
  readonly context = context;
  readonly given: DeviceBuffer[] = [];
  left: number;
  constructor(left = Infinity) {
    this.left = left;
  }
  get live(): number {
    return this.given.filter(({ released }) => !released).length;
  }
  allocate(bytes: number): DeviceBuffer {
    const used = this.given.reduce((sum, { released, size }) => (released ? sum : sum + size), 0);
    if (used + bytes > this.left) throw new OutOfMemoryError("CL_TEST", 0, "Source", "the source is empty");
    const buffer = new DeviceBuffer(context, bytes);
    this.given.push(buffer);
    return buffer;
  }
}

describe("a MemoryPool", () => {
  test("reuses released blocks for requests of the same bin, the latest first", () => {
    const source = new Source();
    const pool = new MemoryPool(source);
    const [first, second] = [pool.allocate(1000), pool.allocate(1010)];
    expect(first).toBeInstanceOf(PooledBuffer);
    const pointers = [first.pointer, second.pointer];
    first.release();
    second.release();
    expect([pool.heldBlocks, pool.activeBlocks]).toEqual([2, 0]);
    expect([pool.allocate(1020).pointer, pool.allocate(1001).pointer]).toEqual(pointers.toReversed());
    expect(source.given).toHaveLength(2);
    expect(pool.allocate(2000).pointer).not.toBe(pointers[0]);
  });

  test("counts active and held blocks and bytes, and their peak", () => {
    const pool = new MemoryPool(new Source());
    const [first, second] = [pool.allocate(1000), pool.allocate(5000)];
    expect(pool).toMatchObject({ activeBlocks: 2, activeBytes: 6000, heldBlocks: 0, heldBytes: 0 });
    expect(pool.managedBytes).toBe(1023 + 5119);
    first.release();
    expect(pool).toMatchObject({ activeBlocks: 1, activeBytes: 5000, heldBlocks: 1, heldBytes: 1023 });
    second.release();
    expect(pool).toMatchObject({ activeBytes: 0, managedBytes: 6142, peakActiveBytes: 6000, peakManagedBytes: 6142 });
    pool.resetPeaks();
    expect(pool).toMatchObject({ peakActiveBytes: 0, peakManagedBytes: 6142 });
  });

  test("freeHeld releases held blocks and returns their bytes", () => {
    const source = new Source();
    const pool = new MemoryPool(source);
    using kept = pool.allocate(100);
    pool.allocate(1000).release();
    pool.allocate(5000).release();
    expect(pool.freeHeld()).toBe(1023 + 5119);
    expect(pool).toMatchObject({ heldBlocks: 0, heldBytes: 0, activeBlocks: 1, managedBytes: 103 });
    expect(source.live).toBe(1);
    expect(kept.released).toBe(false);
  });

  test("trim releases the largest blocks until at most the given bytes are held", () => {
    const pool = new MemoryPool(new Source());
    for (const memory of [100, 1000, 5000].map((bytes) => pool.allocate(bytes))) memory.release();
    expect(pool.trim(2000)).toBe(5119);
    expect(pool.heldBytes).toBe(1023 + 103);
    expect(pool.trim(2000)).toBe(0);
  });

  test("stopHolding, which `using` calls, releases held blocks and all later ones immediately", () => {
    const source = new Source();
    let late: PooledBuffer;
    {
      using pool = new MemoryPool(source);
      late = pool.allocate(1000);
      pool.allocate(100).release();
      expect(source.live).toBe(2);
    }
    expect(source.live).toBe(1);
    late.release();
    expect(source.live).toBe(0);
  });

  test("reuses garbage-collected blocks", async () => {
    const pool = new MemoryPool(new Source());
    (() => pool.allocate(64))();
    expect(await collectUntil(() => pool.heldBlocks === 1)).toBe(true);
    expect(pool).toMatchObject({ activeBlocks: 0, activeBytes: 0 });
  });

  test("can use another pool as upstream", () => {
    const source = new Source();
    const lower = new MemoryPool(source);
    const upper = new MemoryPool(lower);
    const memory = upper.allocate(1000);
    expect([lower.activeBlocks, upper.activeBlocks]).toEqual([1, 1]);
    memory.release();
    expect([lower.activeBlocks, upper.heldBlocks]).toEqual([1, 1]);
    expect(upper.trim(0)).toBe(1023);
    expect([lower.activeBlocks, lower.heldBlocks]).toEqual([0, 1]);
    upper.allocate(1000).release();
    expect(upper.freeHeld()).toBe(1023);
    expect([lower.heldBlocks, source.live]).toEqual([0, 0]);
  });

  test("rejects invalid arguments", () => {
    const pool = new MemoryPool(new Source());
    expect(() => new MemoryPool({} as never)).toThrow(wrongType("allocator"));
    expect(() => new MemoryPool(new Source(), { maxBytes: 0 })).toThrow(outOfRange("options.maxBytes"));
    expect(() => pool.trim(-1)).toThrow(outOfRange("heldBytes"));
  });

  test("warns about a deferred allocator, which detects too late that memory has run out", () => {
    // Each class is warned of once in a process.
    class OwnAllocator extends DeferredAllocator {}
    const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
    expect(new MemoryPool(new OwnAllocator(context)).deferred).toBe(true);
    expect(new MemoryPool(new OwnAllocator(context)).deferred).toBe(true);
    expect(new MemoryPool(immediate).deferred).toBe(false);
    expect(warn).toHaveBeenCalledTimes(1);
    warn.mockRestore();
  });

  test("prints its statistics", () => {
    const pool = new MemoryPool(new Source());
    pool.allocate(2048).release();
    using _ = pool.allocate(100);
    expect(String(pool)).toBe("MemoryPool { 1 block active (100 B), 1 block held (2.12 KiB) }");
  });
});

describe("released pool memory", () => {
  test("is rejected by every command", () => {
    const pool = new MemoryPool(new Source());
    const memory = pool.allocate(64);
    memory.release();
    memory.release();
    using next = pool.allocate(64);
    expect(() => queue.enqueueFill(memory, Int32Array.of(1))).toThrow(DisposedError);
    expect(pool.activeBlocks).toBe(1);
    expect(next.released).toBe(false);
  });

  test("returns to the pool even after its context was released", () => {
    const own = new Context(context.devices);
    const pool = new MemoryPool(Object.assign(new DeferredAllocator(own), { deferred: false }));
    const memory = pool.allocate(64);
    own.release();
    memory.release();
    expect(pool).toMatchObject({ activeBlocks: 0, heldBlocks: 1 });
    pool.freeHeld();
  });

  test("does not return to the pool if the upstream's memory was released", () => {
    const source = new Source();
    const pool = new MemoryPool(source);
    const memory = pool.allocate(64);
    source.given[0]?.release();
    memory.release();
    expect(pool).toMatchObject({ heldBlocks: 0, managedBytes: 0 });
    const held = pool.allocate(64);
    held.release();
    source.given[1]?.release();
    expect(pool.allocate(64).released).toBe(false);
    expect(pool).toMatchObject({ activeBlocks: 1, heldBlocks: 0, managedBytes: 67 });
  });
});

describe("when memory has run out, a pool", () => {
  test("frees held blocks, largest first, and retries after each", () => {
    const source = new Source(10_000);
    const pool = new MemoryPool(source);
    for (const memory of [1000, 2000, 4000].map((bytes) => pool.allocate(bytes))) memory.release();
    using large = pool.allocate(6000);
    expect(large.size).toBe(6000);
    // Freeing the largest was enough.
    expect(pool.heldBytes).toBe(1023 + 2047);
  });

  test("reclaims unreachable blocks in the same turn of the event loop", () => {
    const source = new Source(1100);
    const pool = new MemoryPool(source);
    for (let i = 0; i < 5; i++) pool.allocate(1000);
    expect(source.given).toHaveLength(1);
  });

  test("retries even if it holds nothing, because memory outside of it may have been released", () => {
    const source = new Source(1100);
    const foreign = source.allocate(1000);
    const allocate = (bytes: number): DeviceBuffer => {
      try {
        return source.allocate(bytes);
      } finally {
        foreign.release();
      }
    };
    expect(new MemoryPool({ context, allocate }).allocate(1000).size).toBe(1000);
  });

  test("throws an error that lists the memory in use", () => {
    const pool = new MemoryPool(new LimitAdaptor(immediate, 10_000));
    const solver = pool.named("solver");
    const held = [solver.allocate(4000), solver.allocate(2000), pool.allocate(1000)];
    expect(pool.holders).toEqual([{ name: "solver", blocks: 2, bytes: 6000 }]);
    const error = thrownBy(() => pool.named("plot").allocate(9000)) as OutOfMemoryError;
    expect(error).toBeInstanceOf(OutOfMemoryError);
    expect(error.message).toContain('"solver" 2 blocks of 5.86 KiB, others 1 block of 1000 B');
    expect(error.cause).toBeInstanceOf(OutOfMemoryError);
    for (const memory of held) memory?.release();
    expect(pool.holders).toEqual([]);
    expect(pool.named("plot").allocate(9000)?.size).toBe(9000);
  });

  test("does the same at its own limit", () => {
    const pool = new MemoryPool(immediate, { maxBytes: 5000 });
    expect(pool.maxBytes).toBe(5000);
    const first = pool.allocate(4000);
    expect(() => pool.allocate(2000)).toThrow(errorLike(OutOfMemoryError, "ERR_CL_POOL_LIMIT"));
    first.release();
    expect(pool.allocate(2000).size).toBe(2000);
    expect(pool.managedBytes).toBe(2047);
  });
});

test("a pool on sub-buffers of another pool's buffer reclaims its blocks if that buffer is released first", async () => {
  const outer = new MemoryPool(immediate);
  const whole = outer.allocate(1 << 20);
  let parts = 0;
  const inner = new MemoryPool({ context, allocate: (bytes) => whole.subBuffer((parts++ % 64) * 4096, bytes) });
  const allocateAndDrop = (): void => {
    for (let i = 0; i < 64; i++) inner.allocate(100);
  };
  allocateAndDrop();
  whole.release();
  expect(await collectUntil(() => inner.activeBlocks === 0)).toBe(true);
  expect([inner.heldBlocks, inner.managedBytes]).toEqual([0, 0]);
});
