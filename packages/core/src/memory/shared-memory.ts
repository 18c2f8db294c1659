/**
 * Memory that host and devices may touch at any time, for buffers that are made with `hostCoherent`. It is shared virtual
 * memory, whose module imports buffers; so that module says how it is made.
 */
import type { Handle } from "../binding/native.js";
import type { Resource } from "../binding/resource.js";
import type { Context } from "../platform/context.js";

/** A buffer's memory, seen from the host. */
export interface SharedMemory {
  /** The buffer over it. */
  readonly handle: Handle;
  /** To be released with the buffer: then its bytes cannot be reached any more. */
  readonly owner: Resource;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Makes it; nothing if the context's devices have no such memory and it is only `"preferred"`. */
type ShareMemory = (
  context: Context,
  bytes: number,
  flags: number,
  wish: "required" | "preferred",
) => SharedMemory | undefined;

let maker: ShareMemory;

/** The module of shared virtual memory says how. */
export function connectSharedMemory(share: ShareMemory): void {
  maker = share;
}

/** See {@link ShareMemory}. */
export const shareMemory: ShareMemory = (...given) => maker(...given);
