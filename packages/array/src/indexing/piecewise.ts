/** Functions that are defined piece by piece. */
import { checkList, outOfRange, typeError } from "@cl/base";
import { assign } from "../elementwise/assign.js";
import { broadcastShapes } from "../shapes/broadcast-shapes.js";
import { checkArray, isArray } from "../storage/check-array.js";
import { filled } from "../storage/filled.js";
import type { AnyArray, ArrayRef, ArraySource } from "../storage/array-ref.js";
import type { OperandLike } from "../storage/operand-like.js";
import { checkHostValue } from "../types/promote.js";
import { select } from "./choose.js";

/** A value where a condition is true: an array or a scalar, or a function that computes it from the whole array. */
export type Piece<A extends AnyArray> = OperandLike | ((array: A) => OperandLike);

/** Returns the piece of the last condition that is true; without one, the piece behind those of the conditions, or 0. */
export function piecewise<A extends AnyArray>(
  xp: ArraySource,
  array: A,
  conditions: readonly AnyArray[],
  pieces: readonly Piece<A>[],
): ArrayRef {
  checkArray(array, xp, "array");
  const tests = checkList(conditions, "conditions", "a list of boolean arrays");
  for (const [i, condition] of tests.entries()) checkCondition(xp, condition, array.shape, `conditions[${i}]`);
  const { length } = checkList(pieces, "pieces", "a list of functions, arrays and scalars");
  if (tests.length === 0 || (length !== tests.length && length !== tests.length + 1)) {
    throw outOfRange(
      `pieces must have an element for each of at least one condition, and may have one more, received ${length} for ${tests.length} conditions`,
    );
  }
  const values = pieces.map((piece, i): OperandLike => {
    const value = typeof piece === "function" ? piece(array) : piece;
    return isArray(value) ? checkArray(value, xp, `pieces[${i}]`) : checkHostValue(value, `pieces[${i}]`);
  });
  const otherwise = values[tests.length] ?? 0;
  // The last condition that is true counts, as in NumPy, where it overwrites the others.
  using chosen = select(conditions.toReversed(), values.slice(0, tests.length).toReversed(), otherwise, {});
  return filled(xp.empty(array.shape, { dtype: array.dtype }), (result) => assign(result, chosen));
}

function checkCondition(xp: ArraySource, condition: unknown, shape: readonly number[], name: string): void {
  const given = checkArray(condition, xp, name);
  if (given.dtype.name !== "bool") throw typeError(name, "an array of booleans", given);
  if (String(broadcastShapes([shape, given.shape])) === String(shape)) return;
  throw outOfRange(
    `${name} must broadcast to the shape [${shape.join()}] of the array, received [${given.shape.join()}]`,
  );
}
