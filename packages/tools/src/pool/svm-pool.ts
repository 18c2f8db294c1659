/** A pool of shared virtual memory. */
import { type Allocator, type Lender, LentSvm, type SvmAllocation } from "@cl/core";

import { BlockPool } from "./block-pool.js";

/** Shared virtual memory that an {@link SvmPool} has lent, and that goes back there. */
export class PooledSvm extends LentSvm {}

/**
 * A pool of shared virtual memory, whose blocks come from an `SvmAllocator`.
 *
 * @example
 * ```ts
 * const pool = new SvmPool(new SvmAllocator(context, { queue }));
 * using memory = pool.allocate(4096);
 * ```
 */
export class SvmPool extends BlockPool<SvmAllocation, PooledSvm> implements Allocator<PooledSvm> {
  protected override lend(block: SvmAllocation, bytes: number, lender: Lender<SvmAllocation>): PooledSvm {
    return new PooledSvm(block, bytes, lender);
  }
}
