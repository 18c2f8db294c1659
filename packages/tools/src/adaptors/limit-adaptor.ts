/** An allocator adaptor that limits the bytes in use. */
import { checkInteger } from "@cl/base";
import { type Allocation, type Allocator, type DeviceBuffer, OutOfMemoryError } from "@cl/core";

import { Adaptor } from "./adaptor.js";

/**
 * Limits the number of bytes in use. Memory is in use from its allocation until it is released or collected, and counts
 * with its actual size. On top of a pool, it limits what the pool's users have; below a pool, what the pool allocates.
 *
 * @example
 * ```ts
 * const limited = new LimitAdaptor(new DeferredAllocator(context), 1000);
 * using most = limited.allocate(600);
 * console.log(most?.size, limited.usedBytes, limited.availableBytes); // 600 600 400
 * try {
 *   limited.allocate(500);
 * } catch (error) {
 *   console.log((error as Error).message); // LimitAdaptor: cannot allocate 500 bytes, 600 of 1000 are in use
 * }
 * ```
 */
export class LimitAdaptor<M extends Allocation = DeviceBuffer> extends Adaptor<M> {
  /** Maximum number of bytes in use. */
  readonly maxBytes: number;
  #used = 0;

  constructor(upstream: Allocator<M>, maxBytes: number) {
    super(upstream);
    this.maxBytes = checkInteger(maxBytes, "maxBytes");
  }

  /** Number of bytes in use. */
  get usedBytes(): number {
    return this.#used;
  }

  /** Number of bytes that can still be allocated. */
  get availableBytes(): number {
    return this.maxBytes - this.#used;
  }

  protected override provide(bytes: number): M | null {
    this.#reserve(bytes, 0);
    let memory: M | null = null;
    try {
      memory = this.take(bytes);
    } finally {
      // The reservation is replaced by the actual size, if any.
      this.#used -= bytes;
    }
    if (memory === null) return null;
    const { size } = memory;
    try {
      this.#reserve(size, bytes);
    } catch (error) {
      memory.release();
      throw error;
    }
    memory.onReleased(() => {
      this.#used -= size;
    });
    return memory;
  }

  /** Reserves bytes before the upstream allocates, since the upstream may call this adaptor meanwhile. */
  #reserve(bytes: number, requested: number): void {
    if (bytes > this.availableBytes) {
      const size = requested === 0 ? `${bytes} bytes` : `${bytes} bytes for a request of ${requested}`;
      const message = `LimitAdaptor: cannot allocate ${size}, ${this.#used} of ${this.maxBytes} are in use`;
      throw new OutOfMemoryError("ERR_CL_OVER_BUDGET", 0, "allocate", message);
    }
    this.#used += bytes;
  }
}
