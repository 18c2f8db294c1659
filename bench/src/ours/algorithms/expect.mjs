// A job that computes nonsense has no figures.

/**
 * Throws, naming the job, if a value is further from what is expected than rounding explains.
 * @param {number} value
 * @param {number} expected
 * @param {number} tolerance relative to the expected value
 * @param {string} job
 */
export function expectNear(value, expected, tolerance, job) {
  if (Math.abs(value - expected) <= tolerance * Math.max(1, Math.abs(expected))) return;
  throw new Error(`${job} gives ${value} instead of ${expected}`);
}
