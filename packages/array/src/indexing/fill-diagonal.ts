/** Storing values on the diagonal of an array. */
import { checkBoolean, checkOptions, outOfRange } from "@cl/base";
import { range } from "../creation/range.js";
import { checkArray } from "../storage/check-array.js";
import type { AnyArray, ArraySource } from "../storage/array-ref.js";
import { typeNamed } from "../types/dtype-name.js";
import { put } from "./put.js";
import { withValues } from "./scatter.js";

/** Options of `fillDiagonal`. */
export interface FillDiagonalOptions {
  /**
   * Whether the diagonal of a tall matrix starts again one row below its end.
   * @defaultValue false
   */
  readonly wrap?: boolean;
}

/** Stores values, repeated if there are too few, where the indices along all axes are equal. */
export function fillDiagonal(
  xp: ArraySource,
  array: AnyArray,
  values: unknown,
  options: FillDiagonalOptions | undefined,
): void {
  checkArray(array, xp, "array");
  const wrap = checkBoolean(checkOptions(options, ["wrap"]).wrap, "options.wrap", false);
  const { count, step } = placesOf(array.shape, wrap);
  withValues(array, values, false, (given) => {
    using places = range(xp, 0, count, step, typeNamed("int64"));
    put(array, { array: places, mode: "trusted", [Symbol.dispose]: () => undefined }, given);
  });
}

/** The number of elements of the diagonal, and the distance of their indices in the flattened array. */
function placesOf(shape: readonly number[], wrap: boolean): { readonly count: number; readonly step: number } {
  const [rows, columns] = shape;
  if (rows === undefined || columns === undefined) {
    throw outOfRange(`fillDiagonal needs an array of at least 2 axes, received shape [${shape.join()}]`);
  }
  if (shape.length === 2) {
    const count = wrap ? Math.ceil((rows * columns) / (columns + 1)) : Math.min(rows, columns);
    return { count, step: columns + 1 };
  }
  if (shape.some((extent) => extent !== rows)) {
    throw outOfRange(`fillDiagonal needs equal extents of more than 2 axes, received shape [${shape.join()}]`);
  }
  let step = 0;
  for (let axis = 0; axis < shape.length; axis++) step += rows ** axis;
  return { count: rows, step };
}
