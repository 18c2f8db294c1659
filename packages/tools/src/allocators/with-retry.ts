/** A synchronous retry for allocations that are out of memory. */
import { OutOfMemoryError, reclaimUnreachable } from "@cl/core";

/**
 * Retries once if `make` throws an `OutOfMemoryError`, after reclaiming dropped objects. That returns dropped pooled
 * memory to its pools. The memory of other dropped objects is released in a later iteration of the event loop, which
 * only helps later calls.
 */
export function withRetry<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof OutOfMemoryError)) throw error;
  }
  reclaimUnreachable();
  return make();
}
