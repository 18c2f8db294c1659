// The error function and related functions. Short functions compute all pieces and select one, so that compilers for
// CPUs can vectorize them: that makes erf ten times as fast. Separated by empty lines; functionsOf takes them apart.
//   C, T, T_MAX, T_MIN, T_EPSILON: the complex type, the type of a part, and its limits
//   L(number): a constant of type T
//   POLYNOMIAL(name, t), TABLE(name): a polynomial, and a list of numbers, of coefficients.ts
//   BOOLEAN: the integer that select() takes

/* exp(-x * x), with the digits of the square that T has no place for. */
__attribute__((always_inline)) T exp_minus_square_T(const T x) {
  const T a = fmin(fabs(x), L(40.0));
  const T square = a * a;
  return exp(-square) * (1 - fma(a, a, -square));
}

/* One polynomial for all numbers from 0 to infinity, by t = (x - 3) / (x + 3). */
__attribute__((always_inline)) T erfcx_positive_T(const T x) {
  const T t = 1 - 6 / (x + 3);
  return (POLYNOMIAL(erfcx, t)) / (1 + 2 * x);
}

__attribute__((always_inline)) T erf_T(const T x) {
  const T a = fabs(x);
  const T t = 2 * a * a - 1;
  const T near = x * (POLYNOMIAL(erf, t));
  const T far = 1 - exp_minus_square_T(a) * erfcx_positive_T(a);
  return select(copysign(far, x), near, (BOOLEAN)(a < 1));
}

__attribute__((always_inline)) T erfc_T(const T x) {
  const T far = exp_minus_square_T(x) * erfcx_positive_T(fabs(x));
  return x < 0 ? 2 - far : far;
}

T erfcx_T(const T x) {
  const T positive = erfcx_positive_T(fabs(x));
  if (x >= 0 || isnan(x)) return positive;
  /* The digits of the square that T has no place for. */
  const T square = x * x;
  const T power = exp(square);
  return isinf(power) ? power : 2 * power * (1 + fma(x, x, -square)) - positive;
}

T erfinv_T(const T x) {
  const T square = x * x;
  if (square > L(0.8125)) return copysign(erfcinv_tail_T(1 - fabs(x)), x);
  const T t = square * L(2.46153846153846153846) - 1;
  return x * (POLYNOMIAL(erfinv, t));
}

/* For q to 0.1. */
T erfcinv_tail_T(const T q) {
  if (!(q > 0)) return q == 0 ? (T)INFINITY : (T)NAN;
  const T s = sqrt(-log(q));
  if (s < 3) {
    const T t = (s - L(2.1875)) * L(1.23076923076923076923);
    return s * (POLYNOMIAL(erfcinv1, t));
  }
  if (s < 8) {
    const T t = (s - L(5.5)) * L(0.4);
    return s * (POLYNOMIAL(erfcinv2, t));
  }
  const T t = (s - 18) * L(0.1);
  return s * (POLYNOMIAL(erfcinv3, t));
}

T erfcinv_T(const T q) {
  const T near = q > 1 ? 2 - q : q;
  const T x = near < L(0.1) ? erfcinv_tail_T(near) : erfinv_T(1 - near);
  return q > 1 ? -x : x;
}

T dawsn_T(const T x) {
  const T square = x * x;
  if (square < 9) {
    const T t = square * L(0.22222222222222222222) - 1;
    return x * (POLYNOMIAL(dawsn1, t));
  }
  if (square < 25) {
    const T t = square * L(0.125) - L(2.125);
    return x * (POLYNOMIAL(dawsn2, t));
  }
  const T t = 50 / square - 1;
  return (POLYNOMIAL(dawsn3, t)) / x;
}

/* By exp(-x * x / 2) itself, since x / sqrt(2) is rounded. */
__attribute__((always_inline)) T ndtr_T(const T x) {
  const T a = fmin(fabs(x), L(55.0));
  const T square = a * a;
  const T power = exp(L(-0.5) * square) * (1 - L(0.5) * fma(a, a, -square));
  const T far = L(0.5) * power * erfcx_positive_T(fabs(x) * L(0.707106781186547524401));
  return x > 0 ? 1 - far : far;
}

T ndtri_T(const T p) { return L(-1.41421356237309504880) * erfcinv_T(2 * p); }

T log_ndtr_T(const T x) {
  if (x > -1) return log1p(-ndtr_T(-x));
  return log(L(0.5) * erfcx_positive_T(x * L(-0.707106781186547524401))) - L(0.5) * x * x;
}
