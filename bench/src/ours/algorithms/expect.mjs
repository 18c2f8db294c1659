// Checks of job results.

/**
 * Throws if a value differs from the expected one by more than the tolerance.
 * @param {number} value
 * @param {number} expected
 * @param {number} tolerance relative to the expected value
 * @param {string} job
 */
export function expectNear(value, expected, tolerance, job) {
  if (Math.abs(value - expected) <= tolerance * Math.max(1, Math.abs(expected))) return;
  throw new Error(`${job}: expected ${expected}, received ${value}`);
}
