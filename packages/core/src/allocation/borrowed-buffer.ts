/** Buffers borrowed from a pool. */
import { typeError } from "@cl/base";

import { native } from "../binding/native.js";
import { DisposedError } from "../binding/errors.js";
import { forget, handleOf } from "../binding/resource.js";
import { DeviceBuffer, loanOf } from "../memory/buffer.js";
import {
  addLoan,
  type Borrower,
  checkLender,
  type Lender,
  startWatching,
  unwatch,
  type Watch,
  watch,
} from "./loans.js";

/**
 * A buffer borrowed from a lender, such as a pool. Its memory returns to the lender when the buffer is released or
 * garbage-collected. Kernels that have it as an argument, lists and sub-buffers can then no longer access the memory.
 *
 * The memory can be reused immediately: commands of the new borrower run after those of earlier borrowers, on any
 * queue. For authors of allocators; see `MemoryPool` of `@cl/tools`.
 *
 * @example
 * ```ts
 * const block = new DeviceBuffer(context, 4096);
 * const lender = { takeBack: (returned: DeviceBuffer) => returned.release() };
 * using borrowed = new BorrowedBuffer(block, 1000, lender);
 * ```
 */
export class BorrowedBuffer extends DeviceBuffer implements Borrower {
  readonly #block: DeviceBuffer;
  readonly #lender: Lender<DeviceBuffer>;
  #watch: Watch | undefined;

  /** Borrows the first `bytes` bytes of a block. */
  constructor(block: DeviceBuffer, bytes: number, lender: Lender<DeviceBuffer>) {
    // Inlined because every temporary buffer is made here: checkInstance costs 10 ns.
    super(block instanceof DeviceBuffer ? block.context : wrongBlock(block), loanOf(block, bytes));
    checkLender(lender);
    this.#block = block;
    this.#lender = lender;
    this.#watch = undefined;
    addLoan(this);
  }

  /** Returns the memory to its lender. Does nothing if the buffer was already released. */
  override release(): void {
    if (this.released) return;
    // Read first: throws if `this` is not a BorrowedBuffer.
    const block = this.#block;
    if (this.#watch !== undefined) unwatch(this.#watch);
    try {
      returnBlock(block, this.size, this.#lender);
    } finally {
      forget(this);
    }
  }

  /** @internal */
  [startWatching](): void {
    if (this.released || this.#watch !== undefined) return;
    const [block, bytes, lender] = [this.#block, this.size, this.#lender];
    this.#watch = watch(this, () => returnBlock(block, bytes, lender));
  }
}

function wrongBlock(block: unknown): never {
  throw typeError("block", "a DeviceBuffer", block);
}

function returnBlock(block: DeviceBuffer, bytes: number, lender: Lender<DeviceBuffer>): void {
  lender.takeBack(block, bytes, endLoan(block));
}

/**
 * Ends the loan and returns whether the block can be reused. It cannot if the block was released during the loan,
 * or if it is part of a loan that has ended.
 */
function endLoan(block: DeviceBuffer): boolean {
  if (block.released) return false;
  try {
    return native.endLoan(handleOf(block)) === undefined;
  } catch (error) {
    if (error instanceof DisposedError) return false;
    throw error;
  }
}
