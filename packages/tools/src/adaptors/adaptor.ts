/** Base class of allocators that wrap another allocator. */
import { checkInteger } from "@cl/base";
import type { Allocation, Allocator, Context, DeviceBuffer, ElementType, TypedArray } from "@cl/core";

import { allocateTyped, isElementType } from "../allocators/typed-allocation.js";
import { askUpstream, checkAllocator } from "./upstream.js";

/**
 * An allocator that wraps an upstream allocator to change, limit or observe its allocations. To write an adaptor,
 * extend this class, override {@link provide} and allocate memory with {@link take}. Everything else is forwarded.
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
  /** The wrapped allocator. */
  readonly upstream: Allocator<M>;

  constructor(upstream: Allocator<M>) {
    this.upstream = checkAllocator(upstream, "upstream");
  }

  /** The upstream's context. */
  get context(): Context {
    return this.upstream.context;
  }

  /** True if the upstream may report a lack of memory only when a command uses the memory. */
  get deferred(): boolean {
    return this.upstream.deferred === true;
  }

  /**
   * Allocates at least `bytes` bytes. Returns `null` for 0 bytes if the upstream does. Throws an `OutOfMemoryError` if
   * memory has run out.
   */
  allocate(bytes: number): M | null;
  /** Allocates a buffer of `length` elements. */
  allocate<T extends TypedArray>(type: ElementType<T>, length: number): (M & DeviceBuffer<T>) | null;
  allocate(bytes: number | ElementType, length?: number): M | null {
    if (isElementType(bytes)) return allocateTyped((size) => this.provide(size), bytes, length) as M | null;
    return this.provide(checkInteger(bytes, "bytes"));
  }

  /** Makes the upstream release memory that it holds but that is not in use. Returns the number of bytes. */
  freeHeld(): number {
    return this.upstream.freeHeld?.() ?? 0;
  }

  /** Implements `allocate` for a checked number of bytes. */
  protected abstract provide(bytes: number): M | null;

  /**
   * Allocates memory from the upstream. Throws an error that names the upstream if it returns something else than
   * memory, too little memory, or memory of another context. Returns `null` only for 0 bytes.
   */
  protected take(bytes: number): M | null {
    return askUpstream(this.upstream, bytes);
  }
}
