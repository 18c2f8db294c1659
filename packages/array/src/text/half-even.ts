/** Decimal digits of numbers, rounded as in C: ties to even, where JavaScript rounds them away from zero. */

/** The maximum that JavaScript writes: more digits than any number halfway between two shorter ones has. */
export const maxDigits = 100;

/** Returns a number with an exponent. */
export function exponential(value: number, digits: number): string {
  const [exact = "", power = ""] = value.toExponential(maxDigits).split("e");
  const [mantissa = "", own = ""] = value.toExponential(digits).split("e");
  const even = halfEven(exact, mantissa, digits);
  return even === mantissa ? `${mantissa}e${own}` : `${even}e${power}`;
}

/** Returns a number without an exponent. */
export function fixed(value: number, digits: number): string {
  if (Math.abs(value) < 1e21) return halfEven(value.toFixed(maxDigits), value.toFixed(digits), digits);
  const whole = BigInt(value).toString();
  return digits === 0 ? whole : `${whole}.${"0".repeat(digits)}`;
}

/** Returns the rounded digits, with ties rounded to even. */
export function halfEven(exact: string, rounded: string, digits: number): string {
  const [whole = "", fraction = ""] = exact.split(".");
  const kept = digits === 0 ? whole : `${whole}.${fraction.slice(0, digits)}`;
  const isEven = "02468".includes(kept.at(-1) as string);
  return isEven && /^50*$/.test(fraction.slice(digits)) ? kept : rounded;
}
