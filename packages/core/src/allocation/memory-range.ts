/** Which bytes a buffer or an allocation is: parts of one memory are different objects. */
import { typeError } from "@cl/base";

import { DeviceBuffer, placeOf } from "../memory/buffer.js";
import { DisposedError } from "../binding/errors.js";
import { Resource } from "../binding/resource.js";
import { SvmPointer } from "../svm/svm-pointer.js";

/** Bytes of some memory. */
export interface MemoryRange {
  /** The same object for all that shares this memory. */
  readonly store: object;
  /** The first byte within the store. */
  readonly start: number;
  /** The first byte behind it. */
  readonly end: number;
}

/**
 * The bytes that a buffer, a part of one, or shared virtual memory stands for: two of them share memory if their stores are
 * the same object and their ranges overlap.
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
