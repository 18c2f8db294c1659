/** What pools of buffers and of shared virtual memory have in common: everything but how a block is lent. */
import { checkInteger, checkOptions, checkString, typeError } from "@cl/base";
import { formatBytes } from "@cl/base/units";
import {
  type Allocation,
  type Allocator,
  type Context,
  type DeviceBuffer,
  type ElementType,
  type Lender,
  OutOfMemoryError,
  reclaimDropped,
  type TypedArray,
} from "@cl/core";

import { allocatorName, askUpstream, checkAllocator } from "../adaptors/upstream.js";
import { allocateTyped, isElementType } from "../allocators/typed-allocation.js";
import { type Bin, BinTable } from "./bin-table.js";
import { type Binning, blockSize, checkBinning, leadingBits } from "./binning.js";
import { currentScope, type PoolScope, runScope } from "./pool-scope.js";
import { NamedPool } from "./named-pool.js";
import { countText, type Holder, whoHolds } from "./who-holds.js";

/** How a pool holds its memory. */
export interface PoolOptions {
  /** Which requests share blocks; `leadingBits(4)` if not said. */
  readonly binning?: Binning;
  /** The most bytes that it may have from its allocator at a time, held ones included; no limit if not said. */
  readonly maxBytes?: number;
}

/**
 * Keeps the memory that is given back and gives it again to the next request of its bin: `MemoryPool` and `SvmPool`.
 *
 * Memory goes back by `release()`, by `using`, or when it is collected. It may be used on any queue, and on several: the
 * next owner's commands come after the former's (see `LentBuffer` of `@cl/core`).
 */
export abstract class BlockPool<B extends Allocation, M extends Allocation> implements Allocator<M> {
  /** The allocator that its blocks come from. */
  readonly allocator: Allocator<B>;
  /** How it sorts its blocks. */
  readonly binning: Binning;
  readonly #maxBytes: number;
  readonly #bins: BinTable<B>;
  readonly #holders = new Map<string, Holder>();
  #keeps = true;
  #activeBlocks = 0;
  #activeBytes = 0;
  #managedBytes = 0;
  #peakActiveBytes = 0;
  #peakManagedBytes = 0;

  constructor(allocator: Allocator<B>, options?: PoolOptions) {
    this.allocator = checkAllocator(allocator, "allocator");
    const { binning = leadingBits(), maxBytes = Infinity } = checkOptions(options, ["binning", "maxBytes"]);
    this.binning = checkBinning(binning, "options.binning");
    this.#maxBytes = maxBytes === Infinity ? maxBytes : checkInteger(maxBytes, "options.maxBytes", 1);
    this.#bins = new BinTable<B>();
    if (allocator.deferred === true) warnOfDeferred(allocatorName(allocator));
  }

  /** The context whose memory it gives. */
  get context(): Context {
    return this.allocator.context;
  }

  /** True if its allocator may promise memory that is found missing only when a command uses it. */
  get deferred(): boolean {
    return this.allocator.deferred === true;
  }

  /** How many blocks it holds for later. */
  get heldBlocks(): number {
    return this.#bins.count;
  }

  /** The bytes of the blocks that it holds for later. */
  get heldBytes(): number {
    return this.#bins.bytes;
  }

  /** How many blocks are lent. */
  get activeBlocks(): number {
    return this.#activeBlocks;
  }

  /** The bytes that were asked for and are lent. */
  get activeBytes(): number {
    return this.#activeBytes;
  }

  /** The bytes of all blocks, lent and held. */
  get managedBytes(): number {
    return this.#managedBytes;
  }

  /** The most that `activeBytes` has been. */
  get peakActiveBytes(): number {
    return this.#peakActiveBytes;
  }

  /** The most that `managedBytes` has been. */
  get peakManagedBytes(): number {
    return this.#peakManagedBytes;
  }

  /** From now on the peaks are counted anew. */
  resetPeaks(): void {
    this.#peakActiveBytes = this.#activeBytes;
    this.#peakManagedBytes = this.#managedBytes;
  }

  /** The most bytes that it may have from its allocator at a time; Infinity if there is no limit. */
  get maxBytes(): number {
    return this.#maxBytes;
  }

  /** Who has what was lent through {@link named}. */
  get holders(): readonly Readonly<Holder>[] {
    return [...this.#holders.values()].filter(({ blocks }) => blocks > 0).map((holder) => ({ ...holder }));
  }

  /**
   * Memory of so many bytes; one byte for none, since OpenCL has no empty memory. Where there is none left the pool
   * collects garbage, and frees what it holds from the largest blocks on, before it throws an `OutOfMemoryError` that says
   * who holds what.
   */
  allocate(bytes: number): M;
  /** Returns a buffer of `length` elements. Releasing it returns the block to the pool. */
  allocate<T extends TypedArray>(type: ElementType<T>, length: number): M & DeviceBuffer<T>;
  allocate(bytes: number | ElementType, length?: number): M {
    if (isElementType(bytes)) return allocateTyped((size) => this.#allocate(size, this), bytes, length) as M;
    return this.#allocate(bytes, this);
  }

  /**
   * The same pool under a name: what is allocated through this is counted under it, in {@link holders} and in the message
   * of an `OutOfMemoryError`.
   */
  named(name: string): NamedPool<B, M> {
    checkString(name, "name");
    let holder = this.#holders.get(name);
    if (holder === undefined) this.#holders.set(name, (holder = { name, blocks: 0, bytes: 0 }));
    return new NamedPool(this, holder, (bytes, lender) => this.#allocate(bytes, lender));
  }

  /**
   * Runs a function. When it has ended, or its promise has, all memory goes back that it allocated from this pool and has
   * not given back, except what it returns, alone or in arrays and plain objects, and what it gave to `scope.keep()`.
   *
   * @example
   * ```ts
   * const pool = new MemoryPool(new ImmediateAllocator(queue));
   * const result = await pool.scope(async () => {
   *   const scratch = pool.allocate(4096);
   *   const result = pool.allocate(4096);
   *   await queue.enqueueCopy(scratch, result).wait();
   *   return result;
   * });
   * console.log(pool.activeBlocks, result.released); // 1 false
   * ```
   */
  scope<R>(run: (scope: PoolScope) => R): R {
    return runScope(this, run);
  }

  #allocate(bytes: number, lender: Lender<B>): M {
    const size = bytes === 0 ? 1 : Number.isSafeInteger(bytes) && bytes > 0 ? bytes : checkInteger(bytes, "bytes");
    const bin = this.#binFor(size);
    const block = this.#heldBlock(bin) ?? this.#newBlock(bin, size);
    // Counted first: what fails from here on comes back by takeBack.
    this.#activeBlocks++;
    this.#activeBytes += size;
    if (this.#activeBytes > this.#peakActiveBytes) this.#peakActiveBytes = this.#activeBytes;
    let memory: M;
    try {
      memory = this.lend(block, size, lender);
    } catch (error) {
      this.takeBack(block, size, false);
      throw error;
    }
    currentScope(this)?.add(memory);
    return memory;
  }

  /** Lends the first bytes of a block. */
  protected abstract lend(block: B, bytes: number, lender: Lender<B>): M;

  /** @internal Called by what was lent, when its loan ends. */
  takeBack(block: B, bytes: number, reusable: boolean): void {
    this.#activeBlocks--;
    this.#activeBytes -= bytes;
    const bin = this.#binFor(bytes);
    if (reusable && this.#keeps) {
      this.#bins.put(bin, block);
    } else {
      this.#drop(block, bin.size);
    }
  }

  #binFor(bytes: number): Bin<B> {
    const number = this.binning.binOf(bytes);
    const bin = this.#bins.get(number);
    if (bin !== undefined && bin.size >= bytes) return bin;
    return this.#bins.make(number, blockSize(this.binning, number, bytes));
  }

  #drop(block: B, bytes: number): void {
    this.#managedBytes -= bytes;
    block.release();
  }

  /** A block that is held. Those that were released by somebody else are forgotten. */
  #heldBlock(bin: Bin<B>): B | undefined {
    let block = this.#bins.take(bin);
    while (block?.released === true) {
      this.#drop(block, bin.size);
      block = this.#bins.take(bin);
    }
    return block;
  }

  #newBlock(bin: Bin<B>, size: number): B {
    const bytes = bin.size;
    let failure = this.#tryNew(bytes);
    if (!(failure instanceof OutOfMemoryError)) return failure;
    reclaimDropped();
    const returned = this.#heldBlock(bin);
    if (returned !== undefined) return returned;
    failure = this.#tryNew(bytes);
    while (failure instanceof OutOfMemoryError && this.#freeLargest() > 0) failure = this.#tryNew(bytes);
    if (!(failure instanceof OutOfMemoryError)) return failure;
    throw this.#outOfMemory(size, failure);
  }

  /** A block, or why there is none. */
  #tryNew(bytes: number): B | OutOfMemoryError {
    if (this.#managedBytes + bytes > this.#maxBytes) return this.#overLimit(bytes);
    let block: B | null;
    try {
      block = askUpstream(this.allocator, bytes);
    } catch (error) {
      if (error instanceof OutOfMemoryError) return error;
      throw error;
    }
    if (block === null) throw typeError("allocator", "one that gives memory for more than 0 bytes", this.allocator);
    this.#managedBytes += bytes;
    if (this.#managedBytes > this.#peakManagedBytes) this.#peakManagedBytes = this.#managedBytes;
    return block;
  }

  #overLimit(bytes: number): OutOfMemoryError {
    const message = `${formatBytes(bytes)} more than the ${formatBytes(this.#managedBytes)} that the pool has would pass its limit of ${formatBytes(this.#maxBytes)}`;
    return new OutOfMemoryError("ERR_CL_POOL_LIMIT", 0, "MemoryPool.allocate", message);
  }

  #outOfMemory(bytes: number, cause: OutOfMemoryError): OutOfMemoryError {
    const message = `no memory is left for ${formatBytes(bytes)}: ${cause.message}; ${whoHolds(this)}`;
    return new OutOfMemoryError(cause.code, cause.status, cause.routine, message, { cause });
  }

  /** Gives back a block of the largest that it holds; how many bytes that were. */
  #freeLargest(): number {
    const bin = this.#bins.largest();
    const block = bin && this.#bins.take(bin);
    if (bin === undefined || block === undefined) return 0;
    this.#drop(block, bin.size);
    return bin.size;
  }

  /** Gives back all that it holds for later, and has its allocator do the same; how many bytes that were. */
  freeHeld(): number {
    const freed = this.trim(0);
    // An allocator that holds memory itself has got ours, and gives it on.
    return this.allocator.freeHeld?.() || freed;
  }

  /** Gives the largest blocks back until it holds at most so many bytes for later; how many bytes it gave back. */
  trim(heldBytes: number): number {
    checkInteger(heldBytes, "heldBytes");
    let freed = 0;
    while (this.heldBytes > heldBytes) freed += this.#freeLargest();
    return freed;
  }

  /** From now on, and for good, what comes back goes on to the allocator; what it holds, at once. */
  stopHolding(): void {
    this.#keeps = false;
    this.freeHeld();
  }

  /** The same as {@link stopHolding}, for `using`. What is lent stays with its owners. */
  [Symbol.dispose](): void {
    this.stopHolding();
  }

  /** One line that says what it has. */
  toString(): string {
    const lent = `${countText(this.#activeBlocks)} lent (${formatBytes(this.#activeBytes)})`;
    return `${this.constructor.name} { ${lent}, ${countText(this.heldBlocks)} held (${formatBytes(this.heldBytes)}) }`;
  }

  /** @internal */
  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return this.toString();
  }
}

const warnedOf = new Set<string>();

/** Once for each kind of allocator. */
function warnOfDeferred(allocator: string): void {
  if (warnedOf.has(allocator)) return;
  warnedOf.add(allocator);
  process.emitWarning(
    `${allocator} finds out too late that memory has run out: a pool on it cannot then free what it holds. Use an ImmediateAllocator.`,
    { code: "CL_DEFERRED_POOL" },
  );
}
