/** Conversion between indices of a flattened array and indices along each axis: `unravelIndex`, `ravelMultiIndex`. */
import {
  checkList,
  checkOptions,
  checkOrder,
  checkShape,
  contiguousStrides,
  outOfRange,
  sizeOf,
  typeError,
} from "@cl/base";
import type { Shape } from "@cl/core";
import { contiguousAs, firstOf } from "../elementwise/contiguous-as.js";
import { faultNotes, noteFault } from "../faults/device-faults.js";
import { indexFault, indexSentence } from "../faults/index-faults.js";
import { kernelOf } from "../kernels/kernel-cache.js";
import { launchOrdered, wholeGroups } from "../kernels/launch.js";
import { macros } from "../kernels/macros.js";
import { broadcastShapes } from "../shapes/broadcast-shapes.js";
import { checkArray, isArray, isHostList } from "../storage/check-array.js";
import { filled, withViews } from "../storage/filled.js";
import type { AnyArray, ArrayRef, ArraySource, OrderOptions } from "../storage/array-ref.js";
import { kindOf } from "../types/promote.js";
import { checkMode, type OutOfRangeMode } from "./along-axis.js";
import { type HostNumbers, hostNumbers } from "./host-indices.js";
import type { HostIndices, IntegerArray } from "./index-types.js";
import source from "./multi-index.cl";

/** Indices along an axis: an integer, or an array or list of integers. */
export type AxisIndices = number | bigint | HostIndices | IntegerArray;

/** Options of `ravelMultiIndex`. */
export interface RavelOptions extends OrderOptions {
  /**
   * How out-of-range indices are handled, along all axes or along each.
   * @defaultValue "raise"
   */
  readonly mode?: OutOfRangeMode | readonly OutOfRangeMode[];
}

/** Returns the indices along each axis, one row for each. */
export function unravelIndex(
  xp: ArraySource,
  indices: AxisIndices,
  shape: Shape,
  options?: OrderOptions,
): ArrayRef<"int64"> {
  const { extents, strides } = target(shape, checkOptions(options, ["order"]).order);
  const size = sizeOf(extents);
  const parsed = parse(xp, indices, "indices");
  checkRange(parsed, 0, size);
  using flat = upload(xp, parsed);
  return filled(xp.empty([extents.length, ...flat.shape], { dtype: "int64" }), (result) => {
    for (const [axis, extent] of extents.entries()) {
      launch(xp, "unravel_axis", flat, result, axis * flat.size, [
        BigInt(strides[axis] as number),
        BigInt(extent),
        BigInt(size),
      ]);
    }
  });
}

/** Returns the indices of the flattened array for indices along each axis, which are broadcast together. */
export function ravelMultiIndex(
  xp: ArraySource,
  indices: readonly AxisIndices[],
  shape: Shape,
  options?: RavelOptions,
): ArrayRef<"int64"> {
  const { order, mode } = checkOptions(options, ["order", "mode"]);
  const { extents, strides } = target(shape, order);
  const list = checkList(indices, "indices", "a list with the indices along each axis");
  if (list.length !== extents.length) {
    throw outOfRange(`indices must have one element for each of ${extents.length} axes, received ${list.length}`);
  }
  const modes = modesOf(mode, extents.length);
  const parsed = list.map((one, axis) => parse(xp, one, `indices[${axis}]`));
  for (const [axis, one] of parsed.entries()) {
    const extent = extents[axis] as number;
    if (modes[axis] === "raise" || extent === 0) checkRange(one, axis, extent);
  }
  const broadcast = broadcastShapes(parsed.map((one) => one.shape));
  return withViews(
    parsed.map((one) => upload(xp, one)),
    (arrays) =>
      filled(xp.empty(broadcast, { dtype: "int64" }), (result) => {
        for (const [axis, array] of arrays.entries()) {
          using repeated = array.broadcastTo(broadcast);
          using along = contiguousAs(repeated, "int64");
          const numbers = [BigInt(strides[axis] as number), BigInt(extents[axis] as number)];
          launch(xp, "ravel_axis", along, result, 0, [...numbers, modeNumbers[modes[axis] as OutOfRangeMode], axis]);
        }
      }),
  );
}

const modeNumbers = { raise: 0, wrap: 1, clip: 2 } as const;

/** The shape that indices are for, and how many elements apart neighbors are along each axis. */
function target(
  shape: Shape,
  order: unknown,
): { readonly extents: readonly number[]; readonly strides: readonly number[] } {
  const extents = checkShape(shape, "shape");
  if (extents.length === 0) throw outOfRange("shape must have at least one axis, received []");
  return {
    extents,
    strides: contiguousStrides(extents, 1, checkOrder(order, "options.order")),
  };
}

function modesOf(mode: RavelOptions["mode"], axes: number): readonly OutOfRangeMode[] {
  const list = Array.isArray(mode) ? (mode as readonly unknown[]) : Array.from({ length: axes }, () => mode);
  if (list.length === axes) return list.map(checkMode);
  throw outOfRange(`options.mode must have one element for each of ${axes} axes, received ${list.length}`);
}

function parse(xp: ArraySource, indices: unknown, name: string): AnyArray | HostNumbers {
  if (isArray(indices)) {
    const kind = kindOf(checkArray(indices, xp, name).dtype.name);
    if (kind === 1 || kind === 2) return indices;
    throw typeError(name, "an integer or an array of integers", indices);
  }
  const numbers = hostNumbers(isHostList(indices) ? indices : [indices], name);
  if (numbers.boolean) throw typeError(name, "an integer or an array of integers", indices);
  return isHostList(indices) ? numbers : { ...numbers, shape: [] };
}

/** Throws for host indices that are out of range, and for any index of an empty axis. */
function checkRange(indices: AnyArray | HostNumbers, axis: number, extent: number): void {
  if (isArray(indices)) {
    if (extent === 0 && indices.size > 0) throw outOfRange(`axis ${axis} must not be empty to be indexed`);
    return;
  }
  for (const index of indices.values) {
    if (index < 0 || index >= extent) throw outOfRange(indexSentence(index, axis, extent));
  }
}

/** Returns contiguous int64 indices, which the caller releases. */
function upload(xp: ArraySource, indices: AnyArray | HostNumbers): ArrayRef<"int64"> {
  if (isArray(indices)) return contiguousAs(indices, "int64");
  return xp.fromHost(BigInt64Array.from(indices.values, BigInt), { dtype: "int64", shape: indices.shape });
}

function launch(
  xp: ArraySource,
  name: "unravel_axis" | "ravel_axis",
  indices: AnyArray,
  result: AnyArray,
  start: number,
  numbers: readonly (number | bigint)[],
): void {
  if (indices.size === 0) return;
  const { queue } = xp;
  const kernel = kernelOf(queue.context, "multi_index", name, () =>
    [macros({ INDEX_FAULT: indexFault }), noteFault, source].join(""),
  );
  const notes = faultNotes(xp);
  const [from, to] = [indices.operand().storage, result.operand().storage];
  launchOrdered(
    queue,
    kernel,
    wholeGroups(queue.device, indices.size),
    [from.memory, firstOf(indices), BigInt(indices.size), to.memory, BigInt(start), ...numbers, notes.memory],
    [from, notes],
    [to],
  );
}
