/** The byte range of a memory object within its underlying allocation, for detecting overlap. */
import { typeError } from "@cl/base";

import { DeviceBuffer, placeOf } from "../memory/buffer.js";
import { DisposedError } from "../binding/errors.js";
import { Resource } from "../binding/resource.js";
import { SvmPointer } from "../svm/svm-pointer.js";

/** A byte range of an allocation. */
export interface MemoryRange {
  /** The identity of the allocation: the same object for all memory objects that share it. */
  readonly store: object;
  /** The first byte, relative to the allocation. */
  readonly start: number;
  /** The first byte after the range. */
  readonly end: number;
}

/**
 * Returns the byte range of a buffer, a sub-buffer or shared virtual memory. Two of them share memory if their stores
 * are the same object and their ranges overlap.
 *
 * @example
 * ```ts
 * const part = u.subBuffer(0, 128);
 * console.log(memoryRange(part).store === memoryRange(u).store); // true
 * ```
 */
export function memoryRange(memory: DeviceBuffer | SvmPointer): MemoryRange {
  if (memory instanceof Resource && memory.released) throw new DisposedError(String(memory));
  if (memory instanceof DeviceBuffer) {
    const { store, start } = placeOf(memory);
    return { store, start, end: start + memory.size };
  }
  if (memory instanceof SvmPointer) {
    const { byteOffset, size, owner } = memory;
    return { store: owner, start: byteOffset, end: byteOffset + size };
  }
  throw typeError("memory", "a DeviceBuffer or shared virtual memory", memory);
}
