/** Layouts of the elements along an axis, as evenly spaced lines or columns. */
import type { Layout } from "@cl/base";

/** Evenly spaced lines, in elements: `row` is the stride between lines, `step` the one within a line. */
export interface Lines {
  readonly offset: number;
  readonly row: number;
  readonly step: number;
}

/** Columns: interleaved lines `inner` apart, in several blocks that are `outer` apart. */
export interface Columns {
  readonly offset: number;
  readonly outer: number;
  readonly step: number;
  readonly inner: number;
}

/** The lines along an axis in the C order of the other axes, if one distance is enough for those. */
export function linesOf(layout: Layout, itemSize: number, axis: number): Lines | undefined {
  const others = layout.shape.map((_, one) => one).filter((one) => one !== axis);
  const row = distanceOf(layout, others, itemSize);
  if (row === undefined) return undefined;
  return { offset: layout.offset / itemSize, row, step: (layout.strides[axis] as number) / itemSize };
}

/** The columns along an axis, if one distance is enough for the axes before it, and one for those behind. */
export function columnsOf(layout: Layout, itemSize: number, axis: number): Columns | undefined {
  const axes = layout.shape.map((_, one) => one);
  const outer = distanceOf(layout, axes.slice(0, axis), itemSize);
  const inner = distanceOf(layout, axes.slice(axis + 1), itemSize);
  if (outer === undefined || inner === undefined) return undefined;
  return { offset: layout.offset / itemSize, outer, step: (layout.strides[axis] as number) / itemSize, inner };
}

/** From one element to the next in C order; undefined where that is not the same everywhere. */
function distanceOf({ shape, strides }: Layout, axes: readonly number[], itemSize: number): number | undefined {
  const long = axes.filter((axis) => shape[axis] !== 1);
  for (const [k, axis] of long.entries()) {
    const next = long[k + 1];
    if (next === undefined) break;
    if (strides[axis] !== (strides[next] as number) * (shape[next] as number)) return undefined;
  }
  const last = long.at(-1);
  return last === undefined ? 0 : (strides[last] as number) / itemSize;
}
