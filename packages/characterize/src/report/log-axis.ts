/** Logarithmic axes: positions of values, and ticks. */

/** A logarithmic axis for values from `from` to `to`. */
export interface LogAxis {
  readonly from: number;
  readonly to: number;
  /** Returns the coordinate of a value. */
  position(value: number): number;
}

/**
 * Returns an axis for these values, widened to powers of `base`, between the coordinates `low` and `high`. Values that
 * are not positive and finite are ignored.
 */
export function logAxis(values: readonly number[], base: 2 | 10, low: number, high: number): LogAxis {
  const positive = values.filter((value) => value > 0 && Number.isFinite(value));
  const step = base === 2 ? 10 : 1;
  const exponents = positive.map((value) => Math.log(value) / Math.log(base) / step);
  const first = exponents.length === 0 ? 0 : Math.floor(Math.min(...exponents) + 1e-9);
  const last = exponents.length === 0 ? 1 : Math.max(first + 1, Math.ceil(Math.max(...exponents) - 1e-9));
  // With base 2, the axis ends at the largest value, since a step of 1024 would leave most of it empty.
  const end = base === 2 && exponents.length > 0 ? Math.max(first + 0.5, Math.max(...exponents)) : last;
  const [from, to] = [base ** (first * step), base ** (end * step)];
  const [logFrom, logTo] = [Math.log(from), Math.log(to)];
  return {
    from,
    to,
    position: (value) => low + ((Math.log(value) - logFrom) / (logTo - logFrom)) * (high - low),
  };
}

/** Returns the values of labeled ticks: powers of ten; with base 2, a factor of 4 apart, or 16 on long axes. */
export function majorTicks({ from, to }: LogAxis, base: 2 | 10): readonly number[] {
  const step = base === 2 ? (to / from > 2 ** 12 ? 16 : 4) : 10;
  const ticks: number[] = [];
  for (let tick = from; tick <= to * (1 + 1e-9); tick *= step) ticks.push(tick);
  return ticks;
}

/** Returns the values of minor grid lines between powers of ten. */
export function minorTicks({ from, to }: LogAxis): readonly number[] {
  const ticks: number[] = [];
  for (let power = from; power < to * (1 - 1e-9); power *= 10) {
    for (let i = 2; i < 10; i++) if (power * i < to) ticks.push(power * i);
  }
  return ticks;
}
