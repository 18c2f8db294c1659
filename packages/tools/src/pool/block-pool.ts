/** Base class of pools of buffers and of shared virtual memory. Subclasses wrap blocks in pooled memory objects. */
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
  reclaimUnreachable,
  type TypedArray,
} from "@cl/core";

import { allocatorName, askUpstream, checkAllocator } from "../adaptors/upstream.js";
import { allocateTyped, isElementType } from "../allocators/typed-allocation.js";
import { type Bin, BinTable } from "./bin-table.js";
import { type Binning, blockSize, checkBinning, leadingBits } from "./binning.js";
import { type PoolScope, poolScopes } from "./pool-scope.js";
import { NamedPool } from "./named-pool.js";
import { blockCount, type Holder, poolUsage } from "./holders.js";

/** Options of a pool. */
export interface PoolOptions {
  /** Assigns requests to block sizes. @defaultValue `leadingBits(4)` */
  readonly binning?: Binning;
  /** Maximum number of bytes that the pool has from its allocator, including free blocks. @defaultValue no limit */
  readonly maxBytes?: number;
}

/**
 * A pool that reuses freed blocks for later requests of the same bin: the base class of `MemoryPool` and `SvmPool`.
 *
 * Memory returns to the pool by `release()`, by `using`, or when it is garbage collected. It can be used on any number
 * of queues: the next owner's commands run after those of the previous owner (see `BorrowedBuffer` of `@cl/core`).
 */
export abstract class BlockPool<B extends Allocation, M extends Allocation> implements Allocator<M> {
  /** The allocator of the pool's blocks. */
  readonly allocator: Allocator<B>;
  /** The assignment of requests to block sizes. */
  readonly binning: Binning;
  readonly #maxBytes: number;
  readonly #bins: BinTable<B>;
  readonly #holders = new Map<string, Holder>();
  #reuses = true;
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

  /** The context of the pool's memory. */
  get context(): Context {
    return this.allocator.context;
  }

  /** True if the allocator may report a lack of memory only when a command uses the memory. */
  get deferred(): boolean {
    return this.allocator.deferred === true;
  }

  /** Number of free blocks that the pool holds for reuse. */
  get heldBlocks(): number {
    return this.#bins.count;
  }

  /** Total bytes of the free blocks. */
  get heldBytes(): number {
    return this.#bins.bytes;
  }

  /** Number of blocks in use. */
  get activeBlocks(): number {
    return this.#activeBlocks;
  }

  /** Requested bytes of the blocks in use. */
  get activeBytes(): number {
    return this.#activeBytes;
  }

  /** Total bytes of all blocks, in use and free. */
  get managedBytes(): number {
    return this.#managedBytes;
  }

  /** Largest value of `activeBytes`. */
  get peakActiveBytes(): number {
    return this.#peakActiveBytes;
  }

  /** Largest value of `managedBytes`. */
  get peakManagedBytes(): number {
    return this.#peakManagedBytes;
  }

  /** Resets the peaks to the current values. */
  resetPeaks(): void {
    this.#peakActiveBytes = this.#activeBytes;
    this.#peakManagedBytes = this.#managedBytes;
  }

  /** Maximum number of bytes that the pool has from its allocator; Infinity for no limit. */
  get maxBytes(): number {
    return this.#maxBytes;
  }

  /** Memory in use by each name passed to {@link named}. */
  get holders(): readonly Readonly<Holder>[] {
    return [...this.#holders.values()].filter(({ blocks }) => blocks > 0).map((holder) => ({ ...holder }));
  }

  /**
   * Allocates memory: one byte for a request of 0 bytes, since OpenCL has no empty memory. If memory has run out, the
   * pool first reclaims dropped objects and frees its free blocks, starting with the largest. If that is not enough, it
   * throws an `OutOfMemoryError` that lists the users of the pool.
   */
  allocate(bytes: number): M;
  /** Allocates a buffer of `length` elements. Releasing it returns the block to the pool. */
  allocate<T extends TypedArray>(type: ElementType<T>, length: number): M & DeviceBuffer<T>;
  allocate(bytes: number | ElementType, length?: number): M {
    if (isElementType(bytes)) return allocateTyped((size) => this.#allocate(size, this), bytes, length) as M;
    return this.#allocate(bytes, this);
  }

  /**
   * Returns an allocator for this pool whose allocations are counted under a name, in {@link holders} and in the
   * message of an `OutOfMemoryError`.
   */
  named(name: string): NamedPool<B, M> {
    checkString(name, "name");
    let holder = this.#holders.get(name);
    if (holder === undefined) this.#holders.set(name, (holder = { name, blocks: 0, bytes: 0 }));
    return new NamedPool(this, holder, (bytes, lender) => this.#allocate(bytes, lender));
  }

  /**
   * Runs a function. When it returns or its promise settles, all memory that it allocated from this pool and did not
   * release is released, except memory that it returned, alone or in arrays and plain objects, or passed to
   * `scope.keep()`.
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
    return poolScopes.run(this, run);
  }

  #allocate(bytes: number, lender: Lender<B>): M {
    const size = bytes === 0 ? 1 : Number.isSafeInteger(bytes) && bytes > 0 ? bytes : checkInteger(bytes, "bytes");
    const bin = this.#binFor(size);
    const block = this.#heldBlock(bin) ?? this.#newBlock(bin, size);
    // Counted before wrapBlock, since takeBack undoes the counts if that fails.
    this.#activeBlocks++;
    this.#activeBytes += size;
    if (this.#activeBytes > this.#peakActiveBytes) this.#peakActiveBytes = this.#activeBytes;
    let memory: M;
    try {
      memory = this.wrapBlock(block, size, lender);
    } catch (error) {
      this.takeBack(block, size, false);
      throw error;
    }
    poolScopes.current(this)?.add(memory);
    return memory;
  }

  /** Returns a pooled memory object for the first `bytes` bytes of a block. */
  protected abstract wrapBlock(block: B, bytes: number, lender: Lender<B>): M;

  /** @internal Called by a pooled memory object when it is released. */
  takeBack(block: B, bytes: number, reusable: boolean): void {
    this.#activeBlocks--;
    this.#activeBytes -= bytes;
    const bin = this.#binFor(bytes);
    if (reusable && this.#reuses) {
      this.#bins.put(bin, block);
    } else {
      this.#drop(block, bin.size);
    }
  }

  #binFor(bytes: number): Bin<B> {
    const binNumber = this.binning.binOf(bytes);
    const bin = this.#bins.get(binNumber);
    if (bin !== undefined && bin.size >= bytes) return bin;
    return this.#bins.make(binNumber, blockSize(this.binning, binNumber, bytes));
  }

  #drop(block: B, bytes: number): void {
    this.#managedBytes -= bytes;
    block.release();
  }

  /** Returns a free block of the bin, if any. Skips blocks that other code has released. */
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
    reclaimUnreachable();
    const returned = this.#heldBlock(bin);
    if (returned !== undefined) return returned;
    failure = this.#tryNew(bytes);
    while (failure instanceof OutOfMemoryError && this.#freeLargest() > 0) failure = this.#tryNew(bytes);
    if (!(failure instanceof OutOfMemoryError)) return failure;
    throw this.#outOfMemory(size, failure);
  }

  /** Allocates a block. Returns the error if memory has run out. */
  #tryNew(bytes: number): B | OutOfMemoryError {
    if (this.#managedBytes + bytes > this.#maxBytes) return this.#overLimit(bytes);
    let block: B | null;
    try {
      block = askUpstream(this.allocator, bytes);
    } catch (error) {
      if (error instanceof OutOfMemoryError) return error;
      throw error;
    }
    if (block === null) {
      throw typeError("allocator", "an allocator that returns memory for more than 0 bytes", this.allocator);
    }
    this.#managedBytes += bytes;
    if (this.#managedBytes > this.#peakManagedBytes) this.#peakManagedBytes = this.#managedBytes;
    return block;
  }

  #overLimit(bytes: number): OutOfMemoryError {
    const message = `${formatBytes(bytes)} in addition to ${formatBytes(this.#managedBytes)} would exceed the pool's limit of ${formatBytes(this.#maxBytes)}`;
    return new OutOfMemoryError("ERR_CL_POOL_LIMIT", 0, "MemoryPool.allocate", message);
  }

  #outOfMemory(bytes: number, cause: OutOfMemoryError): OutOfMemoryError {
    const message = `cannot allocate ${formatBytes(bytes)}: ${cause.message}; ${poolUsage(this)}`;
    return new OutOfMemoryError(cause.code, cause.status, cause.routine, message, { cause });
  }

  /** Frees one of the largest free blocks. Returns its bytes. */
  #freeLargest(): number {
    const bin = this.#bins.largest();
    const block = bin && this.#bins.take(bin);
    if (bin === undefined || block === undefined) return 0;
    this.#drop(block, bin.size);
    return bin.size;
  }

  /** Frees all free blocks and calls `freeHeld` of the allocator. Returns the number of freed bytes. */
  freeHeld(): number {
    const freed = this.trim(0);
    // If the allocator holds memory, too, its number includes the pool's blocks.
    return this.allocator.freeHeld?.() || freed;
  }

  /** Frees the largest free blocks until at most `heldBytes` bytes are free. Returns the number of freed bytes. */
  trim(heldBytes: number): number {
    checkInteger(heldBytes, "heldBytes");
    let freed = 0;
    while (this.heldBytes > heldBytes) freed += this.#freeLargest();
    return freed;
  }

  /** Frees all free blocks and stops reusing blocks: from now on, released memory returns to the allocator. */
  stopHolding(): void {
    this.#reuses = false;
    this.freeHeld();
  }

  /** Calls {@link stopHolding}, for `using`. Memory in use stays valid. */
  [Symbol.dispose](): void {
    this.stopHolding();
  }

  /** Returns a one-line summary. */
  toString(): string {
    const active = `${blockCount(this.#activeBlocks)} active (${formatBytes(this.#activeBytes)})`;
    return `${this.constructor.name} { ${active}, ${blockCount(this.heldBlocks)} held (${formatBytes(this.heldBytes)}) }`;
  }

  /** @internal */
  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return this.toString();
  }
}

const warnedOf = new Set<string>();

/** Emits a warning, once per class of allocators. */
function warnOfDeferred(allocator: string): void {
  if (warnedOf.has(allocator)) return;
  warnedOf.add(allocator);
  process.emitWarning(
    `${allocator} detects a lack of memory too late for a pool to free its free blocks and retry; use an ImmediateAllocator`,
    { code: "CL_DEFERRED_POOL" },
  );
}
