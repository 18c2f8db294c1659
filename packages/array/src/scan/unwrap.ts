/** Removal of jumps between adjacent elements, such as of angles beyond a full turn. */
import { outOfRange, rangeError, wrongType } from "@cl/base";
import { operators, where } from "../elementwise/operators.js";
import { assign } from "../elementwise/assign.js";
import { checkAxis } from "../shapes/check-axes.js";
import { filled } from "../storage/filled.js";
import type { AnyArray, ArrayRef } from "../storage/array-ref.js";
import { kindOf, promoteScalar } from "../types/promote.js";
import { cumsum } from "./cumulate.js";

/** Options of `unwrap`. */
export interface UnwrapOptions {
  /**
   * Largest difference that stays. Values below half a period count as that.
   * @defaultValue half a period
   */
  readonly discont?: number | undefined;
  /**
   * The axis.
   * @defaultValue the last
   */
  readonly axis?: number | undefined;
  /**
   * Distance after which values repeat.
   * @defaultValue 2π
   */
  readonly period?: number | undefined;
}

/** Returns the array with multiples of the period added, so that adjacent elements differ by at most half a period. */
export function unwrap(array: ArrayRef, { discont, axis = -1, period = 2 * Math.PI }: UnwrapOptions): ArrayRef {
  const { ndim } = array;
  if (ndim === 0) throw outOfRange("array must have at least one axis");
  const along = checkAxis(axis, ndim, "options.axis");
  if (!Number.isFinite(period) || period <= 0) throw rangeError("options.period", "a positive finite number", period);
  const limit = discont ?? period / 2;
  if (typeof limit !== "number" || Number.isNaN(limit)) throw rangeError("options.discont", "a number", discont);
  const kind = kindOf(array.dtype.name);
  if (kind < 2 || kind === 4) {
    throw wrongType(`unwrap supports only signed integers and floating-point numbers, received ${array.dtype.name}`);
  }
  const dtype = promoteScalar(array.dtype.name, period, "options.period");
  const start = Array.from({ length: along }, () => ":");
  return filled(array.astype(dtype), (result) => {
    if ((array.shape[along] as number) < 2) return;
    using later = array.slice(...start, "1:");
    using earlier = array.slice(...start, ":-1");
    using differences = operators.subtract(later, earlier);
    using corrections = correctionsOf(differences, period, limit);
    using sums = cumsum(corrections, { axis: along, dtype });
    using target = result.slice(...start, "1:");
    using sum = operators.add(later, sums);
    assign(target, sum);
  });
}

/** Returns what to add to each difference, so that it is between minus half a period and half a period. */
function correctionsOf(differences: AnyArray, period: number, limit: number): AnyArray {
  const isWhole = kindOf(differences.dtype.name) < 3 && Number.isInteger(period);
  const high = isWhole ? Math.floor(period / 2) : period / 2;
  using shifted = operators.add(differences, high);
  using wrapped = operators.remainder(shifted, period);
  using reduced = operators.subtract(wrapped, high);
  using isLowest = operators.equal(reduced, -high);
  using rises = operators.greater(differences, 0);
  using isAmbiguous = operators.logicalAnd(isLowest, rises);
  // A rise by half a period stays a rise. Of an odd whole period there is no half.
  using chosen = isWhole && period % 2 === 1 ? reduced.slice() : where(isAmbiguous, high, reduced);
  using corrections = operators.subtract(chosen, differences);
  using sizes = operators.absolute(differences);
  using stays = operators.less(sizes, limit);
  return where(stays, 0, corrections);
}
