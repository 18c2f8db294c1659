/** Medians of complex numbers, in lexicographic order with NaN last. */
import { Disposals } from "../storage/disposals.js";
import type { AnyArray, ArrayRef } from "../storage/array-ref.js";
import { sortArray } from "../sorting/sort-array.js";
import { takeAlongAxis } from "../indexing/take.js";
import * as reductions from "../reductions/reduce.js";
import { clip, operators, where } from "../elementwise/operators.js";

/** Returns the median of each row. With `omit`, elements with NaN in either part do not count. */
export function complexMedian(rows: ArrayRef, omit: boolean): ArrayRef {
  const [lines, length] = rows.shape as readonly [number, number];
  using all = new Disposals();
  const sorted = all.use(sortArray(rows, { axis: 1 }));
  const isNaN = all.use(operators.isnan(sorted));
  const missing = all.use(reductions.countNonzero(isNaN, { axis: 1, keepDims: true }));
  // Without `omit`, rows with NaN have it in the last place.
  const hasNaN = all.use(operators.greater(missing, 0));
  const count = BigInt(length);
  const valid = omit
    ? all.use(operators.subtract(count, missing))
    : all.use(operators.add(all.use(operators.multiply(hasNaN, count)), count));
  const half = (numbers: AnyArray): AnyArray => all.use(operators.floorDivide(numbers, 2n));
  const within = (places: AnyArray): AnyArray => all.use(clip(places, 0n, count - 1n));
  const low = within(half(all.use(operators.subtract(valid, 1n))));
  const high = within(half(valid));
  const a = all.use(takeAlongAxis(sorted, low as ArrayRef<"int64">, 1));
  const b = all.use(takeAlongAxis(sorted, high as ArrayRef<"int64">, 1));
  const mean = all.use(operators.multiply(all.use(operators.add(a, b)), 0.5));
  const isOne = all.use(operators.equal(low, high));
  return all.use(where(isOne, a, mean)).reshape([lines]);
}
