/** Axes that go by factors: where a value lies, and which values are worth a label. */

/** An axis from `low` to `high` on the paper, for values from `from` to `to`. */
export interface LogAxis {
  readonly from: number;
  readonly to: number;
  /** Where a value lies. */
  place(value: number): number;
}

/** The axis over these values, widened to whole powers of `base`. Values that are not above zero have no place on it. */
export function logAxis(values: readonly number[], base: 2 | 10, low: number, high: number): LogAxis {
  const positive = values.filter((value) => value > 0 && Number.isFinite(value));
  const step = base === 2 ? 10 : 1;
  const exponents = positive.map((value) => Math.log(value) / Math.log(base) / step);
  const first = exponents.length === 0 ? 0 : Math.floor(Math.min(...exponents) + 1e-9);
  const last = exponents.length === 0 ? 1 : Math.max(first + 1, Math.ceil(Math.max(...exponents) - 1e-9));
  // Sizes in bytes end where the data ends: a whole factor of 1024 more would be mostly empty.
  const end = base === 2 && exponents.length > 0 ? Math.max(first + 0.5, Math.max(...exponents)) : last;
  const [from, to] = [base ** (first * step), base ** (end * step)];
  const [logFrom, logTo] = [Math.log(from), Math.log(to)];
  return {
    from,
    to,
    place: (value) => low + ((Math.log(value) - logFrom) / (logTo - logFrom)) * (high - low),
  };
}

/** Values for labels: powers of ten, and of a factor of 4 bytes to 1024 where the base is two. */
export function majorTicks({ from, to }: LogAxis, base: 2 | 10): readonly number[] {
  const step = base === 2 ? (to / from > 2 ** 12 ? 16 : 4) : 10;
  const ticks: number[] = [];
  for (let tick = from; tick <= to * (1 + 1e-9); tick *= step) ticks.push(tick);
  return ticks;
}

/** Values for fine lines between powers of ten. */
export function minorTicks({ from, to }: LogAxis): readonly number[] {
  const ticks: number[] = [];
  for (let power = from; power < to * (1 - 1e-9); power *= 10) {
    for (let i = 2; i < 10; i++) if (power * i < to) ticks.push(power * i);
  }
  return ticks;
}
