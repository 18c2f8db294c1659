/** Functions of one-dimensional arrays, applied to all lines of an array along an axis. */
import { checkFunction, outOfRange, sizeOf } from "@cl/base";
import { arrayScopes } from "../array/array-scope.js";
import { assign } from "../elementwise/assign.js";
import { checkAxis } from "../shapes/check-axes.js";
import { checkArray } from "../storage/check-array.js";
import type { AnyArray, ArraySource } from "../storage/array-ref.js";

/** Returns the results of the function for each line; their axes replace the axis. */
export function applyAlongAxis<A extends AnyArray>(
  xp: ArraySource,
  fn: (line: A) => AnyArray,
  axis: number,
  array: A,
): AnyArray {
  checkFunction(fn, "fn");
  const along = checkAxis(axis, checkArray(array, xp, "array").ndim, "axis");
  using lines = array.moveaxis(along, -1);
  const outer = lines.shape.slice(0, -1);
  if (sizeOf(outer) === 0) {
    throw outOfRange(`applyAlongAxis needs at least one line, received shape [${array.shape.join()}]`);
  }
  using results = resultsOf(xp, (line) => fn(line as A), lines, outer);
  const added = results.ndim - outer.length;
  return results.moveaxis(axesFrom(outer.length, added), axesFrom(along, added));
}

/** What the function creates for a line is released, because there may be many lines. */
function resultsOf(
  xp: ArraySource,
  fn: (line: AnyArray) => AnyArray,
  lines: AnyArray,
  outer: readonly number[],
): AnyArray {
  let results: AnyArray | undefined;
  try {
    for (const index of indicesOf(outer)) {
      results = arrayScopes.run(xp.allocator, () => {
        const value = checkArray(fn(lines.slice(...index)), xp, "the result of fn");
        const all = results ?? xp.empty([...outer, ...value.shape], { dtype: value.dtype });
        const place = all.slice(...index);
        checkShape(value.shape, place.shape);
        assign(place, value);
        return all;
      });
    }
    return results as AnyArray;
  } catch (error) {
    results?.release();
    throw error;
  }
}

function checkShape(shape: readonly number[], first: readonly number[]): void {
  if (String(shape) === String(first)) return;
  throw outOfRange(`the result of fn must have the shape [${first.join()}] for each line, received [${shape.join()}]`);
}

/** The indices of all elements of a shape, in C order. */
function* indicesOf(shape: readonly number[]): Generator<readonly number[]> {
  const [extent, ...rest] = shape;
  if (extent === undefined) {
    yield [];
    return;
  }
  for (let i = 0; i < extent; i++) for (const index of indicesOf(rest)) yield [i, ...index];
}

function axesFrom(start: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, i) => start + i);
}
