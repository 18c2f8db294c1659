// Medians, because one round in a slow clock state must not move the result; p10 as the steadier companion.

/**
 * The value below which the share `q` of the samples lies, interpolated.
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
 * Rounds to four significant digits: more would pretend.
 * @param {number} value
 * @returns {number}
 */
export function significant(value) {
  return Number(value.toPrecision(4));
}
