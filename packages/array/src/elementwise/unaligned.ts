/** Unaligned elements, such as fields of packed structs: kernels load and store them byte by byte. */
import type { Layout } from "@cl/base";
import { assign } from "./assign.js";
import { type DTypeName, type TypedDType, typeNamed } from "../types/dtype-name.js";
import type { ArrayRef } from "../storage/array-ref.js";

/** True if every element starts at a multiple of its size. */
export function isAligned({ offset, strides }: Layout, { itemSize }: TypedDType<DTypeName>): boolean {
  return [offset, ...strides].every((distance) => distance % itemSize === 0);
}

/** Returns a read-only copy of elements of a type in the memory of an array. */
export function readUnaligned<D extends DTypeName>(memory: ArrayRef, layout: Layout, type: TypedDType<D>): ArrayRef<D> {
  using bytes = bytesOf(memory, layout, type);
  using copy = bytes.copy();
  using elements = copy.viewAs(type);
  using shaped = elements.reshape(layout.shape);
  return shaped.view(type, shaped.operand().layout, true);
}

/** Stores elements of a type, which have the shape of the layout, in the memory of an array. */
export function writeUnaligned(memory: ArrayRef, layout: Layout, elements: ArrayRef): void {
  using target = bytesOf(memory, layout, elements.dtype);
  using column = elements.reshape([...layout.shape, 1]);
  using bytes = column.viewAs("uint8");
  assign(target, bytes);
}

/** The bytes of each element along a last axis. */
function bytesOf(
  memory: ArrayRef,
  { shape, strides, offset }: Layout,
  { itemSize }: { readonly itemSize: number },
): ArrayRef<"uint8"> {
  return memory.view(typeNamed("uint8"), { shape: [...shape, itemSize], strides: [...strides, 1], offset });
}
