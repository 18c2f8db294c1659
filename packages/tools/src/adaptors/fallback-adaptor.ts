/** Another allocator for when one has run out. */
import { typeError } from "@cl/base";
import { type Allocation, type Allocator, type DeviceBuffer, OutOfMemoryError } from "@cl/core";

import { Adaptor } from "./adaptor.js";
import { allocatorName, askUpstream, checkAllocator } from "./upstream.js";

/**
 * Asks its alternate where its primary allocator is out of memory, such as for memory of the host where the device has
 * none left. Other errors of the primary are thrown on: they say nothing about memory.
 *
 * @example
 * ```ts
 * const small = new LimitAdaptor(new DeferredAllocator(context), 100);
 * const either = new FallbackAdaptor(small, new DeferredAllocator(context, { hostPointer: "alloc" }));
 * console.log(either.allocate(80)?.size, either.allocate(80)?.size, either.fallbacks); // 80 80 1
 * ```
 */
export class FallbackAdaptor<M extends Allocation = DeviceBuffer> extends Adaptor<M> {
  /** Who is asked second. */
  readonly alternate: Allocator<M>;
  #fallbacks = 0;

  /** Both must give memory of the same context. */
  constructor(primary: Allocator<M>, alternate: Allocator<M>) {
    checkAllocator(primary, "primary");
    checkAllocator(alternate, "alternate");
    if (!primary.context.equals(alternate.context)) {
      throw typeError("alternate", "an allocator of the primary's context", alternate);
    }
    super(primary);
    this.alternate = alternate;
  }

  /** How often the alternate has helped out. */
  get fallbacks(): number {
    return this.#fallbacks;
  }

  /** True if one of the two is. */
  override get deferred(): boolean {
    return super.deferred || this.alternate.deferred === true;
  }

  /** Has both give back what they hold; how many bytes that were. */
  override freeHeld(): number {
    return super.freeHeld() + (this.alternate.freeHeld?.() ?? 0);
  }

  protected override provide(bytes: number): M | null {
    let first: OutOfMemoryError;
    try {
      return this.take(bytes);
    } catch (error) {
      if (!(error instanceof OutOfMemoryError)) throw error;
      first = error;
    }
    const memory = this.#second(bytes, first);
    this.#fallbacks++;
    return memory;
  }

  #second(bytes: number, first: OutOfMemoryError): M | null {
    try {
      return askUpstream(this.alternate, bytes);
    } catch (second) {
      if (!(second instanceof OutOfMemoryError)) throw second;
      const { code, status, routine } = second;
      const [one, other] = [this.upstream, this.alternate].map(allocatorName);
      const message = `FallbackAdaptor: neither has ${bytes} bytes. ${one}: ${first.message}. ${other}: ${second.message}`;
      throw new OutOfMemoryError(code, status, routine, message, { cause: new AggregateError([first, second]) });
    }
  }
}
