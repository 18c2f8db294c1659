// Medians, which are robust against single slow rounds, and quantiles.

/**
 * Returns the interpolated `q`-quantile of the samples.
 * @param {readonly number[]} samples at least one
 * @param {number} q between 0 and 1
 * @returns {number}
 */
export function quantile(samples, q) {
  const sorted = [...samples].sort((x, y) => x - y);
  const position = q * (sorted.length - 1);
  const below = sorted[Math.floor(position)] ?? NaN;
  const above = sorted[Math.ceil(position)] ?? NaN;
  return below + (above - below) * (position - Math.floor(position));
}

/**
 * @param {readonly number[]} samples at least one
 * @returns {number}
 */
export function median(samples) {
  return quantile(samples, 0.5);
}

/**
 * Rounds to four significant digits.
 * @param {number} value
 * @returns {number}
 */
export function significant(value) {
  return Number(value.toPrecision(4));
}
