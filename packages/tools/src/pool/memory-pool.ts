/** A pool of buffers. */
import { type Allocator, type DeviceBuffer, type Lender, LentBuffer } from "@cl/core";

import { BlockPool } from "./block-pool.js";

/** A buffer that a {@link MemoryPool} has lent, and that goes back there. */
export class PooledBuffer extends LentBuffer {}

/**
 * A pool of buffers: an allocator that keeps what is given back for the next request of its size. The blocks come from
 * another allocator, best an `ImmediateAllocator`, which reports at once that memory has run out.
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
  protected override lend(block: DeviceBuffer, bytes: number, lender: Lender<DeviceBuffer>): PooledBuffer {
    return new PooledBuffer(block, bytes, lender);
  }
}
