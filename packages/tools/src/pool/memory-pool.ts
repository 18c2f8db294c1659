/** A pool of buffers. */
import { type Allocator, BorrowedBuffer, type DeviceBuffer, type Lender } from "@cl/core";

import { BlockPool } from "./block-pool.js";

/** A buffer of a {@link MemoryPool}. Releasing it returns its memory to the pool. */
export class PooledBuffer extends BorrowedBuffer {}

/**
 * A pool of buffers: an allocator that reuses freed buffers for later requests of similar size. The blocks come from
 * another allocator, preferably an `ImmediateAllocator`, which reports immediately when memory has run out.
 *
 * @example
 * ```ts
 * const pool = new MemoryPool(new ImmediateAllocator(queue));
 * {
 *   using scratch = pool.allocate(1_000_000);
 *   queue.enqueueFill(scratch, Float32Array.of(1));
 * }
 * console.log(pool.heldBlocks, pool.activeBlocks); // 1 0
 * ```
 */
export class MemoryPool extends BlockPool<DeviceBuffer, PooledBuffer> implements Allocator {
  protected override wrapBlock(block: DeviceBuffer, bytes: number, lender: Lender<DeviceBuffer>): PooledBuffer {
    return new PooledBuffer(block, bytes, lender);
  }
}
