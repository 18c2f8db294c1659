/**
 * Indices by NumPy's rules: integers and slices make a view; the remaining ones are arrays of indices, which are
 * broadcast together. Their axes replace the indexed ones if those are adjacent, and come first otherwise.
 */
import { broadcastLayout, type Layout, maxAxes, outOfRange, sizeOf, sliceLayout, typeError, wrongType } from "@cl/base";

import type { SliceIndex } from "@cl/core";
import { broadcastShapes } from "../shapes/broadcast-shapes.js";
import { checkArray, isArray, isHostList } from "../storage/check-array.js";
import { kindOf } from "../types/promote.js";
import { hostNumbers, maskSentence, packed, truePlaces } from "./host-indices.js";
import { indexSentence } from "../faults/index-faults.js";
import type { IndexMode } from "./indexed-source.js";
import { type IndexTerm, spread } from "./run-indexed.js";
import type { AnyArray } from "../storage/array-ref.js";

/** Positions where a mask is true, counted over its axes; with -1 where there are fewer than were asked for. */
export interface Positions {
  readonly array: AnyArray;
  readonly mask: readonly number[];
  readonly mode: "trusted" | "missing";
}

/** What indices name. */
export interface Selection {
  readonly shape: readonly number[];
  /** The array's, with the axes of the shape; without terms it is the view. */
  readonly layout: Layout;
  readonly terms: readonly IndexTerm[];
  /** What was made for it. */
  readonly temporary: readonly AnyArray[];
}

/** An array of indices and the axes that it indexes. */
interface ArrayTerm {
  readonly array: AnyArray;
  readonly mode: IndexMode;
  /** How many axes it stands for. */
  readonly axes: number;
  /** The shape of the mask that it was. */
  readonly mask?: readonly number[];
}

/** Reads indices of an array. Masks of the device came before, as positions. */
export function parseIndices(
  array: AnyArray,
  indices: readonly unknown[],
  positions: ReadonlyMap<AnyArray, Positions>,
): Selection {
  const temporary: AnyArray[] = [];
  try {
    return parse(array, indices, positions, temporary);
  } catch (error) {
    for (const one of temporary) one.release();
    throw error;
  }
}

function parse(
  array: AnyArray,
  indices: readonly unknown[],
  positions: ReadonlyMap<AnyArray, Positions>,
  temporary: AnyArray[],
): Selection {
  const { layout } = array.operand();
  const parts = indices.map((index, i) => {
    const name = `indices[${i}]`;
    if (isArray(index)) return deviceTerm(array, index, name, positions);
    if (isHostList(index)) return hostNumbers(index, name);
    if (typeof index === "boolean") return { shape: [], values: [Number(index)], boolean: true };
    if (index === null || typeof index === "number" || typeof index === "string") return index;
    throw typeError(
      name,
      'an integer, a slice such as "1:10:2", "...", null, or an array of integers or booleans',
      index,
    );
  });
  const isList = (part: (typeof parts)[number]): part is Exclude<typeof part, number | string | null> =>
    typeof part === "object" && part !== null;
  const axesOf = (part: (typeof parts)[number]): number => {
    if (!isList(part)) return part === null || part === "..." ? 0 : 1;
    if ("array" in part) return part.axes;
    return part.boolean ? part.shape.length : 1;
  };
  const used = parts.reduce<number>((sum, part) => sum + axesOf(part), 0);
  if (used > layout.shape.length) {
    throw outOfRange(
      `indices must be for at most ${layout.shape.length} axes, the number of the shape [${layout.shape.join()}], received ${used}`,
    );
  }
  // Axes that arrays stand for are taken whole for now; the rest is a slice, with its checks.
  const plain = parts.flatMap((part): SliceIndex[] => (isList(part) ? Array<":">(axesOf(part)).fill(":") : [part]));
  const sliced = sliceLayout(layout, plain);
  if (!parts.some((part) => isList(part))) return { shape: sliced.shape, layout: sliced, terms: [], temporary };

  const kept: number[] = [];
  const lists: { term: ArrayTerm; axis: number; at: number }[] = [];
  // Integers combined with arrays are treated as arrays of one element.
  const advanced: { readonly position: number; readonly before: number }[] = [];
  let [axis, at] = [0, 0];
  for (const [position, part] of parts.entries()) {
    if (part === null) {
      kept.push(at++);
    } else if (part === "...") {
      for (let i = used; i < layout.shape.length; i++, axis++) kept.push(at++);
    } else if (typeof part === "string") {
      kept.push(at++);
      axis++;
    } else {
      advanced.push({ position, before: kept.length });
      if (typeof part === "number") {
        axis++;
        continue;
      }
      const term = "array" in part ? part : hostTerm(array, part, axis, temporary);
      if (term.mask !== undefined) checkMaskShape(term.mask, array.shape, axis);
      lists.push({ term, axis, at });
      axis += term.axes;
      at += term.axes;
    }
  }
  for (; at < sliced.shape.length; at++) kept.push(at);

  const shapes = lists.map(({ term }) => term.array.shape);
  const together = broadcastShapes(shapes);
  const adjacent = advanced.every(({ position }, i) => i === 0 || position === (advanced[i - 1]?.position ?? 0) + 1);
  const front = adjacent ? (advanced[0]?.before ?? 0) : 0;
  const extentsOf = (axes: readonly number[]): readonly number[] => axes.map((one) => sliced.shape[one] as number);
  const [before, after] = [kept.slice(0, front), kept.slice(front)];
  const shape = [...extentsOf(before), ...together, ...extentsOf(after)];
  if (shape.length > maxAxes) {
    throw outOfRange(`the result of indexing can have at most ${maxAxes} axes, received indices for ${shape.length}`);
  }
  const stridesOf = (axes: readonly number[]): readonly number[] => axes.map((one) => sliced.strides[one] as number);
  const count = sizeOf(together);
  const terms = lists.map(({ term, axis: first, at: from }): IndexTerm => {
    const axes = Array.from({ length: term.axes }, (_, i) => ({
      extent: sliced.shape[from + i] as number,
      stride: sliced.strides[from + i] as number,
    }));
    if (term.mode === "raise" && count > 0 && axes[0]?.extent === 0) {
      throw outOfRange(`axis ${first} must not be empty to be indexed`);
    }
    const operand = term.array.operand();
    const spreadOut = spread(broadcastLayout(operand.layout, together), extentsOf(before), extentsOf(after));
    return { operand: { ...operand, layout: spreadOut }, mode: term.mode, axes, axis: first };
  });
  return {
    shape,
    layout: {
      shape,
      strides: [...stridesOf(before), ...together.map(() => 0), ...stridesOf(after)],
      offset: sliced.offset,
    },
    terms: terms.filter((term) => term.axes.length > 0),
    temporary,
  };
}

function deviceTerm(
  array: AnyArray,
  index: AnyArray,
  name: string,
  positions: ReadonlyMap<AnyArray, Positions>,
): ArrayTerm {
  checkArray(index, array.xp, name);
  const known = positions.get(index);
  if (known !== undefined) return { array: known.array, mode: known.mode, axes: known.mask.length, mask: known.mask };
  const kind = kindOf(index.dtype.name);
  if (kind !== 1 && kind !== 2) {
    throw wrongType(`${name} must be an array of integers or booleans, received ${index.dtype.name}`);
  }
  return { array: index, mode: "raise", axes: 1 };
}

/** Checked here, so that kernels need not; negative ones are counted from the start. */
function hostTerm(
  array: AnyArray,
  numbers: ReturnType<typeof hostNumbers>,
  axis: number,
  temporary: AnyArray[],
): ArrayTerm {
  const { shape, values, boolean } = numbers;
  const upload = (list: readonly number[], extents: readonly number[], limit: number): AnyArray => {
    const made = array.xp.fromHost(packed(list, limit), { shape: extents });
    temporary.push(made);
    return made;
  };
  if (boolean) {
    const places = truePlaces(numbers);
    checkMaskShape(shape, array.shape, axis);
    return { array: upload(places, [places.length], values.length), mode: "trusted", axes: shape.length };
  }
  return {
    array: upload(fromStart(values, axis, array.shape[axis] as number), shape, array.shape[axis] as number),
    mode: "trusted",
    axes: 1,
  };
}

/** Indices from the start of an axis; throws for those that name none of its elements. */
export function fromStart(values: readonly number[], axis: number, extent: number): readonly number[] {
  return values.map((value) => {
    if (value < -extent || value >= extent) throw outOfRange(indexSentence(value, axis, extent));
    return value < 0 ? value + extent : value;
  });
}

/** A mask has the extents of the axes that it stands for. */
export function checkMaskShape(mask: readonly number[], shape: readonly number[], axis: number): void {
  if (mask.every((extent, i) => extent === shape[axis + i])) return;
  throw outOfRange(maskSentence(mask, shape, axis));
}
