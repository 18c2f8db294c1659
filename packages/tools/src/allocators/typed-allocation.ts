/** Buffers with an element type from allocators, which count in bytes. */
import { checkInteger, typeError } from "@cl/base";
import { type Allocation, DeviceBuffer, type ElementType, type TypedArray } from "@cl/core";
import { withElements } from "@cl/core/internal";

/** Returns a buffer of `length` elements; null if the allocator gives none, as for no elements. */
export function allocateTyped<T extends TypedArray>(
  allocate: (bytes: number) => Allocation | null,
  type: ElementType<T>,
  length: number | undefined,
): DeviceBuffer<T> | null {
  const memory = allocate(type.BYTES_PER_ELEMENT * checkInteger(length, "length"));
  if (memory === null) return null;
  try {
    if (memory instanceof DeviceBuffer) return withElements(memory, type);
    throw typeError("type", "left out: this allocator gives shared virtual memory", type);
  } catch (error) {
    memory.release();
    throw error;
  }
}

/** True for an element type, false for a number of bytes. */
export function isElementType(value: unknown): value is ElementType {
  return typeof value === "function";
}
