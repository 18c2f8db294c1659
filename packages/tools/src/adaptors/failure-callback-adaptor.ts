/** An allocator adaptor that calls a function when memory has run out. */
import { checkFunction, typeError } from "@cl/base";
import { type Allocation, type Allocator, type DeviceBuffer, OutOfMemoryError } from "@cl/core";

import { Adaptor } from "./adaptor.js";

/**
 * Returns true to retry a request after memory has run out. It can release memory first. `attempts` is the number of
 * attempts so far. The function must be synchronous.
 */
export type FailureCallback = (bytes: number, error: OutOfMemoryError, attempts: number) => boolean;

/**
 * Calls a function when the upstream is out of memory and retries while the function returns true. Other errors are
 * rethrown without calling it.
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
    const retry: unknown = (0, this.#callback)(bytes, error, attempts);
    // A promise is truthy and would cause endless retries.
    if (typeof retry !== "boolean") throw typeError("the result of callback", "true or false", retry);
    return retry;
  }
}
