/** A budget of bytes. */
import { checkInteger } from "@cl/base";
import { type Allocation, type Allocator, type DeviceBuffer, OutOfMemoryError } from "@cl/core";

import { Adaptor } from "./adaptor.js";

/**
 * Gives memory of its upstream until so many bytes are in use. What is in use is what was given and is neither released
 * nor collected, counted by the size that it really has. On top of a pool it limits what users have; below one, what the
 * pool takes.
 *
 * @example
 * ```ts
 * const limited = new LimitAdaptor(new DeferredAllocator(context), 1000);
 * using most = limited.allocate(600);
 * console.log(most?.size, limited.usedBytes, limited.availableBytes); // 600 600 400
 * try {
 *   limited.allocate(500);
 * } catch (error) {
 *   console.log((error as Error).message); // LimitAdaptor: 500 bytes were asked for, but 600 of its 1000 are in use
 * }
 * ```
 */
export class LimitAdaptor<M extends Allocation = DeviceBuffer> extends Adaptor<M> {
  /** The budget. */
  readonly maxBytes: number;
  #used = 0;

  constructor(upstream: Allocator<M>, maxBytes: number) {
    super(upstream);
    this.maxBytes = checkInteger(maxBytes, "maxBytes");
  }

  /** Bytes in use. */
  get usedBytes(): number {
    return this.#used;
  }

  /** Bytes that are left. */
  get availableBytes(): number {
    return this.maxBytes - this.#used;
  }

  protected override provide(bytes: number): M | null {
    this.#reserve(bytes, 0);
    let memory: M | null = null;
    try {
      memory = this.take(bytes);
    } finally {
      // What was only asked for gives way to what came, if anything did.
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

  /** Before the upstream is asked, which may call back into this adaptor while it looks for memory. */
  #reserve(bytes: number, asked: number): void {
    if (bytes > this.availableBytes) {
      const what = asked === 0 ? `${bytes} bytes were asked for` : `${bytes} bytes came for the ${asked} asked for`;
      const message = `LimitAdaptor: ${what}, but ${this.#used} of its ${this.maxBytes} are in use`;
      throw new OutOfMemoryError("ERR_CL_OVER_BUDGET", 0, "allocate", message);
    }
    this.#used += bytes;
  }
}
