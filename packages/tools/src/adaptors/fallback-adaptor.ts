/** An allocator adaptor that falls back to a second allocator when the first is out of memory. */
import { typeError } from "@cl/base";
import { type Allocation, type Allocator, type DeviceBuffer, OutOfMemoryError } from "@cl/core";

import { Adaptor } from "./adaptor.js";
import { allocatorName, askUpstream, checkAllocator } from "./upstream.js";

/**
 * Uses the fallback allocator when the primary one is out of memory, for example host memory when device memory is
 * exhausted. Other errors of the primary are rethrown.
 *
 * @example
 * ```ts
 * const small = new LimitAdaptor(new DeferredAllocator(context), 100);
 * const either = new FallbackAdaptor(small, new DeferredAllocator(context, { hostPointer: "alloc" }));
 * console.log(either.allocate(80)?.size, either.allocate(80)?.size, either.fallbackCount); // 80 80 1
 * ```
 */
export class FallbackAdaptor<M extends Allocation = DeviceBuffer> extends Adaptor<M> {
  /** The fallback allocator. */
  readonly fallback: Allocator<M>;
  #fallbackCount = 0;

  /** Throws unless both allocators have the same context. */
  constructor(primary: Allocator<M>, fallback: Allocator<M>) {
    checkAllocator(primary, "primary");
    checkAllocator(fallback, "fallback");
    if (!primary.context.equals(fallback.context)) {
      throw typeError("fallback", "an allocator of the primary's context", fallback);
    }
    super(primary);
    this.fallback = fallback;
  }

  /** Number of allocations from the fallback. */
  get fallbackCount(): number {
    return this.#fallbackCount;
  }

  /** True if either allocator is deferred. */
  override get deferred(): boolean {
    return super.deferred || this.fallback.deferred === true;
  }

  /** Makes both allocators release memory that they hold but that is not in use. Returns the number of bytes. */
  override freeHeld(): number {
    return super.freeHeld() + (this.fallback.freeHeld?.() ?? 0);
  }

  protected override provide(bytes: number): M | null {
    let first: OutOfMemoryError;
    try {
      return this.take(bytes);
    } catch (error) {
      if (!(error instanceof OutOfMemoryError)) throw error;
      first = error;
    }
    const memory = this.#fallBack(bytes, first);
    this.#fallbackCount++;
    return memory;
  }

  #fallBack(bytes: number, first: OutOfMemoryError): M | null {
    try {
      return askUpstream(this.fallback, bytes);
    } catch (second) {
      if (!(second instanceof OutOfMemoryError)) throw second;
      const { code, status, routine } = second;
      const [primary, fallback] = [this.upstream, this.fallback].map(allocatorName);
      const message = `FallbackAdaptor: neither allocator has ${bytes} bytes. ${primary}: ${first.message}. ${fallback}: ${second.message}`;
      throw new OutOfMemoryError(code, status, routine, message, { cause: new AggregateError([first, second]) });
    }
  }
}
