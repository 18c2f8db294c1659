/** An allocator of buffers whose memory is allocated at first use. */
import { checkInstance, checkInteger } from "@cl/base";
import { type Allocator, Context, DeviceBuffer, type ElementType, type TypedArray } from "@cl/core";

import { allocateTyped, isElementType } from "./typed-allocation.js";
import { type BufferAllocatorOptions, checkAllocatorOptions } from "./buffer-allocator-options.js";
import { withRetry } from "./with-retry.js";

/**
 * An allocator of buffers whose memory OpenCL may allocate only when a command first uses them. Then that command fails
 * if memory has run out, not `allocate`. See {@link ImmediateAllocator} for an alternative.
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
   * Allocates a buffer; returns `null` for 0 bytes. If memory has run out, reclaims dropped objects and retries once
   * before it throws an `OutOfMemoryError`.
   */
  allocate(bytes: number): DeviceBuffer | null;
  /** Allocates a buffer of `length` elements; returns `null` if `length` is 0. */
  allocate<T extends TypedArray>(type: ElementType<T>, length: number): DeviceBuffer<T> | null;
  allocate(bytes: number | ElementType, length?: number): DeviceBuffer | null {
    if (isElementType(bytes)) return allocateTyped((size) => this.allocate(size), bytes, length);
    const size = checkInteger(bytes, "bytes");
    if (size === 0) return null;
    return withRetry(() => new DeviceBuffer(this.context, { ...this.#options, size }));
  }
}
