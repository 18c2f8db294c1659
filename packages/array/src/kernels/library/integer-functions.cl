// Functions of all integers. Separated by empty lines; functionsOf takes them apart.
//   T, U: the type, and the unsigned type of the same size
//   P: the unsigned type for arithmetic: shorter ones would be promoted to int, which must not overflow
//   WIDTH: the number of bits

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
}

T left_shift_T(const T a, const T b) { return b < 0 || b >= WIDTH ? (T)0 : (T)((P)a << b); }

T right_shift_T(const T a, const T b) { return b < 0 || b >= WIDTH ? (a < 0 ? (T)-1 : (T)0) : (T)(a >> b); }

T gcd_T(const T a, const T b) {
  U x = magnitude_T(a);
  U y = magnitude_T(b);
  while (y != 0) {
    const U rest = x % y;
    x = y;
    y = rest;
  }
  return (T)x;
}

T lcm_T(const T a, const T b) {
  const U common = (U)gcd_T(a, b);
  return common == 0 ? (T)0 : (T)((P)(magnitude_T(a) / common) * (P)magnitude_T(b));
}

/* To the nearest multiple of a unit; of two, to the even one. */
T round_to_T(const T a, const T unit) {
  const T quotient = a / unit;
  const U rest = magnitude_T((T)(a - (T)(quotient * unit)));
  const U other = (U)unit - rest;
  const T down = (T)(quotient * unit);
  if (rest < other || (rest == other && (quotient & 1) == 0)) return down;
  return (T)(a < 0 ? (P)down - (P)unit : (P)down + (P)unit);
}
