/** Shared virtual memory by the allocators' protocol. */
import { checkInstance, checkInteger, checkOptions } from "@cl/base";
import { type Allocator, type CommandQueue, Context, SvmAllocation, type SvmOptions } from "@cl/core";

import { withSecondChance } from "./second-chance.js";

/** How {@link SvmAllocator} allocates: alignment, kind, access, atomics, flags, label, and the queue that frees. */
export type SvmAllocatorOptions = SvmOptions;

/**
 * Gives shared virtual memory. With a queue, which must keep its commands in order, a released allocation is freed by a
 * command of that queue, behind what was enqueued there. Without one it is freed as soon as no command that was enqueued
 * through this package uses it.
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

  /** Throws where the context's devices have no memory of that kind. */
  constructor(context: Context, options?: SvmAllocatorOptions) {
    this.context = checkInstance(context, Context, "context");
    this.#options = { ...checkOptions(options, ["kind", "atomics", "access", "alignment", "queue", "flags", "label"]) };
    // No bytes allocate nothing, and have everything checked.
    this.allocate(0).release();
  }

  /** The queue that frees what it gives. */
  get queue(): CommandQueue | undefined {
    return this.#options.queue;
  }

  /**
   * So many bytes; none are legal and allocate nothing. If memory has run out it tries once more, after a garbage
   * collection, before it throws an `OutOfMemoryError`.
   */
  allocate(bytes: number): SvmAllocation {
    const size = checkInteger(bytes, "bytes");
    return withSecondChance(() => new SvmAllocation(this.context, size, this.#options));
  }
}
