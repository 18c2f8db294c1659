/** A function that is asked what to do when memory has run out. */
import { checkFunction, typeError } from "@cl/base";
import { type Allocation, type Allocator, type DeviceBuffer, OutOfMemoryError } from "@cl/core";

import { Adaptor } from "./adaptor.js";

/**
 * Decides whether a request that found no memory is tried again: true if so. `attempts` says how often it was tried until
 * now. It may release memory, or have others release theirs; it must answer at once.
 */
export type FailureCallback = (bytes: number, error: OutOfMemoryError, attempts: number) => boolean;

/**
 * Calls a function when its upstream is out of memory, and tries again for as long as that says so. Other errors are
 * thrown on without asking.
 *
 * @example
 * ```ts
 * const budget = new LimitAdaptor(new DeferredAllocator(context), 100);
 * const spare = budget.allocate(100);
 * const allocator = new FailureCallbackAdaptor(budget, (_bytes, _error, attempts) => {
 *   spare?.release();
 *   return attempts === 1;
 * });
 * console.log(allocator.allocate(60)?.size); // 60
 * ```
 */
export class FailureCallbackAdaptor<M extends Allocation = DeviceBuffer> extends Adaptor<M> {
  readonly #callback: FailureCallback;

  constructor(upstream: Allocator<M>, callback: FailureCallback) {
    super(upstream);
    this.#callback = checkFunction(callback, "callback");
  }

  protected override provide(bytes: number): M | null {
    for (let attempts = 1; ; attempts++) {
      try {
        return this.take(bytes);
      } catch (error) {
        if (!(error instanceof OutOfMemoryError) || !this.#tryAgain(bytes, error, attempts)) throw error;
      }
    }
  }

  #tryAgain(bytes: number, error: OutOfMemoryError, attempts: number): boolean {
    const answer: unknown = (0, this.#callback)(bytes, error, attempts);
    // A promise is true, too, and would try for ever.
    if (typeof answer !== "boolean") throw typeError("what the callback returns", "true or false", answer);
    return answer;
  }
}
