/** Buffers that are lent: a pool's blocks in the hands of their present owners. */
import { typeError } from "@cl/base";

import { native } from "../binding/native.js";
import { DisposedError } from "../binding/errors.js";
import { forget, handleOf } from "../binding/resource.js";
import { DeviceBuffer, loanOf } from "../memory/buffer.js";
import { beWatched, type Borrower, checkLender, lent, type Lender, unwatch, type Watch, watch } from "./loans.js";

/**
 * A buffer that was lent by whoever owns its memory, and goes back there when it is released or collected. Then nothing
 * reaches the memory through it any more: not a kernel that has it as an argument, nor a list, nor a part of it.
 *
 * The memory may be lent again at once. What former borrowers have enqueued comes first, on whatever queues that was.
 * For authors of allocators; see `MemoryPool` of `@cl/tools`.
 *
 * @example
 * ```ts
 * const block = new DeviceBuffer(context, 4096);
 * const lender = { takeBack: (returned: DeviceBuffer) => returned.release() };
 * using lent = new LentBuffer(block, 1000, lender);
 * ```
 */
export class LentBuffer extends DeviceBuffer implements Borrower {
  readonly #block: DeviceBuffer;
  readonly #lender: Lender<DeviceBuffer>;
  #watch: Watch | undefined;

  /** The first `bytes` of a block. */
  constructor(block: DeviceBuffer, bytes: number, lender: Lender<DeviceBuffer>) {
    // Written out, since it is on the path of every temporary: checkInstance costs 10 ns here.
    super(block instanceof DeviceBuffer ? block.context : wrongBlock(block), loanOf(block, bytes));
    checkLender(lender);
    this.#block = block;
    this.#lender = lender;
    this.#watch = undefined;
    lent(this);
  }

  /** Gives the memory back to its lender; calling it again does nothing. */
  override release(): void {
    if (this.released) return;
    // Looked at first, so that nothing but a lent buffer is released by this.
    const block = this.#block;
    if (this.#watch !== undefined) unwatch(this.#watch);
    try {
      giveBack(block, this.size, this.#lender);
    } finally {
      forget(this);
    }
  }

  /** @internal */
  [beWatched](): void {
    if (this.released || this.#watch !== undefined) return;
    const [block, bytes, lender] = [this.#block, this.size, this.#lender];
    this.#watch = watch(this, () => giveBack(block, bytes, lender));
  }
}

function wrongBlock(block: unknown): never {
  throw typeError("block", "a DeviceBuffer", block);
}

function giveBack(block: DeviceBuffer, bytes: number, lender: Lender<DeviceBuffer>): void {
  lender.takeBack(block, bytes, endLoan(block));
}

/** True if the block can be lent again. It may have been released under its borrower, or ended with a loan that it is a part of. */
function endLoan(block: DeviceBuffer): boolean {
  if (block.released) return false;
  try {
    return native.endLoan(handleOf(block)) === undefined;
  } catch (error) {
    if (error instanceof DisposedError) return false;
    throw error;
  }
}
