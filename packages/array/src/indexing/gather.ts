/** Gathering of indexed elements into a new array. */
import type { DTypeName } from "../types/dtype-name.js";
import type { Selection } from "./parse-indices.js";
import { runIndexed } from "./run-indexed.js";
import type { AnyArray, ArrayRef } from "../storage/array-ref.js";

/** The elements in new memory. Those that are missing are `fill`, an array of one element. */
export function gather<D extends DTypeName>(array: ArrayRef<D>, selection: Selection, fill?: AnyArray): ArrayRef<D> {
  const { xp } = array;
  const { shape, layout, terms } = selection;
  if (terms.length === 0 && String(layout.shape) === String(shape)) {
    using view = array.view(array.dtype, layout);
    return view.copy();
  }
  const result = xp.empty(shape, { dtype: array.dtype });
  try {
    if (array.size === 0) {
      // There is nothing to take, so that all is missing.
      if (fill !== undefined) result.assign(fill);
      return result;
    }
    runIndexed(xp, {
      action: "gather",
      data: { ...array.operand(), layout },
      other: result.operand(),
      terms,
      ...(fill === undefined ? {} : { fill: { ...fill.operand(), layout: repeated(fill, shape) } }),
    });
  } catch (error) {
    result.release();
    throw error;
  }
  return result;
}

/** Stores a result in an existing array, if given, and returns that. */
export function into<D extends DTypeName>(result: ArrayRef<D>, out: AnyArray | undefined): ArrayRef<D> {
  if (out === undefined) return result;
  try {
    out.assign(result);
  } finally {
    result.release();
  }
  return out as ArrayRef<D>;
}

function repeated(one: AnyArray, shape: readonly number[]): Selection["layout"] {
  return { shape, strides: shape.map(() => 0), offset: one.operand().layout.offset };
}
