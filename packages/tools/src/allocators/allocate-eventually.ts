/** Asynchronous allocation with retries. */
import { setTimeout as pause } from "node:timers/promises";

import { checkInteger, checkOptions, checkSignal } from "@cl/base";
import { type Allocation, type Allocator, OutOfMemoryError, reclaimUnreachable } from "@cl/core";

import { askUpstream, checkAllocator } from "../adaptors/upstream.js";

/** Options of {@link allocateEventually}. */
export interface AllocateEventuallyOptions {
  /** Maximum number of attempts. The delays between them are 1, 2, 4, … milliseconds. @defaultValue 8 */
  readonly attempts?: number;
  /** Aborts the wait. */
  readonly signal?: AbortSignal;
}

/**
 * Allocates memory, and retries if memory has run out. Before each retry, it makes the allocator free its held memory,
 * reclaims dropped objects and waits, so that the event loop can release the memory of collected objects, which the
 * synchronous `allocate` cannot do. Rejects with the last `OutOfMemoryError` if all attempts fail.
 *
 * @example
 * ```ts
 * const memory = await allocateEventually(new ImmediateAllocator(queue), 4096);
 * console.log(memory?.size); // 4096
 * ```
 */
export async function allocateEventually<M extends Allocation>(
  allocator: Allocator<M>,
  bytes: number,
  options?: AllocateEventuallyOptions,
): Promise<M | null> {
  checkAllocator(allocator, "allocator");
  checkInteger(bytes, "bytes");
  const checked = checkOptions(options, ["attempts", "signal"]);
  const attempts = checkInteger(checked.attempts ?? 8, "options.attempts", 1, 30);
  const signal = checkSignal(checked.signal);
  signal?.throwIfAborted();
  for (let attempt = 1; ; attempt++) {
    try {
      return askUpstream(allocator, bytes);
    } catch (error) {
      if (!(error instanceof OutOfMemoryError) || attempt === attempts) throw error;
    }
    allocator.freeHeld?.();
    reclaimUnreachable();
    await pause(2 ** (attempt - 1), undefined, signal === undefined ? {} : { signal });
  }
}
