/** The launch plan of a user kernel: the layouts of its arrays, and its indices. */
import {
  broadcastLayout,
  checkInteger,
  contiguousLayout,
  type Layout,
  outOfRange,
  sizeOf,
  sliceLayout,
  wrongValue,
} from "@cl/base";
import { broadcastShapes } from "../shapes/broadcast-shapes.js";
import { type Axes, collapse } from "../kernels/collapse.js";
import { shareBytes, startTogether } from "../storage/overlap.js";
import type { Storage } from "../storage/storage.js";
import type { TextUse } from "./operation-text.js";
import type { Parameter } from "./kernel-parameter.js";

/** Indices to run over. Defaults to every element. */
export interface IndexOptions {
  /** Slice of all indices, as `"1:-1"` or `[null, null, 2]`. */
  readonly slice?: string | readonly [start: number | null, stop: number | null, step?: number | null];
  /**
   * Range of indices: an end, or a start, an end and a step, which may be negative. Each array is then indexed
   * separately, whatever its shape.
   */
  readonly range?: number | readonly [start: number, stop: number, step?: number];
}

/** An array argument. */
export interface ArrayArgument {
  readonly parameter: Parameter;
  readonly storage: Storage;
  readonly itemSize: number;
  readonly layout: Layout;
}

/**
 * How the kernel indexes an array: `direct` as in C, `shared` by the common axes of all arrays, `own` by a function of
 * the index.
 */
export interface ArrayPlan {
  readonly argument: ArrayArgument;
  readonly how: "direct" | "shared" | "own";
  /** Index of the first element, in elements. */
  readonly offset: number;
  /** The extents of an `own` array, the innermost axis first. */
  readonly extents: readonly number[];
  readonly strides: readonly number[];
}

/** A launch. */
export interface LaunchPlan {
  /** Number of indices; each is `start + k * step`. */
  readonly size: number;
  readonly start: number;
  readonly step: number;
  /** Whether the indices are restricted. */
  readonly ranged: boolean;
  readonly arrays: readonly ArrayPlan[];
  /** Extents of the common axes of all `shared` arrays, the innermost first. */
  readonly extents: readonly number[];
  /** Whether all offsets fit into 32 bits. */
  readonly short: boolean;
}

/** Reads shapes and options; throws where they do not fit. */
export function planLaunch(given: readonly ArrayArgument[], use: TextUse, options: IndexOptions): LaunchPlan {
  if (options.slice !== undefined && options.range !== undefined) {
    throw wrongValue("options.slice and options.range cannot be combined");
  }
  const { all, shape } = options.range === undefined ? overShape(given, use) : { all: given, shape: undefined };
  const space = indices(options, shape === undefined ? 0 : sizeOf(shape));
  if (shape === undefined) for (const argument of all) checkRange(argument, use, space);
  const ranged = options.slice !== undefined || options.range !== undefined;
  checkOverlaps(all, use);
  const inOrder = use.index || use.elsewhere.size > 0 || use.asPointer.size > 0 || ranged;
  const shared = ranged ? [] : all.filter(({ parameter }) => use.atIndex.has(parameter.name));
  const axes = sharedAxes(shared, inOrder);
  const arrays = all.map((argument): ArrayPlan => planArray(argument, shared.indexOf(argument), axes, use, inOrder));
  const last = space.start + (space.size - 1) * space.step;
  const short =
    Math.max(space.start, last, space.size + 4096) < 2 ** 31 &&
    (axes?.short ?? true) &&
    all.every((argument) => ownAxes(argument).short);
  return { ...space, ranged, arrays, extents: axes?.extents ?? [], short };
}

/** Arrays at the index are broadcast to one shape, which those that are written must have. Others are as they are. */
function overShape(
  given: readonly ArrayArgument[],
  use: TextUse,
): { readonly all: readonly ArrayArgument[]; readonly shape: readonly number[] } {
  const counted = given.filter(({ parameter }) => use.atIndex.has(parameter.name));
  const of = counted.length === 0 ? given.slice(0, 1) : counted;
  const shape = broadcastShapes(of.map(({ layout }) => layout.shape));
  const all = given.map((argument) => {
    if (!of.includes(argument)) return argument;
    const { layout, parameter } = argument;
    if (parameter.writes && String(layout.shape) !== String(shape)) {
      throw outOfRange(
        `argument "${parameter.name}" must have the shape [${shape.join()}] of the kernel, received [${layout.shape.join()}]; only arrays that are declared const are broadcast`,
      );
    }
    return { ...argument, layout: broadcastLayout(layout, shape) };
  });
  return { all, shape };
}

interface Space {
  readonly size: number;
  readonly start: number;
  readonly step: number;
}

function indices({ slice, range }: IndexOptions, size: number): Space {
  if (range !== undefined) return rangeOf(range);
  if (slice === undefined) return { size, start: 0, step: 1 };
  const line: Layout = { shape: [size], strides: [1], offset: 0 };
  const part = sliceLayout(line, [slice]);
  if (part.shape.length !== 1) {
    throw outOfRange(`options.slice must be a range such as "1:10:2", received "${String(slice)}"`);
  }
  return { size: part.shape[0] as number, start: part.offset, step: part.strides[0] as number };
}

function rangeOf(range: NonNullable<IndexOptions["range"]>): Space {
  const list: readonly unknown[] = Array.isArray(range) ? range : [0, range];
  if (list.length < 2 || list.length > 3) {
    throw outOfRange(
      `options.range must be an end, [start, stop] or [start, stop, step], received ${list.length} numbers`,
    );
  }
  const [start, stop, step] = [list[0], list[1], list[2] ?? 1].map((one, k) =>
    checkInteger(one, `options.range[${k}]`, k === 0 ? 0 : Number.MIN_SAFE_INTEGER),
  ) as [number, number, number];
  if (step === 0) throw outOfRange("options.range[2] (step) must not be 0");
  return { size: Math.max(0, Math.ceil((stop - start) / step)), start, step };
}

function checkRange({ parameter, layout }: ArrayArgument, use: TextUse, { size, start, step }: Space): void {
  if (!use.atIndex.has(parameter.name) || size === 0) return;
  const last = start + (size - 1) * step;
  const elements = sizeOf(layout.shape);
  if (Math.max(start, last) < elements && last >= 0) return;
  throw outOfRange(
    `options.range must be within the ${elements} elements of "${parameter.name}" (shape [${layout.shape.join()}]), received indices from ${Math.min(start, last)} to ${Math.max(start, last)}`,
  );
}

/** Where each element is read and written at the index alone, what others write must not be read. */
function checkOverlaps(all: readonly ArrayArgument[], use: TextUse): void {
  const simple = all.filter(({ parameter: { name } }) => use.atIndex.has(name) && !use.elsewhere.has(name));
  for (const target of simple) {
    if (!target.parameter.writes) continue;
    for (const other of simple) {
      if (other === target || !shareOtherPlaces(other, target)) continue;
      throw wrongValue(
        `"${other.parameter.name}" and "${target.parameter.name}" must not overlap with different layouts; pass copy()`,
      );
    }
  }
}

function shareOtherPlaces(one: ArrayArgument, other: ArrayArgument): boolean {
  if (!one.storage.meets(other.storage)) return false;
  if (one.itemSize === other.itemSize && startTogether(one, other)) return false;
  return shareBytes(one, other, Math.max(one.itemSize, other.itemSize));
}

/** Returns the common axes of the arrays: in C order, or in the memory order of the first array that is written. */
function sharedAxes(shared: readonly ArrayArgument[], inOrder: boolean): Axes | undefined {
  const [first] = shared;
  if (first === undefined) return undefined;
  const target = shared.find(({ parameter }) => parameter.writes) ?? first;
  const order = inOrder ? contiguousLayout(first.layout.shape, 1) : target.layout;
  return collapse(
    [...shared.map(({ layout }) => layout), order],
    [...shared.map(({ itemSize }) => itemSize), inOrder ? 1 : target.itemSize],
  );
}

function ownAxes({ layout, itemSize }: ArrayArgument): Axes {
  return collapse([layout, contiguousLayout(layout.shape, 1)], [itemSize, 1]);
}

function planArray(
  argument: ArrayArgument,
  place: number,
  axes: Axes | undefined,
  use: TextUse,
  inOrder: boolean,
): ArrayPlan {
  const { parameter, layout } = argument;
  const own = ownAxes(argument);
  const offset = own.offsets[0] as number;
  const [strides] = own.strides as [readonly number[]];
  const isLine = own.extents.length === 0 || (own.extents.length === 1 && strides[0] === 1);
  const plain = { argument, offset, extents: [], strides: [] };
  if (place >= 0 && axes !== undefined) {
    const along = axes.strides[place] as readonly number[];
    const flat = along.length === 0 || (along.length === 1 && along[0] === 1);
    if (flat && !inOrder) return { ...plain, how: "direct" };
    if (isLine && inOrder) return { ...plain, how: "direct" };
    if (!use.elsewhere.has(parameter.name) && !use.asPointer.has(parameter.name)) {
      return { ...plain, how: "shared", strides: along };
    }
  } else if (isLine) {
    return { ...plain, how: "direct" };
  }
  if (use.asPointer.has(parameter.name)) {
    throw wrongValue(
      `"${parameter.name}" must be contiguous because the operation uses it as a pointer, not only as ${parameter.name}[…], received shape [${layout.shape.join()}] and strides [${layout.strides.join()}]; pass copy()`,
    );
  }
  return { ...plain, how: "own", extents: own.extents, strides };
}
