/** The native call of native kernels; see native/commands/native_kernel.cc. */
import type { Handle } from "./handle.js";

/** What the addon exports for native kernels. */
export interface NativeNativeKernel {
  /** Copies the arguments; at each offset the function finds the address of that memory. */
  enqueueNativeKernel(
    queue: Handle,
    functionPointer: bigint,
    block: ArrayBufferView | undefined,
    memories: Int32Array,
    offsets: Int32Array,
    waitFor: Int32Array | undefined,
  ): Handle;
}
