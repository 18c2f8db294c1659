/** What a copy from one layout to another comes down to: runs of bytes, and the axes along which they repeat. */
import type { Layout } from "./layout.js";

/** One side of a {@link StridedCopy}: the first run's place, and the distances along its axes. */
export interface CopyPlace {
  readonly offset: number;
  readonly strides: readonly number[];
}

/** A copy with as few axes as possible; everything in bytes. */
export interface StridedCopy {
  /** Bytes that are next to each other on both sides. */
  readonly run: number;
  /** How often the run repeats along each axis. None: it is one piece. */
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
 * The copy of `from` to `to`, which have the same shape and at least one element. Axes are put in the order of the
 * packed side's distances, those of one element dropped, and those that continue each other joined.
 */
export function stridedCopy(from: Layout, to: Layout, itemSize: number, packed: "from" | "to" = "to"): StridedCopy {
  let [fromOffset, toOffset] = [from.offset, to.offset];
  const axes: Axis[] = [];
  for (const [i, extent] of from.shape.entries()) {
    if (extent === 1) continue;
    const axis = { extent, from: from.strides[i] as number, to: to.strides[i] as number };
    // From the other end, where both sides or the packed one run backwards.
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

/** Bytes, rows and slices with the distances between them, as a rectangle command takes one side. */
export interface BoxSide {
  readonly origin: readonly [number, number, number];
  readonly pitches: readonly [row: number, slice: number];
}

/** A rectangle command. */
export interface BoxCopy {
  readonly region: readonly [number, number, number];
  readonly from: BoxSide;
  readonly to: BoxSide;
}

/** The copy as one rectangle command; undefined where OpenCL's rules for distances do not allow it. */
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
  // In whole slices and rows: some drivers check that a row's part lies within its row.
  const within = offset % slice;
  return { origin: [within % row, Math.floor(within / row), Math.floor(offset / slice)], pitches: [row, slice] };
}
