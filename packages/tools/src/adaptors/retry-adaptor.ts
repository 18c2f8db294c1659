/** An allocator adaptor that frees held memory and retries when memory has run out. */
import { checkInteger, checkOptions, typeError } from "@cl/base";
import { type Allocation, type Allocator, type DeviceBuffer, OutOfMemoryError, reclaimUnreachable } from "@cl/core";

import { Adaptor } from "./adaptor.js";
import { checkAllocator } from "./upstream.js";

/** Options of {@link RetryAdaptor}. */
export interface RetryOptions {
  /** Maximum number of attempts per request. @defaultValue 2 */
  readonly attempts?: number;
  /** Further allocators that free their held memory before a retry, in addition to the upstream. @defaultValue none */
  readonly otherAllocators?: readonly Allocator<Allocation>[];
}

/**
 * Retries when the upstream is out of memory. Each retry first calls `freeHeld` of the upstream and `otherAllocators`,
 * such as pools of other parts of the program, and releases dropped objects.
 *
 * @example
 * ```ts
 * const allocator = new RetryAdaptor(new ImmediateAllocator(queue), { attempts: 3 });
 * console.log(allocator.allocate(64)?.size); // 64
 * ```
 */
export class RetryAdaptor<M extends Allocation = DeviceBuffer> extends Adaptor<M> {
  /** Maximum number of attempts per request. */
  readonly attempts: number;
  readonly #otherAllocators: readonly Allocator<Allocation>[];
  #retries = 0;

  constructor(upstream: Allocator<M>, options?: RetryOptions) {
    super(upstream);
    const { attempts = 2, otherAllocators = [] } = checkOptions(options, ["attempts", "otherAllocators"]);
    this.attempts = checkInteger(attempts, "options.attempts", 1);
    if (!Array.isArray(otherAllocators)) {
      throw typeError("options.otherAllocators", "an array of allocators", otherAllocators);
    }
    this.#otherAllocators = (otherAllocators as readonly Allocator<Allocation>[]).map((other, i) =>
      checkAllocator(other, `options.otherAllocators[${i}]`),
    );
  }

  /** Number of retries so far. */
  get retries(): number {
    return this.#retries;
  }

  protected override provide(bytes: number): M | null {
    for (let attempt = 1; ; attempt++) {
      try {
        return this.take(bytes);
      } catch (error) {
        if (!(error instanceof OutOfMemoryError) || attempt === this.attempts) throw error;
      }
      this.#retries++;
      this.freeHeld();
      for (const other of this.#otherAllocators) other.freeHeld?.();
      reclaimUnreachable();
    }
  }
}
