/** The native function for native kernels; see native/commands/native_kernel.cc. */
import type { Handle } from "./handle.js";

/** The native function for native kernels. */
export interface NativeNativeKernel {
  /** Copies the argument block and stores the address of each memory at its offset. */
  enqueueNativeKernel(
    queue: Handle,
    functionPointer: bigint,
    block: ArrayBufferView | undefined,
    memories: Int32Array,
    offsets: Int32Array,
    waitFor: Int32Array | undefined,
  ): Handle;
}
