/**
 * The pool of each context, from which arrays take their memory by default. Without a pool, a new buffer for each result
 * makes small operations two to three times slower on an H100.
 */
import { checkInteger, OwnerCache, wrongValue } from "@cl/base";
import { CommandQueue, type Context } from "@cl/core";
import { ImmediateAllocator, MemoryPool } from "@cl/tools";

const pools = new OwnerCache<Context, MemoryPool>();

/**
 * Returns the pool of the queue's context. `maxBytes` limits a new pool; by default to nine tenths of the device's memory,
 * since drivers of processors report a lack of memory too late.
 */
export function poolOf({ context, device }: CommandQueue, maxBytes: number | undefined): MemoryPool {
  if (maxBytes !== undefined && maxBytes !== Infinity) checkInteger(maxBytes, "options.maxBytes", 1);
  const pool = pools.get(context, "pool", () => {
    // The pool's own queue, which no user can release.
    const allocator = new ImmediateAllocator(new CommandQueue(context, { device }));
    return new MemoryPool(allocator, { maxBytes: maxBytes ?? Math.floor(0.9 * device.globalMemSize) });
  });
  if (maxBytes === undefined || maxBytes === pool.maxBytes) return pool;
  throw wrongValue(
    `options.maxBytes must be ${pool.maxBytes}, the limit of the context's pool, received ${maxBytes}; pass a pool as options.allocator`,
  );
}
