/** A pool of shared virtual memory. */
import { type Allocator, BorrowedSvm, type Lender, type SvmAllocation } from "@cl/core";

import { BlockPool } from "./block-pool.js";

/** Shared virtual memory of an {@link SvmPool}. Releasing it returns its memory to the pool. */
export class PooledSvm extends BorrowedSvm {}

/**
 * A pool of shared virtual memory that allocates its blocks from an `SvmAllocator`.
 *
 * @example
 * ```ts
 * const pool = new SvmPool(new SvmAllocator(context, { queue }));
 * using memory = pool.allocate(4096);
 * ```
 */
export class SvmPool extends BlockPool<SvmAllocation, PooledSvm> implements Allocator<PooledSvm> {
  protected override wrapBlock(block: SvmAllocation, bytes: number, lender: Lender<SvmAllocation>): PooledSvm {
    return new PooledSvm(block, bytes, lender);
  }
}
