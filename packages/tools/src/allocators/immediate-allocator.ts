/** An allocator of buffers whose memory is allocated immediately. */
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
import { withRetry } from "./with-retry.js";

/**
 * An allocator of buffers whose memory is allocated on the queue's device immediately, so that `allocate` throws an
 * `OutOfMemoryError` if memory has run out, and no later command fails. It enqueues a migration of each new buffer to
 * the device, without its contents, and does not wait for it. Some drivers reserve memory even later: PoCL on a CPU
 * overcommits as the operating system does.
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
  /** The queue on whose device the buffers are allocated. */
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
   * Allocates a buffer; returns `null` for 0 bytes. If memory has run out, reclaims dropped objects and retries once
   * before it throws an `OutOfMemoryError`.
   */
  allocate(bytes: number): DeviceBuffer | null;
  /** Allocates a buffer of `length` elements; returns `null` if `length` is 0. */
  allocate<T extends TypedArray>(type: ElementType<T>, length: number): DeviceBuffer<T> | null;
  allocate(bytes: number | ElementType, length?: number): DeviceBuffer | null {
    if (isElementType(bytes)) return allocateTyped((size) => this.allocate(size), bytes, length);
    const size = checkInteger(bytes, "bytes");
    return size === 0 ? null : withRetry(() => this.#make(size));
  }

  #make(size: number): DeviceBuffer {
    const buffer = new DeviceBuffer(this.context, { ...this.#options, size });
    try {
      this.#allocateOnDevice(buffer);
    } catch (error) {
      buffer.release();
      throw error;
    }
    return buffer;
  }

  #allocateOnDevice(buffer: DeviceBuffer): void {
    const bytes = Math.min(buffer.size, 4);
    const event = this.#migrates
      ? this.queue.enqueueMigrate(buffer, { flags: MemMigrationFlags.CONTENT_UNDEFINED })
      : // OpenCL 1.1 has no migration; writing a few bytes has the same effect.
        this.queue.enqueueCopy(buffer, new Uint8Array(bytes), { bytes });
    event.release();
  }
}
