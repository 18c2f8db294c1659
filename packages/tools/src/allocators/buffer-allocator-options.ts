/** What allocators of buffers are told about the buffers that they will make. */
import { checkOptions, typeError } from "@cl/base";
import { type BufferMemoryOptions, MemFlags } from "@cl/core";
import { checkBufferOptions } from "@cl/core/internal";

/**
 * How an allocator makes its buffers: what `DeviceBuffer` takes, except sizes, elements and contents. `largePages` is true
 * if nothing is said of where the memory lies.
 */
export interface BufferAllocatorOptions extends BufferMemoryOptions {
  /** `"alloc"` asks for memory that the host reaches easily. There is no host memory that a buffer could use or copy. */
  readonly hostPointer?: "alloc";
  /** Further key and value pairs, for `clCreateBufferWithProperties`. */
  readonly properties?: readonly (readonly [key: number, value: number | bigint])[];
}

/** A copy of the options, so that nobody changes them later; refuses what no buffer could be made with. */
export function checkAllocatorOptions(options: BufferAllocatorOptions | undefined): BufferAllocatorOptions {
  const given = {
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
  // First, since "use" and "copy" would be told to come with host memory, which nobody can give.
  const { hostPointer } = given;
  if (hostPointer !== undefined && hostPointer !== "alloc") {
    throw typeError("options.hostPointer", '"alloc", since there is no host memory to use or copy', hostPointer);
  }
  const flags = checkBufferOptions(given);
  if ((flags & (MemFlags.USE_HOST_PTR | MemFlags.COPY_HOST_PTR)) !== 0) {
    throw typeError(
      "options.flags",
      "without USE_HOST_PTR and COPY_HOST_PTR, since there is no host memory to use or copy",
      given.flags,
    );
  }
  // Memory that is allocated to be used again is worth large pages; where it lies must not be said otherwise.
  const placed = given.hostPointer !== undefined || given.hostCoherent !== undefined || given.properties !== undefined;
  return { largePages: !placed && (flags & MemFlags.ALLOC_HOST_PTR) === 0, ...given };
}
