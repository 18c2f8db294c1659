/**
 * Memory of buffers created with `hostCoherent`, which host and devices can access at any time. It is shared virtual
 * memory, whose module imports buffers and therefore registers its allocation function here.
 */
import type { Handle } from "../binding/native.js";
import type { Resource } from "../binding/resource.js";
import type { Context } from "../platform/context.js";

/** Memory of a host-coherent buffer. */
export interface SharedMemory {
  /** The buffer over it. */
  readonly handle: Handle;
  /** To be released with the buffer, after which `bytes` is empty. */
  readonly owner: Resource;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Allocates shared memory; returns `undefined` if it is `"preferred"` but not supported by the context's devices. */
type ShareMemory = (
  context: Context,
  bytes: number,
  flags: number,
  hostCoherent: "required" | "preferred",
) => SharedMemory | undefined;

let allocateShared: ShareMemory;

/** Registers the allocation function. */
export function connectSharedMemory(share: ShareMemory): void {
  allocateShared = share;
}

/** See {@link ShareMemory}. */
export const shareMemory: ShareMemory = (...args) => allocateShared(...args);
