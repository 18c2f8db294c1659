/** An allocator of shared virtual memory. */
import { checkInstance, checkInteger, checkOptions } from "@cl/base";
import { type Allocator, type CommandQueue, Context, SvmAllocation, type SvmOptions } from "@cl/core";

import { withRetry } from "./with-retry.js";

/** Options of {@link SvmAllocator}: alignment, kind, access, atomics, flags, label, and the queue that frees memory. */
export type SvmAllocatorOptions = SvmOptions;

/**
 * An allocator of shared virtual memory. With a queue, which must be in-order, a released allocation is freed by a
 * command on that queue, after all commands enqueued there. Without a queue, it is freed when no command enqueued
 * through this package uses it anymore.
 *
 * @example
 * ```ts
 * const allocator = new SvmAllocator(context, { alignment: 64, queue });
 * using memory = allocator.allocate(4096);
 * console.log(memory.size, allocator.allocate(0).size); // 4096 0
 * ```
 */
export class SvmAllocator implements Allocator<SvmAllocation> {
  readonly context: Context;
  readonly deferred = false;
  readonly #options: SvmAllocatorOptions;

  /** Throws if the context's devices do not support memory of this kind. */
  constructor(context: Context, options?: SvmAllocatorOptions) {
    this.context = checkInstance(context, Context, "context");
    this.#options = { ...checkOptions(options, ["kind", "atomics", "access", "alignment", "queue", "flags", "label"]) };
    // An allocation of 0 bytes checks the options.
    this.allocate(0).release();
  }

  /** The queue that frees released memory, if any. */
  get queue(): CommandQueue | undefined {
    return this.#options.queue;
  }

  /**
   * Allocates memory, which may have 0 bytes. If memory has run out, reclaims dropped objects and retries once before
   * it throws an `OutOfMemoryError`.
   */
  allocate(bytes: number): SvmAllocation {
    const size = checkInteger(bytes, "bytes");
    return withRetry(() => new SvmAllocation(this.context, size, this.#options));
  }
}
