/** Numbers for tests: the same for a seed on each machine, and how far they are from what they should be. */

import { randomNumbers } from "@cl/base";

export { randomNumbers };

/** So many random floats, from 0 up to 1. */
export function randomFloats(length: number, seed = 42): Float32Array<ArrayBuffer> {
  const next = randomNumbers(seed);
  return Float32Array.from({ length }, next);
}

/** The largest difference, infinite where one has a NaN or the lengths differ. */
export function largestDifference(actual: ArrayLike<number>, expected: ArrayLike<number>): number {
  if (actual.length !== expected.length) return Infinity;
  let worst = 0;
  for (let i = 0; i < expected.length; i++) {
    const difference = Math.abs((actual[i] as number) - (expected[i] as number));
    worst = Number.isNaN(difference) ? Infinity : Math.max(worst, difference);
  }
  return worst;
}

/** The largest difference in relation to the largest number that is expected. */
export function relativeDifference(actual: ArrayLike<number>, expected: ArrayLike<number>): number {
  return largestDifference(actual, expected) / largestDifference(expected, new Float32Array(expected.length));
}
