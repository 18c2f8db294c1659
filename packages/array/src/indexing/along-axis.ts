/** Indexing by one array of indices along one axis, or along the flattened array: `take` and `put`. */
import { broadcastLayout, type Layout, maxAxes, outOfRange, rangeError, sizeOf, typeError, wrongType } from "@cl/base";
import { broadcastShapes } from "../shapes/broadcast-shapes.js";
import { checkArray, isArray, isHostList } from "../storage/check-array.js";
import { kindOf } from "../types/promote.js";
import { hostNumbers, packed } from "./host-indices.js";
import type { IndexMode } from "./indexed-source.js";
import { fromStart, type Selection } from "./parse-indices.js";
import { type IndexedAxis, spread } from "./run-indexed.js";
import type { AnyArray } from "../storage/array-ref.js";

/** How out-of-range indices are handled: throw, wrap around, or clip to the range. */
export type OutOfRangeMode = "raise" | "wrap" | "clip";

/** A mode, or nothing. */
export function checkMode(value: unknown): OutOfRangeMode {
  if (value === undefined) return "raise";
  if (value === "raise" || value === "wrap" || value === "clip") return value;
  throw rangeError("options.mode", '"raise", "wrap" or "clip"', value);
}

/** Indices as an array, and how a kernel treats indices that are out of range. */
export interface IndexArray extends Disposable {
  readonly array: AnyArray;
  readonly mode: IndexMode;
}

/** Returns indices for an axis as an array. Host indices are checked, wrapped or clipped here. */
export function indexArray(
  owner: AnyArray,
  indices: unknown,
  extent: number,
  axis: number,
  mode: OutOfRangeMode,
): IndexArray {
  if (isArray(indices)) {
    const array = checkArray(indices, owner.xp, "indices");
    const kind = kindOf(array.dtype.name);
    if (kind !== 1 && kind !== 2) throw wrongType(`indices must be integers, received ${array.dtype.name}`);
    if (extent === 0 && array.size > 0) throw nothingThere(axis);
    return { array, mode, [Symbol.dispose]: () => undefined };
  }
  const numbers =
    typeof indices === "number" && Number.isInteger(indices)
      ? { shape: [], values: [indices], boolean: false }
      : isHostList(indices)
        ? hostNumbers(indices, "indices")
        : undefined;
  if (numbers === undefined || numbers.boolean) {
    throw typeError("indices", "an integer or an array of integers", indices);
  }
  if (extent === 0 && numbers.values.length > 0) throw nothingThere(axis);
  const values = {
    raise: () => fromStart(numbers.values, axis, extent),
    wrap: () => numbers.values.map((value) => ((value % extent) + extent) % extent),
    clip: () => numbers.values.map((value) => Math.min(Math.max(value, 0), extent - 1)),
  }[mode]();
  const array = owner.xp.fromHost(packed(values, extent), { shape: numbers.shape });
  return { array, mode: "trusted", [Symbol.dispose]: () => array.release() };
}

function nothingThere(axis: number): RangeError {
  return outOfRange(`axis ${axis} must not be empty to be indexed`);
}

/** Indices along an axis: their axes stand in place of it. Without an axis they count all elements in C order. */
export function selectAlong(
  array: AnyArray,
  { array: indices, mode }: IndexArray,
  axis: number | undefined,
): Selection {
  const { layout } = array.operand();
  const operand = indices.operand();
  const axes = layout.shape.map((extent, i): IndexedAxis => ({ extent, stride: layout.strides[i] as number }));
  const [first, last] = axis === undefined ? [0, axes.length] : [axis, axis + 1];
  const before = layout.shape.slice(0, first);
  const after = layout.shape.slice(last);
  const shape = [...before, ...indices.shape, ...after];
  if (shape.length > maxAxes) {
    throw outOfRange(`the result of indexing can have at most ${maxAxes} axes, received indices for ${shape.length}`);
  }
  const strides = [...layout.strides.slice(0, first), ...indices.shape.map(() => 0), ...layout.strides.slice(last)];
  const over = axis === undefined ? joined(axes) : axes.slice(first, last);
  return {
    shape,
    layout: { shape, strides, offset: layout.offset },
    terms: [
      { operand: { ...operand, layout: spread(operand.layout, before, after) }, mode, axes: over, axis: axis ?? 0 },
    ],
    temporary: [],
  };
}

/** Indices of as many axes as the array has, each along one axis at its own place; other axes are broadcast. */
export function selectPaired(array: AnyArray, { array: indices, mode }: IndexArray, axis: number): Selection {
  const { layout } = array.operand();
  if (indices.ndim !== array.ndim) {
    throw outOfRange(
      `indices must have as many axes as the array of shape [${array.shape.join()}], received shape [${indices.shape.join()}]`,
    );
  }
  const one: Layout = { ...layout, shape: layout.shape.with(axis, 1), strides: layout.strides.with(axis, 0) };
  const shape = broadcastShapes([one.shape, indices.shape]);
  const operand = indices.operand();
  const along = { extent: layout.shape[axis] as number, stride: layout.strides[axis] as number };
  return {
    shape,
    layout: broadcastLayout(one, shape),
    terms: [{ operand: { ...operand, layout: broadcastLayout(operand.layout, shape) }, mode, axes: [along], axis }],
    temporary: [],
  };
}

/** Merges evenly spaced axes, so that kernels need not split an index. */
function joined(axes: readonly IndexedAxis[]): readonly IndexedAxis[] {
  const result: IndexedAxis[] = [];
  for (const axis of axes) {
    if (axis.extent === 1) continue;
    const last = result.at(-1);
    if (last !== undefined && last.stride === axis.extent * axis.stride) {
      result[result.length - 1] = { extent: last.extent * axis.extent, stride: axis.stride };
    } else {
      result.push(axis);
    }
  }
  return result.length === 0 ? [{ extent: sizeOf(axes.map(({ extent }) => extent)), stride: 0 }] : result;
}
