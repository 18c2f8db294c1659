/** Trying again after what is held has been given back. */
import { checkInteger, checkOptions, typeError } from "@cl/base";
import { type Allocation, type Allocator, type DeviceBuffer, OutOfMemoryError, reclaimDropped } from "@cl/core";

import { Adaptor } from "./adaptor.js";
import { checkAllocator } from "./upstream.js";

/** How {@link RetryAdaptor} tries again. */
export interface RetryOptions {
  /** How often a request is tried in all; 2 if not said. */
  readonly attempts?: number;
  /** Allocators that give back what they hold before a further attempt; the upstream does so anyway. */
  readonly others?: readonly Allocator<Allocation>[];
}

/**
 * Tries again when its upstream is out of memory. Before each further attempt everybody gives back what is held and not
 * used (`freeHeld` of the upstream and of the `others`, such as pools of other parts of the program), and garbage is
 * collected.
 *
 * @example
 * ```ts
 * const allocator = new RetryAdaptor(new ImmediateAllocator(queue), { attempts: 3 });
 * console.log(allocator.allocate(64)?.size); // 64
 * ```
 */
export class RetryAdaptor<M extends Allocation = DeviceBuffer> extends Adaptor<M> {
  /** How often a request is tried in all. */
  readonly attempts: number;
  readonly #others: readonly Allocator<Allocation>[];
  #retries = 0;

  constructor(upstream: Allocator<M>, options?: RetryOptions) {
    super(upstream);
    const { attempts = 2, others = [] } = checkOptions(options, ["attempts", "others"]);
    this.attempts = checkInteger(attempts, "options.attempts", 1);
    if (!Array.isArray(others)) throw typeError("options.others", "a list of allocators", others);
    this.#others = (others as readonly Allocator<Allocation>[]).map((other, i) =>
      checkAllocator(other, `options.others[${i}]`),
    );
  }

  /** How often a request was tried again. */
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
      for (const other of this.#others) other.freeHeld?.();
      reclaimDropped();
    }
  }
}
