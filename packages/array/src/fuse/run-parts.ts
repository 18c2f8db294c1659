/** Runs the parts of a fused function one after another, as if all read their inputs before any result is stored. */
import { checkApart } from "../elementwise/elementwise-several.js";
import { isArray } from "../storage/check-array.js";
import type { AnyArray } from "../storage/array-ref.js";
import type { OperandLike } from "../storage/operand-like.js";

/** Some of a function's results, which are computed together. */
export interface FusedPart {
  /** Returns the arrays that the part reads in a call with these arguments. */
  inputs(args: readonly OperandLike[]): AnyArray[];
  /** Computes the results from those arrays, into the given arrays of `outs` or new ones. */
  run(inputs: readonly AnyArray[], outs: readonly (AnyArray | undefined)[] | undefined): AnyArray[];
}

/** A part, and the positions of its results among all results. */
export interface PlacedPart {
  readonly part: FusedPart;
  readonly positions: readonly number[];
}

/** Returns the results of all parts, by position. `outs` are in the same order. */
export function runParts(
  parts: readonly PlacedPart[],
  args: readonly OperandLike[],
  outs: readonly (AnyArray | undefined)[] | undefined,
): AnyArray[] {
  const targets = outs?.filter((one) => isArray(one)) ?? [];
  checkApart(targets.map((one) => one.operand()));
  const inputs = parts.map(({ part }) => part.inputs(args));
  const copies = new Map<AnyArray, AnyArray>();
  const results: AnyArray[] = [];
  try {
    // The first part needs no copies: nothing is stored before it runs.
    for (const own of inputs.slice(1)) {
      for (const [k, one] of own.entries()) if (isOverwritten(one, targets)) own[k] = copyOf(one, copies);
    }
    for (const [n, { part, positions }] of parts.entries()) {
      const own = part.run(inputs[n] as AnyArray[], outs && positions.map((k) => outs[k]));
      for (const [m, k] of positions.entries()) results[k] = own[m] as AnyArray;
    }
  } catch (error) {
    for (const [k, one] of results.entries()) if (one !== outs?.[k]) one?.release();
    throw error;
  } finally {
    for (const one of copies.values()) one.release();
  }
  return results;
}

function isOverwritten(array: AnyArray, targets: readonly AnyArray[]): boolean {
  if (targets.length === 0 || !isArray(array)) return false;
  const { storage } = array.operand();
  return targets.some((target) => storage.meets(target.operand().storage));
}

function copyOf(array: AnyArray, copies: Map<AnyArray, AnyArray>): AnyArray {
  let copy = copies.get(array);
  if (copy === undefined) copies.set(array, (copy = array.copy()));
  return copy;
}
