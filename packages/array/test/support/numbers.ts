/** Reproducible random numbers and error measures for tests. */

import { randomNumbers } from "@cl/base";

export { randomNumbers };

/** The largest difference; infinite if one has a NaN or the lengths differ. */
export function largestDifference(actual: ArrayLike<number>, expected: ArrayLike<number>): number {
  if (actual.length !== expected.length) return Infinity;
  let worst = 0;
  for (let i = 0; i < expected.length; i++) {
    const difference = Math.abs((actual[i] as number) - (expected[i] as number));
    worst = Number.isNaN(difference) ? Infinity : Math.max(worst, difference);
  }
  return worst;
}

/** The largest difference relative to the largest expected number. */
export function relativeDifference(actual: ArrayLike<number>, expected: ArrayLike<number>): number {
  return largestDifference(actual, expected) / largestDifference(expected, new Float32Array(expected.length));
}
