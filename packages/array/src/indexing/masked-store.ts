/** Stores where a mask is true. The host need not know the number of elements. */
import { broadcastLayout, type Layout, outOfRange, sliceLayout } from "@cl/base";
import { NotSupportedError, type SliceIndex } from "@cl/core";
import { checkArray, isArray, isHostList } from "../storage/check-array.js";
import { CountedMask } from "./counted-mask.js";
import { isMask, positionsOf } from "./masks.js";
import { checkMaskShape, parseIndices, type Positions } from "./parse-indices.js";
import { type IndexedAccess, runIndexed, spread } from "./run-indexed.js";
import { scatter, withoutOnes } from "./scatter.js";
import type { AnyArray } from "../storage/array-ref.js";

/**
 * Stores values, or combines with them, where one mask among slices and integers is true. Values that are the same for each
 * true place need no more than the mask; others are given out in order, and must be as many as places.
 */
export function storeMasked(
  array: AnyArray,
  indices: readonly unknown[],
  values: AnyArray,
  action: IndexedAccess["action"],
): void {
  const [mask, ...others] = indices.filter((index) => isMask(index));
  if (
    mask === undefined ||
    others.length > 0 ||
    indices.some((one) => isHostList(one) || (isArray(one) && one !== mask))
  ) {
    throw new NotSupportedError(
      "@cl/array",
      "stores through a device mask support integers and slices as other indices, but not arrays; use the indices of its nonzero()",
    );
  }
  checkArray(mask, array.xp, `indices[${indices.indexOf(mask)}]`);
  const named = maskedView(array, indices, mask);
  const { kept, front, masked } = named;
  const given = values.operand();
  const layout = withoutOnes(given.layout, kept.length + 1);
  const countAxis = front + layout.shape.length - (kept.length + 1);
  const count = layout.shape[countAxis] ?? 1;
  if (count !== 1) {
    storeInOrder(array, indices, mask, values, count, action);
    return;
  }
  // The values' axes are those of the view but the mask's, and the axis that counts, which has one element.
  const { view } = named;
  const wanted = [...kept.slice(0, front), 1, ...kept.slice(front)].map((axis, i) =>
    i === front ? 1 : (view.shape[axis] as number),
  );
  const spreadOut = broadcastLayout(layout, wanted, "the shape of the indexed elements");
  const strides = view.shape.map(() => 0);
  for (const [i, axis] of kept.entries()) strides[axis] = spreadOut.strides[i < front ? i : i + 1] as number;
  const flags = mask.operand();
  if (array.size === 0 || view.shape.includes(0)) return;
  runIndexed(array.xp, {
    action,
    data: { ...array.operand(), layout: view },
    other: { ...given, layout: { shape: view.shape, strides, offset: spreadOut.offset } },
    terms: [],
    mask: { ...flags, layout: spread(flags.layout, view.shape.slice(0, masked), view.shape.slice(masked + mask.ndim)) },
  });
}

/** One value for each place, in C order. */
function storeInOrder(
  array: AnyArray,
  indices: readonly unknown[],
  mask: AnyArray,
  values: AnyArray,
  count: number,
  action: IndexedAccess["action"],
): void {
  using counted = new CountedMask(mask, { others: [array.operand(), values.operand()] });
  if (action === "scatter" && indices.length === 1 && mask.ndim === array.ndim && values.ndim === 1) {
    using packed = values.isContiguous ? undefined : values.copy();
    counted.write({ kind: "store", source: (packed ?? values).operand(), target: array.operand(), exact: true }, count);
    return;
  }
  const positions = positionsOf(counted, count, true, true);
  try {
    const selection = parseIndices(array, indices, new Map<AnyArray, Positions>([[mask, positions]]));
    scatter(array, selection, values, action);
  } finally {
    positions.array.release();
  }
}

interface MaskedView {
  /** The slice that the other indices name, with the mask's axes whole. */
  readonly view: Layout;
  /** Its axes but the mask's. */
  readonly kept: readonly number[];
  /** How many of these come before the axis that counts true places. */
  readonly front: number;
  /** The first axis of the mask in the view. */
  readonly masked: number;
}

function maskedView(array: AnyArray, indices: readonly unknown[], mask: AnyArray): MaskedView {
  const { layout } = array.operand();
  const at = indices.indexOf(mask);
  const whole = Array<":">(mask.ndim).fill(":");
  const slices = (from: number, to?: number): readonly SliceIndex[] => indices.slice(from, to) as SliceIndex[];
  const view = sliceLayout(layout, [...slices(0, at), ...whole, ...slices(at + 1)]);
  const taking = indices.filter((index) => index !== null && index !== "..." && index !== mask).length + mask.ndim;
  const rest = array.ndim - taking;
  const axesIn = (list: readonly unknown[], integers: boolean): number =>
    list.reduce<number>((sum, index) => {
      if (index === "...") return sum + rest;
      if (typeof index === "number") return integers ? sum + 1 : sum;
      return index === null && integers ? sum : sum + 1;
    }, 0);
  checkMaskShape(mask.shape, array.shape, axesIn(indices.slice(0, at), true));
  const masked = axesIn(indices.slice(0, at), false);
  const kept = [...view.shape.keys()].filter((axis) => axis < masked || axis >= masked + mask.ndim);
  // Integers count as arrays here: apart from the mask, they bring its axis to the front.
  const advanced = [...indices.keys()].filter((i) => indices[i] === mask || typeof indices[i] === "number");
  const adjacent = advanced.every((i, k) => k === 0 || i === (advanced[k - 1] as number) + 1);
  return { view, kept, front: adjacent ? masked : 0, masked };
}

/** Values where a mask of the array's shape is true, from the first again when they run out. */
export function place(array: AnyArray, mask: AnyArray, values: AnyArray): void {
  if (String(mask.shape) !== String(array.shape)) {
    throw outOfRange(`mask must have the shape [${array.shape.join()}] of the array, received [${mask.shape.join()}]`);
  }
  if (array.size === 0) return;
  if (values.size === 0) throw outOfRange("values must have at least one element");
  using counted = new CountedMask(mask, { others: [array.operand(), values.operand()] });
  using flat = values.ravel();
  using packed = flat.isContiguous ? undefined : flat.copy();
  counted.write(
    { kind: "store", source: (packed ?? flat).operand(), target: array.operand(), exact: false },
    array.size,
  );
}
