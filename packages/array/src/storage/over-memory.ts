/** Arrays over memory that the caller owns. */
import type { ArrayRef, ArraySource } from "./array-ref.js";
import { type Layout, outOfRange, overlapsItself, wrongValue } from "@cl/base";
import { hasParallelWorkItems } from "@cl/characterize";
import { type Allocation, SvmPointer } from "@cl/core";
import { Storage } from "./storage.js";
import type { DTypeName, TypedDType } from "../types/dtype-name.js";

/** Returns an array with this layout over the memory; read-only if `locked`, or if elements overlap. */
export function overMemory(
  xp: ArraySource,
  memory: Allocation,
  type: TypedDType<DTypeName>,
  layout: Layout,
  locked: boolean,
): ArrayRef {
  if (!memory.context.equals(xp.queue.context)) {
    throw wrongValue("the memory must belong to the context of this factory");
  }
  const { shape, strides, offset } = layout;
  const between = strides.some((stride, axis) => shape[axis] !== 1 && stride % type.itemSize !== 0);
  if (between || offset % type.itemSize !== 0) {
    throw outOfRange(
      `elements of ${type.name} must be aligned to ${type.itemSize} bytes, received strides [${strides.join()}] and offset ${offset}`,
    );
  }
  // Kernels for parallel work-items load 16 bytes at a time; those with loops load from any address.
  const isLoose = memory instanceof SvmPointer && memory.pointer % 16n !== 0n;
  if (isLoose && hasParallelWorkItems(xp.queue.device)) {
    throw wrongValue("the memory must start at a multiple of 16 bytes on this device");
  }
  const array = xp.wrap(Storage.over(memory), type, layout);
  if (!locked && !overlapsItself(layout, type.itemSize)) return array;
  using whole = array;
  return whole.view(type, layout, true);
}
