/**
 * Integer functions in OpenCL C. T is the type, U the unsigned type of the same size, and P the unsigned type for
 * arithmetic: shorter ones would be promoted to int, which must not overflow. WIDTH is the number of bits.
 */

/** Those of all integers. */
export const integerFunctions: Readonly<Record<string, string>> = {
  power: `
/* By repeated squares; what overflows wraps around. */
T power_T(const T a, const T b) {
  if (b < 0) return a == 1 ? 1 : a == (T)-1 ? ((b & 1) != 0 ? a : 1) : 0;
  P result = 1;
  P factor = (P)a;
  for (U rest = (U)b; rest != 0; rest >>= 1) {
    if ((rest & 1) != 0) result *= factor;
    factor *= factor;
  }
  return (T)result;
}`,
  left_shift: `
T left_shift_T(const T a, const T b) { return b < 0 || b >= WIDTH ? (T)0 : (T)((P)a << b); }`,
  right_shift: `
T right_shift_T(const T a, const T b) { return b < 0 || b >= WIDTH ? (a < 0 ? (T)-1 : (T)0) : (T)(a >> b); }`,
  gcd: `
T gcd_T(const T a, const T b) {
  U x = magnitude_T(a);
  U y = magnitude_T(b);
  while (y != 0) {
    const U rest = x % y;
    x = y;
    y = rest;
  }
  return (T)x;
}`,
  lcm: `
T lcm_T(const T a, const T b) {
  const U common = (U)gcd_T(a, b);
  return common == 0 ? (T)0 : (T)((P)(magnitude_T(a) / common) * (P)magnitude_T(b));
}`,
  round_to: `
/* To the nearest multiple of a unit; of two, to the even one. */
T round_to_T(const T a, const T unit) {
  const T quotient = a / unit;
  const U rest = magnitude_T((T)(a - (T)(quotient * unit)));
  const U other = (U)unit - rest;
  const T down = (T)(quotient * unit);
  if (rest < other || (rest == other && (quotient & 1) == 0)) return down;
  return (T)(a < 0 ? (P)down - (P)unit : (P)down + (P)unit);
}`,
};

/** Those of integers with a sign. The lowest one divided by -1 would overflow, which some processors take for an error. */
export const signedFunctions: Readonly<Record<string, string>> = {
  magnitude: `
U magnitude_T(const T a) { return (U)(a < 0 ? 0 - (P)a : (P)a); }`,
  remainder: `
T remainder_T(const T a, const T b) {
  if (b == 0 || b == -1) return 0;
  const T rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}`,
  fmod: `
T fmod_T(const T a, const T b) { return b == 0 || b == -1 ? 0 : a % b; }`,
  floor_divide: `
T floor_divide_T(const T a, const T b) {
  if (b == 0) return 0;
  if (b == -1) return (T)(0 - (P)a);
  const T quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}`,
};

/** Those of integers without. */
export const unsignedFunctions: Readonly<Record<string, string>> = {
  magnitude: `
T magnitude_T(const T a) { return a; }`,
  remainder: `
T remainder_T(const T a, const T b) { return b == 0 ? 0 : a % b; }`,
  fmod: `
T fmod_T(const T a, const T b) { return b == 0 ? 0 : a % b; }`,
  floor_divide: `
T floor_divide_T(const T a, const T b) { return b == 0 ? 0 : a / b; }`,
};
