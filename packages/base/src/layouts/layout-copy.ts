/** Reduces a copy between two layouts to contiguous runs of bytes and the axes along which they repeat. */
import type { Layout } from "./layout.js";

/** One side of a {@link StridedCopy}: the offset of the first run and the strides of its axes. */
export interface CopyPlace {
  readonly offset: number;
  readonly strides: readonly number[];
}

/** A copy with as few axes as possible. Offsets and strides are in bytes. */
export interface StridedCopy {
  /** Number of bytes that are contiguous on both sides. */
  readonly run: number;
  /** Number of runs along each axis; empty for a single run. */
  readonly shape: readonly number[];
  readonly from: CopyPlace;
  readonly to: CopyPlace;
}

interface Axis {
  extent: number;
  from: number;
  to: number;
}

/**
 * Returns the copy of `from` to `to`, which must have the same shape and at least one element. Axes are sorted by the
 * packed side's strides, axes of extent 1 are dropped, and adjacent axes that are contiguous on both sides are merged.
 */
export function stridedCopy(from: Layout, to: Layout, itemSize: number, packed: "from" | "to" = "to"): StridedCopy {
  let [fromOffset, toOffset] = [from.offset, to.offset];
  const axes: Axis[] = [];
  for (const [i, extent] of from.shape.entries()) {
    if (extent === 1) continue;
    const axis = { extent, from: from.strides[i] as number, to: to.strides[i] as number };
    // Starts at the other end if the packed side has a negative stride.
    if (axis[packed] < 0) {
      fromOffset += (extent - 1) * axis.from;
      toOffset += (extent - 1) * axis.to;
      [axis.from, axis.to] = [-axis.from, -axis.to];
    }
    axes.push(axis);
  }
  axes.sort((a, b) => b[packed] - a[packed]);
  axes.push({ extent: itemSize, from: 1, to: 1 });
  const joined = join(axes);
  const { extent: run } = joined.pop() as Axis;
  return {
    run,
    shape: joined.map((axis) => axis.extent),
    from: { offset: fromOffset, strides: joined.map((axis) => axis.from) },
    to: { offset: toOffset, strides: joined.map((axis) => axis.to) },
  };
}

function join(axes: readonly Axis[]): Axis[] {
  const joined: Axis[] = [];
  for (const axis of axes) {
    const outer = joined.at(-1);
    if (outer !== undefined && outer.from === axis.extent * axis.from && outer.to === axis.extent * axis.to) {
      joined[joined.length - 1] = { ...axis, extent: outer.extent * axis.extent };
    } else {
      joined.push(axis);
    }
  }
  return joined;
}

/** Origin and pitches of one side of a rectangle command, in bytes, rows and slices. */
export interface BoxSide {
  readonly origin: readonly [number, number, number];
  readonly pitches: readonly [row: number, slice: number];
}

/** The arguments of a rectangle command such as `clEnqueueCopyBufferRect`. */
export interface BoxCopy {
  readonly region: readonly [number, number, number];
  readonly from: BoxSide;
  readonly to: BoxSide;
}

/** Returns the copy as one rectangle command, or `undefined` if OpenCL's rules for pitches do not allow it. */
export function boxCopy({ run, shape, from, to }: StridedCopy): BoxCopy | undefined {
  if (shape.length === 0 || shape.length > 2) return undefined;
  const rows = shape.at(-1) as number;
  const slices = shape.length === 2 ? (shape[0] as number) : 1;
  const sides = [from, to].map(({ offset, strides }) => boxSide(offset, strides, run, rows));
  const [fromSide, toSide] = sides;
  if (fromSide === undefined || toSide === undefined) return undefined;
  return { region: [run, rows, slices], from: fromSide, to: toSide };
}

function boxSide(offset: number, strides: readonly number[], run: number, rows: number): BoxSide | undefined {
  const row = strides.at(-1) as number;
  const slice = strides.length === 2 ? (strides[0] as number) : row * rows;
  if (row < run || slice < row * rows || slice % row !== 0) return undefined;
  // Some drivers check that the origin within a row fits the row pitch, so whole slices and rows are split off.
  const within = offset % slice;
  return { origin: [within % row, Math.floor(within / row), Math.floor(offset / slice)], pitches: [row, slice] };
}
