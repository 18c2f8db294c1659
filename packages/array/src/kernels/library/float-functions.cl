// Functions of floating-point numbers; float16 is computed in float, except in functions whose names end in half.
// Separated by empty lines; functionsOf takes them apart.
//   T, T_EPSILON: the type, and its limit
//   L(number): a constant of type T

/* Rounded down: the remainder has the sign of the divisor. */
T remainder_T(const T a, const T b) {
  const T rest = fmod(a, b);
  if (rest == 0) return copysign((T)0, b);
  return (rest < 0) != (b < 0) ? rest + b : rest;
}

/* The quotient is made of the exact remainder, as in Python. */
T floor_divide_T(const T a, const T b) {
  if (b == 0) return a / b;
  T rest = fmod(a, b);
  T quotient = (a - rest) / b;
  if (rest != 0 && (rest < 0) != (b < 0)) quotient -= 1;
  if (quotient == 0) return copysign((T)0, a / b);
  const T whole = floor(quotient);
  return quotient - whole > L(0.5) ? whole + 1 : whole;
}

T sinc_T(const T x) { return x == 0 ? (T)1 : sinpi(x) / (L(3.14159265358979323846) * x); }

/* Away from 0, with the sign of x. */
T spacing_T(const T x) {
  if (!isfinite(x)) return (T)NAN;
  return copysign(nextafter(fabs(x), (T)INFINITY) - fabs(x), x == 0 ? (T)1 : x);
}

float spacing_half(const float x) {
  if (!isfinite(x)) return NAN;
  return copysign(nextafter_half(fabs(x), INFINITY) - fabs(x), x == 0 ? 1 : x);
}

/* Adjacent floats have consecutive bit patterns; those of negative numbers increase away from 0. */
float nextafter_half(const float a, const float b) {
  if (isnan(a) || isnan(b)) return a + b;
  if (a == b) return b;
  ushort bits;
  vstore_half_rte(a, 0, (half*)&bits);
  if (a == 0)
    bits = b > 0 ? 0x0001 : 0x8001;
  else if ((a < b) == (a > 0))
    bits++;
  else
    bits--;
  return vload_half(0, (const half*)&bits);
}

/* Equal operands may be infinite, whose difference is no number. */
T logaddexp_T(const T a, const T b) {
  if (a == b) return a + L(0.693147180559945309417);
  const T difference = a - b;
  if (difference > 0) return a + log1p(exp(-difference));
  return difference <= 0 ? b + log1p(exp(difference)) : difference;
}

T logaddexp2_T(const T a, const T b) {
  if (a == b) return a + 1;
  const T difference = a - b;
  const T toBase2 = L(1.44269504088896340736);
  if (difference > 0) return a + toBase2 * log1p(exp2(-difference));
  return difference <= 0 ? b + toBase2 * log1p(exp2(difference)) : difference;
}

/* Less than 1 also where the difference is rounded up to it. */
T fract_T(const T x) {
  if (isinf(x)) return copysign((T)0, x);
  return isnan(x) ? x : fmin(x - floor(x), 1 - T_EPSILON / 2);
}

T maxmag_T(const T a, const T b) { return fabs(a) > fabs(b) ? a : fabs(b) > fabs(a) ? b : fmax(a, b); }

T minmag_T(const T a, const T b) { return fabs(a) < fabs(b) ? a : fabs(b) < fabs(a) ? b : fmin(a, b); }

int remquo_bits_T(const T a, const T b) {
  int bits = 0;
  if (isfinite(a) && b != 0 && !isnan(b)) (void)remquo(a, b, &bits);
  return bits;
}

T modf_fraction_T(const T x) { return isinf(x) ? copysign((T)0, x) : copysign(x - trunc(x), x); }

T frexp_mantissa_T(const T x) {
  int exponent;
  return isfinite(x) ? frexp(x, &exponent) : x;
}

int frexp_exponent_T(const T x) {
  int exponent = 0;
  if (isfinite(x)) (void)frexp(x, &exponent);
  return exponent;
}
