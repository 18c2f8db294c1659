/** Allocation from a pool under a name, so that the pool can report who uses its memory. */
import type { Allocation, Allocator, Context, DeviceBuffer, ElementType, Lender, TypedArray } from "@cl/core";

import { allocateTyped, isElementType } from "../allocators/typed-allocation.js";

import type { BlockPool } from "./block-pool.js";
import type { Holder } from "./holders.js";

/** An allocator of a pool that counts its allocations under a name. */
export class NamedPool<B extends Allocation, M extends Allocation> implements Allocator<M> {
  readonly #pool: BlockPool<B, M>;
  readonly #holder: Holder;
  readonly #allocate: (bytes: number, lender: Lender<B>) => M;

  constructor(pool: BlockPool<B, M>, holder: Holder, allocate: (bytes: number, lender: Lender<B>) => M) {
    this.#pool = pool;
    this.#holder = holder;
    this.#allocate = allocate;
  }

  get context(): Context {
    return this.#pool.context;
  }

  /** The pool's `deferred`. */
  get deferred(): boolean {
    return this.#pool.deferred;
  }

  allocate(bytes: number): M;
  allocate<T extends TypedArray>(type: ElementType<T>, length: number): M & DeviceBuffer<T>;
  allocate(bytes: number | ElementType, length?: number): M {
    if (isElementType(bytes)) return allocateTyped((size) => this.allocate(size), bytes, length) as M;
    const memory = this.#allocate(bytes, this);
    this.#holder.blocks++;
    this.#holder.bytes += memory.size;
    return memory;
  }

  /** Frees the pool's free blocks. Returns the number of freed bytes. */
  freeHeld(): number {
    return this.#pool.freeHeld();
  }

  /** @internal Called by a pooled memory object when it is released. */
  takeBack(block: B, bytes: number, reusable: boolean): void {
    this.#holder.blocks--;
    this.#holder.bytes -= bytes;
    this.#pool.takeBack(block, bytes, reusable);
  }
}
