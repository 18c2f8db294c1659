/** Buffers as OpenCL makes them: promised now, placed when a command first uses them. */
import { checkInstance, checkInteger } from "@cl/base";
import { type Allocator, Context, DeviceBuffer, type ElementType, type TypedArray } from "@cl/core";

import { allocateTyped, isElementType } from "./typed-allocation.js";
import { type BufferAllocatorOptions, checkAllocatorOptions } from "./buffer-allocator-options.js";
import { withSecondChance } from "./second-chance.js";

/**
 * Gives buffers that OpenCL may place, or find no place for, when a command first uses them: that command, not
 * `allocate`, may then be the one that is out of memory. {@link ImmediateAllocator} asks at once.
 *
 * @example
 * ```ts
 * const allocator = new DeferredAllocator(context, { access: "read-only" });
 * using buffer = allocator.allocate(4096);
 * console.log(buffer?.size, allocator.allocate(0)); // 4096 null
 * ```
 */
export class DeferredAllocator implements Allocator {
  readonly context: Context;
  readonly deferred = true;
  readonly #options: BufferAllocatorOptions;

  constructor(context: Context, options?: BufferAllocatorOptions) {
    this.context = checkInstance(context, Context, "context");
    this.#options = checkAllocatorOptions(options);
  }

  /**
   * A buffer of so many bytes; null for none. If memory has run out it tries once more, after a garbage
   * collection, before it throws an `OutOfMemoryError`.
   */
  allocate(bytes: number): DeviceBuffer | null;
  /** Returns a buffer of `length` elements, or null if `length` is 0. */
  allocate<T extends TypedArray>(type: ElementType<T>, length: number): DeviceBuffer<T> | null;
  allocate(bytes: number | ElementType, length?: number): DeviceBuffer | null {
    if (isElementType(bytes)) return allocateTyped((size) => this.allocate(size), bytes, length);
    const size = checkInteger(bytes, "bytes");
    if (size === 0) return null;
    return withSecondChance(() => new DeviceBuffer(this.context, { ...this.#options, size }));
  }
}
