/** Shared virtual memory borrowed from a pool. */
import { checkInstance, checkInteger, checkOptions, wrongState } from "@cl/base";

import { withoutThrowing } from "../binding/finalizer.js";
import { native } from "../binding/native.js";
import { DisposedError } from "../binding/errors.js";
import { forget, handleOf } from "../binding/resource.js";
import type { WaitOptions } from "../event/event.js";
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
import type { ElementRangeOptions } from "../memory/element-range.js";
import type { ArrayOf, ElementType } from "../dtype/host-array.js";
import { checkQueue } from "../queue/check-queue.js";
import type { CommandQueue } from "../command-queue/command-queue.js";
import type { TypedArray } from "../typed/index.js";
import { fineArray, memoryOver } from "../svm/fine-array.js";
import { SvmAllocation } from "./svm-allocation.js";
import { ownsPart } from "../svm/svm-base.js";
import { SvmPointer } from "../svm/svm-pointer.js";
import { partFrom, type Svm } from "../svm/svm.js";
import { whenIdle, whenUnreferenced } from "./when-idle.js";

/**
 * Shared virtual memory borrowed from a lender, such as a pool. It returns to the lender when it is released or
 * garbage-collected, as a `BorrowedBuffer` does; arrays over it become empty and parts of it are released.
 */
export class BorrowedSvm<T extends TypedArray = TypedArray> extends SvmPointer<T> implements Borrower {
  readonly #block: SvmAllocation;
  readonly #lender: Lender<SvmAllocation>;
  #watch: Watch | undefined;
  #queue: CommandQueue | undefined;
  /** References to the memory that other objects hold. `memory` is set once an array over it was requested. */
  readonly #references: References = { memory: undefined, parts: [] };

  /** Borrows the first `bytes` bytes of an allocation. */
  constructor(block: SvmAllocation, bytes: number, lender: Lender<SvmAllocation>) {
    const handle = handleOf(checkInstance(block, SvmAllocation, "block"));
    checkInteger(bytes, "bytes", 1, block.size);
    checkLender(lender);
    if (!lendableBlocks.has(block)) native.makeLendable(handle);
    lendableBlocks.add(block);
    super(handle, block.context, block.kind, bytes, 0, undefined, undefined, false);
    this.#block = block;
    this.#lender = lender;
    addLoan(this);
  }

  /** The queue that the memory is bound to; `undefined` if it is bound to none. */
  get queue(): CommandQueue | undefined {
    return this.#queue;
  }

  /** @internal */
  get owner(): this {
    return this;
  }

  /** This object, because it is borrowed memory. */
  override get loan(): this {
    return this;
  }

  /**
   * Returns a part of the memory, which does not keep the memory alive: it is released when the loan ends.
   *
   * @param bytes - Defaults to all bytes from `byteOffset`.
   */
  part<U extends TypedArray = T>(byteOffset: number, bytes?: number, type?: ElementType<U> | null): Svm<U> {
    return partFrom(this, byteOffset, bytes, type);
  }

  /** @internal Registers a part that is released with this object. */
  override [ownsPart](part: SvmPointer): void {
    if (part instanceof SvmPointer) this.#references.parts.push(new WeakRef(part));
  }

  /**
   * Returns a typed array over fine-grained memory. Throws if commands of an earlier borrower may still be running;
   * await {@link BorrowedSvm.ready} first.
   */
  array<U extends TypedArray>(type: ElementType<U>, options?: ElementRangeOptions): ArrayOf<U> {
    const handle = handleOf(this);
    return fineArray(this, type, options, () => {
      if (!native.isQuiet(handle)) {
        throw wrongState("commands of an earlier borrower may still use this memory: await ready() first");
      }
      return (this.#references.memory ??= memoryOver(this, handle));
    });
  }

  /** Waits until all commands of earlier borrowers have ended, so that the host may access the memory. */
  async ready(options?: WaitOptions): Promise<this> {
    await whenIdle(this, checkOptions(options, ["signal"]).signal);
    return this;
  }

  /**
   * Binds the memory to a queue: later commands of the queue run after all commands of earlier borrowers, on any queue.
   */
  bindToQueue(queue: CommandQueue): void {
    const handle = handleOf(this);
    checkQueue(queue);
    native.noteMemoryUse(handle, handleOf(queue));
    this.#queue = queue;
  }

  /**
   * Waits until the queue that the memory is bound to has finished, then unbinds it. Throws if it is bound to no queue.
   */
  async unbindFromQueue(options?: WaitOptions): Promise<void> {
    handleOf(this);
    const queue = this.#queue;
    if (queue === undefined) throw wrongState("the memory is bound to no queue");
    await queue.finish(checkOptions(options, ["signal"]));
    if (this.#queue === queue) this.#queue = undefined;
  }

  /** Returns the memory to its lender. Does nothing if it was already released. */
  override release(): void {
    if (this.released) return;
    const block = this.#block;
    if (this.#watch !== undefined) unwatch(this.#watch);
    try {
      returnBlock(block, this.size, this.#lender, this.#references);
    } finally {
      forget(this);
    }
  }

  /** Same as {@link release}: commands that use the memory always run before it is reused. */
  enqueueRelease(): void {
    this.release();
  }

  /** @internal */
  [startWatching](): void {
    if (this.released || this.#watch !== undefined) return;
    const [block, bytes, lender] = [this.#block, this.size, this.#lender];
    // Arrays and parts keep this object alive, so none exist when it is collected.
    this.#watch = watch(this, () => returnBlock(block, bytes, lender, { memory: undefined, parts: [] }));
  }
}

/** Blocks for which `native.makeLendable` was called. */
const lendableBlocks = new WeakSet<SvmAllocation>();

/** What still refers to borrowed memory. */
interface References {
  memory: ArrayBuffer | undefined;
  readonly parts: WeakRef<SvmPointer>[];
}

function returnBlock(block: SvmAllocation, bytes: number, lender: Lender<SvmAllocation>, references: References): void {
  for (const part of references.parts) part.deref()?.release();
  const referenced = endLoan(block, references.memory);
  if (referenced === false) {
    void returnBlockLater(block, bytes, lender);
  } else {
    lender.takeBack(block, bytes, referenced === undefined);
  }
}

/** Returns the result of `native.endSvmLoan`, or true if the block was released during the loan. */
function endLoan(block: SvmAllocation, memory: ArrayBuffer | undefined): boolean | undefined {
  if (block.released) return true;
  try {
    return native.endSvmLoan(handleOf(block), memory);
  } catch (error) {
    if (error instanceof DisposedError) return true;
    throw error;
  }
}

/** Returns the block once nothing refers to it. The promise is not awaited, so it must not reject. */
async function returnBlockLater(block: SvmAllocation, bytes: number, lender: Lender<SvmAllocation>): Promise<void> {
  const reusable = await whenUnreferenced(block).catch(() => false);
  withoutThrowing(() => lender.takeBack(block, bytes, reusable), undefined);
}
