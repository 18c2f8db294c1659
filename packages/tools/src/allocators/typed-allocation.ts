/** Typed buffers from allocators, which allocate bytes. */
import { checkInteger, typeError } from "@cl/base";
import { type Allocation, DeviceBuffer, type ElementType, type TypedArray } from "@cl/core";
import { withElements } from "@cl/core/internal";

/** Allocates a buffer of `length` elements; returns `null` if the allocator does, as for 0 elements. */
export function allocateTyped<T extends TypedArray>(
  allocate: (bytes: number) => Allocation | null,
  type: ElementType<T>,
  length: number | undefined,
): DeviceBuffer<T> | null {
  const memory = allocate(type.BYTES_PER_ELEMENT * checkInteger(length, "length"));
  if (memory === null) return null;
  try {
    if (memory instanceof DeviceBuffer) return withElements(memory, type);
    throw typeError("type", "omitted: this allocator returns shared virtual memory", type);
  } catch (error) {
    memory.release();
    throw error;
  }
}

/** Returns true for an element type and false for a number of bytes. */
export function isElementType(value: unknown): value is ElementType {
  return typeof value === "function";
}
