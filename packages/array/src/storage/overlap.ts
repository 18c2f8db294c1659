/** Detection of shared bytes between inputs and outputs, including parts of the same memory. */
import { type Layout, layoutsOverlap } from "@cl/base";
import type { Storage } from "./storage.js";

/** Where elements are. */
export interface Placed {
  readonly storage: Storage;
  readonly layout: Layout;
}

/** True if elements of one share bytes with elements of the other; `itemSize` is that of the larger ones. */
export function shareBytes(one: Placed, other: Placed, itemSize: number): boolean {
  if (!one.storage.meets(other.storage)) return false;
  return layoutsOverlap(inWhole(one), inWhole(other), itemSize);
}

/** True if elements with the same indices begin at the same bytes. Both have the same shape. */
export function startTogether(one: Placed, other: Placed): boolean {
  const [a, b] = [inWhole(one), inWhole(other)];
  return a.offset === b.offset && a.shape.every((extent, axis) => extent === 1 || a.strides[axis] === b.strides[axis]);
}

/** The layout in the memory that the storage may be a part of. */
function inWhole({ storage, layout }: Placed): Layout {
  const { start } = storage;
  if (start === 0) return layout;
  const { shape, strides, offset } = layout;
  return { shape, strides, offset: offset + start };
}
