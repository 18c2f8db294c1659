/** What all adaptors have in common: an allocator that stands on another one. */
import { checkInteger } from "@cl/base";
import type { Allocation, Allocator, Context, DeviceBuffer, ElementType, TypedArray } from "@cl/core";

import { allocateTyped, isElementType } from "../allocators/typed-allocation.js";
import { askUpstream, checkAllocator } from "./upstream.js";

/**
 * An allocator that stands on another one and changes, limits or watches what that gives. The adaptors of this package
 * extend it, and yours may: override {@link provide} and ask {@link take} for memory. All the rest is passed on.
 *
 * @example
 * ```ts
 * class EvenAdaptor extends Adaptor {
 *   protected override provide(bytes: number): DeviceBuffer | null {
 *     return this.take(bytes + (bytes % 2));
 *   }
 * }
 * console.log(new EvenAdaptor(new DeferredAllocator(context)).allocate(7)?.size); // 8
 * ```
 */
export abstract class Adaptor<M extends Allocation = DeviceBuffer> implements Allocator<M> {
  /** The allocator that it stands on. */
  readonly upstream: Allocator<M>;

  constructor(upstream: Allocator<M>) {
    this.upstream = checkAllocator(upstream, "upstream");
  }

  /** The context whose memory it gives: that of its upstream. */
  get context(): Context {
    return this.upstream.context;
  }

  /** True if its upstream may promise memory that is found missing only when a command uses it. */
  get deferred(): boolean {
    return this.upstream.deferred === true;
  }

  /** At least so many bytes, or an `OutOfMemoryError`; null for no bytes if its upstream says so. */
  allocate(bytes: number): M | null;
  /** Returns a buffer of `length` elements. */
  allocate<T extends TypedArray>(type: ElementType<T>, length: number): (M & DeviceBuffer<T>) | null;
  allocate(bytes: number | ElementType, length?: number): M | null {
    if (isElementType(bytes)) return allocateTyped((size) => this.provide(size), bytes, length) as M | null;
    return this.provide(checkInteger(bytes, "bytes"));
  }

  /** Has its upstream give back what it holds and nobody uses; how many bytes that were. */
  freeHeld(): number {
    return this.upstream.freeHeld?.() ?? 0;
  }

  /** What `allocate` does with a number of bytes that has been checked. */
  protected abstract provide(bytes: number): M | null;

  /**
   * What the upstream gives. An answer that is no memory, too little of it or of another context is an error that names
   * the upstream; null comes for no bytes only.
   */
  protected take(bytes: number): M | null {
    return askUpstream(this.upstream, bytes);
  }
}
