/** Shared virtual memory that is lent: a pool's blocks in the hands of their present owners. */
import { checkInstance, checkInteger, checkOptions, wrongState } from "@cl/base";

import { withoutThrowing } from "../binding/finalizer.js";
import { native } from "../binding/native.js";
import { DisposedError } from "../binding/errors.js";
import { forget, handleOf } from "../binding/resource.js";
import type { WaitOptions } from "../event/event.js";
import { beWatched, type Borrower, checkLender, lent, type Lender, unwatch, type Watch, watch } from "./loans.js";
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
import { whenQuiet, whenUnreached } from "./when-quiet.js";

/**
 * Shared virtual memory that was lent by whoever owns it, and goes back there when it is released or collected, as a
 * `LentBuffer` does. Arrays over it become empty then, and parts of it end.
 */
export class LentSvm<T extends TypedArray = TypedArray> extends SvmPointer<T> implements Borrower {
  readonly #block: SvmAllocation;
  readonly #lender: Lender<SvmAllocation>;
  #watch: Watch | undefined;
  #queue: CommandQueue | undefined;
  /** What others hold of it; the array over all of it is among that once somebody wanted one. */
  readonly #reach: Reach = { memory: undefined, parts: [] };

  /** The first `bytes` of an allocation. */
  constructor(block: SvmAllocation, bytes: number, lender: Lender<SvmAllocation>) {
    const handle = handleOf(checkInstance(block, SvmAllocation, "block"));
    checkInteger(bytes, "bytes", 1, block.size);
    checkLender(lender);
    if (!lendable.has(block)) native.makeLendable(handle);
    lendable.add(block);
    super(handle, block.context, block.kind, bytes, 0, undefined, undefined, false);
    this.#block = block;
    this.#lender = lender;
    lent(this);
  }

  /** The queue that it was bound to last. */
  get queue(): CommandQueue | undefined {
    return this.#queue;
  }

  /** @internal */
  get owner(): this {
    return this;
  }

  /** This: it is lent memory. */
  override get loan(): this {
    return this;
  }

  /** A part of it: `bytes` from `byteOffset`, all that follow if not said. It owns nothing and ends with the loan. */
  part<U extends TypedArray = T>(byteOffset: number, bytes?: number, type?: ElementType<U> | null): Svm<U> {
    return partFrom(this, byteOffset, bytes, type);
  }

  /** @internal A part that must end with it. */
  override [ownsPart](part: SvmPointer): void {
    if (part instanceof SvmPointer) this.#reach.parts.push(new WeakRef(part));
  }

  /**
   * A typed array over fine-grained memory. Former borrowers' commands may still be running on memory that was lent
   * before: then this throws, and {@link LentSvm.ready} tells when they have ended.
   */
  array<U extends TypedArray>(type: ElementType<U>, options?: ElementRangeOptions): ArrayOf<U> {
    const handle = handleOf(this);
    return fineArray(this, type, options, () => {
      if (!native.isQuiet(handle)) {
        throw wrongState("commands of a former borrower may still use this memory: await ready() first");
      }
      return (this.#reach.memory ??= memoryOver(this, handle));
    });
  }

  /** Waits until no command of a former borrower can still be running: then the host may touch the memory. */
  async ready(options?: WaitOptions): Promise<this> {
    await whenQuiet(this, checkOptions(options, ["signal"]).signal);
    return this;
  }

  /** What this queue gets from now on comes after everything that former borrowers have enqueued, wherever that was. */
  bindToQueue(queue: CommandQueue): void {
    const handle = handleOf(this);
    checkQueue(queue);
    native.useOn(handle, handleOf(queue));
    this.#queue = queue;
  }

  /** Waits for everything on the queue that it is bound to. */
  async unbindFromQueue(options?: WaitOptions): Promise<void> {
    handleOf(this);
    const queue = this.#queue;
    if (queue === undefined) throw wrongState("the memory is bound to no queue");
    await queue.finish(checkOptions(options, ["signal"]));
    if (this.#queue === queue) this.#queue = undefined;
  }

  /** Gives the memory back to its lender; calling it again does nothing. */
  override release(): void {
    if (this.released) return;
    const block = this.#block;
    if (this.#watch !== undefined) unwatch(this.#watch);
    try {
      giveBack(block, this.size, this.#lender, this.#reach);
    } finally {
      forget(this);
    }
  }

  /** The same as {@link release}: commands that use the memory come first in any case. */
  enqueueRelease(): void {
    this.release();
  }

  /** @internal */
  [beWatched](): void {
    if (this.released || this.#watch !== undefined) return;
    const [block, bytes, lender] = [this.#block, this.size, this.#lender];
    // Whoever has an array or a part has this object, too, so that there are none when it is collected.
    this.#watch = watch(this, () => giveBack(block, bytes, lender, { memory: undefined, parts: [] }));
  }
}

/** Blocks that were lent before. */
const lendable = new WeakSet<SvmAllocation>();

interface Reach {
  memory: ArrayBuffer | undefined;
  readonly parts: WeakRef<SvmPointer>[];
}

function giveBack(block: SvmAllocation, bytes: number, lender: Lender<SvmAllocation>, reach: Reach): void {
  for (const part of reach.parts) part.deref()?.release();
  const reached = endLoan(block, reach.memory);
  if (reached === false) {
    void takeBackLater(block, bytes, lender);
  } else {
    lender.takeBack(block, bytes, reached === undefined);
  }
}

/** What `native.endSvmLoan` returns; true for a block that was released under its borrower. */
function endLoan(block: SvmAllocation, memory: ArrayBuffer | undefined): boolean | undefined {
  if (block.released) return true;
  try {
    return native.endSvmLoan(handleOf(block), memory);
  } catch (error) {
    if (error instanceof DisposedError) return true;
    throw error;
  }
}

/** This promise is never awaited, so it must not reject. */
async function takeBackLater(block: SvmAllocation, bytes: number, lender: Lender<SvmAllocation>): Promise<void> {
  const reusable = await whenUnreached(block).catch(() => false);
  withoutThrowing(() => lender.takeBack(block, bytes, reusable), undefined);
}
