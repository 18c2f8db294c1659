/** Asking for memory with time to wait for it. */
import { setTimeout as pause } from "node:timers/promises";

import { checkInteger, checkOptions, checkSignal } from "@cl/base";
import { type Allocation, type Allocator, OutOfMemoryError, reclaimDropped } from "@cl/core";

import { askUpstream, checkAllocator } from "../adaptors/upstream.js";

/** How long to wait for memory. */
export interface AllocateEventuallyOptions {
  /** How often it is tried in all; 8 if not said. Between the tries lie 1, 2, 4, … milliseconds. */
  readonly attempts?: number;
  /** Ends the waiting. */
  readonly signal?: AbortSignal;
}

/**
 * Allocates, and where memory has run out waits for some: has the allocator give back what it holds, collects garbage,
 * and lets the event loop turn, in which the memory of collected objects goes back. That is
 * what `allocate`, which answers at once, cannot do. Rejects with the last `OutOfMemoryError` if no attempt helps.
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
  const given = checkOptions(options, ["attempts", "signal"]);
  const attempts = checkInteger(given.attempts ?? 8, "options.attempts", 1, 30);
  const signal = checkSignal(given.signal);
  signal?.throwIfAborted();
  for (let attempt = 1; ; attempt++) {
    try {
      return askUpstream(allocator, bytes);
    } catch (error) {
      if (!(error instanceof OutOfMemoryError) || attempt === attempts) throw error;
    }
    allocator.freeHeld?.();
    reclaimDropped();
    await pause(2 ** (attempt - 1), undefined, signal === undefined ? {} : { signal });
  }
}
