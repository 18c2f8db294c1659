/** Options of buffer allocators. */
import { checkOptions, typeError } from "@cl/base";
import { type BufferMemoryOptions, MemFlags } from "@cl/core";
import { checkBufferOptions } from "@cl/core/internal";

/**
 * Options of the buffers that an allocator creates: those of `DeviceBuffer`, except sizes, elements and contents.
 * `largePages` defaults to true unless another option determines the memory's location.
 */
export interface BufferAllocatorOptions extends BufferMemoryOptions {
  /** `"alloc"` requests host-accessible memory. `"use"` and `"copy"` are not supported, since they need host memory. */
  readonly hostPointer?: "alloc";
  /** Additional key and value pairs for `clCreateBufferWithProperties`. */
  readonly properties?: readonly (readonly [key: number, value: number | bigint])[];
}

/** Returns a copy of the options. Throws if no buffer can be created with them. */
export function checkAllocatorOptions(options: BufferAllocatorOptions | undefined): BufferAllocatorOptions {
  const checked = {
    ...checkOptions(options, [
      "hostPointer",
      "properties",
      "hostCoherent",
      "largePages",
      "access",
      "hostAccess",
      "flags",
      "label",
    ]),
  };
  // Checked first, since the error for "use" and "copy" would otherwise ask for host memory.
  const { hostPointer } = checked;
  if (hostPointer !== undefined && hostPointer !== "alloc") {
    throw typeError("options.hostPointer", '"alloc", since allocators have no host memory to use or copy', hostPointer);
  }
  const flags = checkBufferOptions(checked);
  if ((flags & (MemFlags.USE_HOST_PTR | MemFlags.COPY_HOST_PTR)) !== 0) {
    throw typeError(
      "options.flags",
      "without USE_HOST_PTR and COPY_HOST_PTR, since allocators have no host memory to use or copy",
      checked.flags,
    );
  }
  // Reused memory is worth large pages, unless another option determines its location.
  const hasLocation =
    checked.hostPointer !== undefined || checked.hostCoherent !== undefined || checked.properties !== undefined;
  return { largePages: !hasLocation && (flags & MemFlags.ALLOC_HOST_PTR) === 0, ...checked };
}
