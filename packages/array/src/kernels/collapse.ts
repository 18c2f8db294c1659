/**
 * Merges the axes of operands of one shape: axes that are evenly spaced in all operands become one axis of the kernel.
 */
import type { Layout } from "@cl/base";

/** Axes of all operands, the innermost first; strides and offsets are in elements. */
export interface Axes {
  readonly extents: readonly number[];
  /** The strides of each operand. */
  readonly strides: readonly (readonly number[])[];
  readonly offsets: readonly number[];
  /** Whether all offsets fit into 32 bits. */
  readonly short: boolean;
}

/**
 * Returns the fewest axes for layouts of one shape. They are ordered by the strides of the last layout, the result's,
 * so that elements are written in memory order.
 */
export function collapse(layouts: readonly Layout[], itemSizes: readonly number[]): Axes {
  const target = layouts.at(-1) as Layout;
  const inElements = layouts.map(({ strides }, k) => strides.map((stride) => stride / (itemSizes[k] as number)));
  const order = [...target.shape.keys()]
    .filter((axis) => target.shape[axis] !== 1)
    .sort((a, b) => Math.abs(target.strides[a] as number) - Math.abs(target.strides[b] as number) || b - a);
  const extents: number[] = [];
  const strides: number[][] = layouts.map(() => []);
  for (const axis of order) {
    const last = extents.length - 1;
    const extent = target.shape[axis] as number;
    const own = inElements.map((list) => list[axis] as number);
    if (last >= 0 && own.every((stride, k) => stride === (extents[last] as number) * (strides[k]?.[last] as number))) {
      (extents[last] as number) *= extent;
    } else {
      extents.push(extent);
      for (const [k, stride] of own.entries()) strides[k]?.push(stride);
    }
  }
  const offsets = layouts.map(({ offset }, k) => offset / (itemSizes[k] as number));
  const reach = (k: number): number =>
    extents.reduce(
      (sum, extent, axis) => sum + (extent - 1) * Math.abs(strides[k]?.[axis] as number),
      offsets[k] as number,
    );
  const size = extents.reduce((product, extent) => product * extent, 1);
  // Sizes are rounded up to whole groups.
  const short = size < 2 ** 31 - 4096 && offsets.every((_, k) => reach(k) < 2 ** 31);
  return { extents, strides, offsets, short };
}
