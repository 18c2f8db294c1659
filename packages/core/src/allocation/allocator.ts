/** The protocol of whatever gives memory: what allocators, pools and those who use them agree on. */
import type { Context } from "../platform/context.js";
import type { SvmPointer } from "../svm/svm-pointer.js";
import type { DeviceBuffer } from "../memory/buffer.js";

/** What an allocator gives: memory that somebody releases, or that is given back when it is collected. */
export type Allocation = DeviceBuffer | SvmPointer;

/**
 * Gives memory. Allocators stand on others: a pool or a limit is an allocator that asks another one. Who has the memory
 * ends it with its own `release()`; an allocator that must hear of that uses the memory's `onReleased`.
 */
export interface Allocator<M extends Allocation = DeviceBuffer> {
  /** The context whose memory it gives. */
  readonly context: Context;
  /** True if it may promise memory that is found missing only when a command uses it. */
  readonly deferred?: boolean;
  /**
   * At least so many bytes, or an `OutOfMemoryError`. For no bytes at all, which OpenCL has no buffers of, an allocator of
   * buffers gives null.
   */
  allocate(bytes: number): M | null;
  /** Gives back what it holds for later and nobody uses; how many bytes that were. */
  freeHeld?(): number;
}
