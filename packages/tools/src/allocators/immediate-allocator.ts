/** Buffers that are placed on a device before anybody gets them. */
import { checkInstance, checkInteger } from "@cl/base";
import {
  type Allocator,
  CommandQueue,
  type Context,
  DeviceBuffer,
  MemMigrationFlags,
  type ElementType,
  type TypedArray,
} from "@cl/core";

import { allocateTyped, isElementType } from "./typed-allocation.js";
import { type BufferAllocatorOptions, checkAllocatorOptions } from "./buffer-allocator-options.js";
import { withSecondChance } from "./second-chance.js";

/**
 * Gives buffers that have their place on the queue's device already, so that memory that has run out is an
 * `OutOfMemoryError` of `allocate` and of nothing later. For that it moves each new buffer to the device, without its
 * contents, by a command on its queue that it does not wait for. Drivers that reserve memory still later exist: PoCL on a
 * CPU has as much as the operating system promises.
 *
 * @example
 * ```ts
 * const allocator = new ImmediateAllocator(queue);
 * using buffer = allocator.allocate(4096);
 * console.log(buffer?.size, allocator.allocate(0)); // 4096 null
 * ```
 */
export class ImmediateAllocator implements Allocator {
  readonly context: Context;
  readonly deferred = false;
  /** The queue whose device has the buffers. */
  readonly queue: CommandQueue;
  readonly #options: BufferAllocatorOptions;
  readonly #migrates: boolean;

  constructor(queue: CommandQueue, options?: BufferAllocatorOptions) {
    this.queue = checkInstance(queue, CommandQueue, "queue");
    this.context = queue.context;
    this.#options = checkAllocatorOptions(options);
    this.#migrates = !/^OpenCL 1\.[01]\b/.test(queue.device.version);
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
    return size === 0 ? null : withSecondChance(() => this.#make(size));
  }

  #make(size: number): DeviceBuffer {
    const buffer = new DeviceBuffer(this.context, { ...this.#options, size });
    try {
      this.#place(buffer);
    } catch (error) {
      buffer.release();
      throw error;
    }
    return buffer;
  }

  #place(buffer: DeviceBuffer): void {
    const bytes = Math.min(buffer.size, 4);
    const placing = this.#migrates
      ? this.queue.enqueueMigrate(buffer, { flags: MemMigrationFlags.CONTENT_UNDEFINED })
      : // OpenCL 1.1 has no such command; to write a few bytes has the same effect.
        this.queue.enqueueCopy(buffer, new Uint8Array(bytes), { bytes });
    placing.release();
  }
}
