/** The allocator interface, shared by allocators, pools and their callers. */
import type { Context } from "../platform/context.js";
import type { SvmPointer } from "../svm/svm-pointer.js";
import type { DeviceBuffer } from "../memory/buffer.js";

/** Memory returned by an allocator. It is freed when it is released or garbage-collected. */
export type Allocation = DeviceBuffer | SvmPointer;

/**
 * A source of device memory. Allocators compose: a pool or a limit is an allocator on top of another one. The caller
 * frees memory with the memory's own `release()`; an allocator that must be notified of that uses the memory's
 * `onReleased`.
 */
export interface Allocator<M extends Allocation = DeviceBuffer> {
  /** The context that the memory belongs to. */
  readonly context: Context;
  /** Whether an allocation can fail later, when a command first uses the memory. */
  readonly deferred?: boolean;
  /**
   * Allocates at least `bytes` bytes. Returns `null` from a buffer allocator if `bytes` is 0, because OpenCL has no
   * empty buffers. Throws an `OutOfMemoryError` if there is not enough memory.
   */
  allocate(bytes: number): M | null;
  /** Frees the memory that it caches for reuse. Returns the number of bytes freed. */
  freeHeld?(): number;
}
