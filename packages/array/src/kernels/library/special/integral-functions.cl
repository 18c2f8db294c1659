// Integrals of elementary functions, including incomplete gamma and beta functions.
// Separated by empty lines; functionsOf takes them apart.
//   C, T, T_MAX, T_MIN, T_EPSILON: the complex type, the type of a part, and its limits
//   L(number): a constant of type T
//   POLYNOMIAL(name, t), TABLE(name): a polynomial, and a list of numbers, of coefficients.ts
//   BOOLEAN: the integer that select() takes

T exp1_T(const T x) {
  if (!(x >= 0)) return (T)NAN;
  if (x < 2) {
    const T t = x - 1;
    return x * (POLYNOMIAL(e1near, t)) - L(0.577215664901532860607) - log(x);
  }
  const T t = 4 / x - 1;
  return (POLYNOMIAL(e1far, t)) / x * exp(-x);
}

T expi_T(const T x) {
  if (x < 0) return -exp1_T(-x);
  if (x < 6) {
    const T t = x * L(0.333333333333333333333) - 1;
    return L(0.577215664901532860607) + log(x) + x * (POLYNOMIAL(ei1, t));
  }
  T sum;
  if (x < 12) {
    const T t = x * L(0.333333333333333333333) - 3;
    sum = POLYNOMIAL(ei2, t);
  } else if (x < 24) {
    const T t = x * L(0.166666666666666666667) - 3;
    sum = POLYNOMIAL(ei3, t);
  } else {
    const T t = 48 / x - 1;
    sum = POLYNOMIAL(ei4, t);
  }
  if (isinf(x)) return x;
  const T h = exp(L(0.5) * x);
  return h * (sum / x) * h;
}

T expn_T(const T n, const T x) {
  if (!(x >= 0) || n != rint(n) || n < 0) return (T)NAN;
  if (n == 0) return exp(-x) / x;
  if (n == 1) return exp1_T(x);
  if (x == 0) return 1 / (n - 1);
  if (x >= 1) {
    /* Lentz's continued fraction. */
    T b = x + n, c = T_MAX, d = 1 / b, h = d;
    for (int i = 1; i < 200; i++) {
      const T a = -i * (n - 1 + i);
      b += 2;
      d = 1 / (a * d + b);
      c = b + a / c;
      const T factor = c * d;
      h *= factor;
      if (fabs(factor - 1) < T_EPSILON) break;
    }
    return h * exp(-x);
  }
  T sum = 1 / (n - 1), factor = 1;
  for (int i = 1; i < 60; i++) {
    factor *= -x / i;
    if (i == n - 1)
      sum += factor * (digamma_T(n) - log(x));
    else
      sum -= factor / (i - n + 1);
    if (fabs(factor) < T_EPSILON * L(0.01) * fabs(sum) && i >= n) break;
  }
  return sum;
}

T sine_integral_T(const T x) {
  const T a = fabs(x);
  if (a < 8) {
    const T t = a * a * L(0.03125) - 1;
    return x * (POLYNOMIAL(si, t));
  }
  const T t = 128 / (a * a) - 1;
  T c;
  const T s = sincos(isinf(a) ? (T)0 : a, &c);
  const T rest = ((POLYNOMIAL(sif, t)) * c + (POLYNOMIAL(sig, t)) / a * s) / a;
  return copysign(L(1.57079632679489661923) - rest, x);
}

T cosine_integral_T(const T given) {
  const T x = fabs(given);
  if (!(x > 0)) return x == 0 ? -(T)INFINITY : (T)NAN;
  if (x < 8) {
    const T t = x * x * L(0.03125) - 1;
    return L(0.577215664901532860607) + log(x) + x * x * (POLYNOMIAL(cin, t));
  }
  const T t = 128 / (x * x) - 1;
  T c;
  const T s = sincos(isinf(x) ? (T)0 : x, &c);
  return ((POLYNOMIAL(sif, t)) * s - (POLYNOMIAL(sig, t)) / x * c) / x;
}

/* By the arithmetic-geometric mean of 1 and the root of p = 1 - m. */
T ellipkm1_T(const T p) {
  if (!(p > 0)) return p == 0 ? (T)INFINITY : (T)NAN;
  T a = 1, b = sqrt(p);
  for (int k = 0; k < 16 && fabs(a - b) > T_EPSILON * a; k++) {
    const T mean = L(0.5) * (a + b);
    b = sqrt(a * b);
    a = mean;
  }
  return L(3.14159265358979323846) / (a + b);
}

T ellipk_T(const T m) { return ellipkm1_T(1 - m); }

T ellipe_T(const T m) {
  if (!(m <= 1)) return (T)NAN;
  if (m == 1) return 1;
  T a = 1, b = sqrt(1 - m), sum = L(0.5) * m, weight = L(0.5);
  for (int k = 0; k < 16 && fabs(a - b) > T_EPSILON * a; k++) {
    const T c = L(0.5) * (a - b), mean = L(0.5) * (a + b);
    b = sqrt(a * b);
    a = mean;
    weight *= 2;
    sum += weight * c * c;
  }
  return L(1.57079632679489661923) / a * (1 - sum);
}

/* log(1 + u) - u; both is 1 + u with all its digits. */
T log1p_less_T(const T u, const T both) {
  if (fabs(u) > L(0.5)) return log(both) - u;
  const T r = u / (2 + u), square = r * r;
  T power = square, sum = L(0.333333333333333333333) * square;
  for (int k = 5; k < 40; k += 2) {
    power *= square;
    sum += power / k;
    if (power < T_EPSILON * square) break;
  }
  return r * (2 * sum - u);
}

/* x ** a exp(-x) / gamma(a + 1), accurate for large a, too. */
T gammainc_factor_T(const T a, const T x) {
  if (a >= 10) return exp(a * log1p_less_T((x - a) / a, x / a) - stirling_T(a)) * L(0.398942280401432677940) / sqrt(a);
  if (x > (sizeof(T) == 4 ? 200 : 1000)) return 0;
  /* In halves, which are in range where the product is. */
  const T h = exp(L(-0.5) * x);
  return h * pow(x, a) * h / gamma_positive_T(a + 1);
}

T gammainc_series_T(const T a, const T x) {
  T term = 1, sum = 1;
  for (int k = 1; k < 100000; k++) {
    term *= x / (a + k);
    sum += term;
    if (term < T_EPSILON * L(0.1) * sum) break;
  }
  return gammainc_factor_T(a, x) * sum;
}

/* The complement, by Lentz's continued fraction. */
T gammainc_fraction_T(const T a, const T x) {
  T b = x + 1 - a, c = T_MAX, d = 1 / b, h = d;
  for (int k = 1; k < 100000; k++) {
    const T an = -k * (k - a);
    b += 2;
    d = 1 / (an * d + b);
    c = b + an / c;
    const T factor = c * d;
    h *= factor;
    if (fabs(factor - 1) < T_EPSILON) break;
  }
  return gammainc_factor_T(a, x) * a * h;
}

/* The complement for small a and x, of the series of what is left of 1. */
T gammaincc_small_T(const T a, const T x) {
  T term = 1, sum = 0;
  for (int k = 1; k < 60; k++) {
    term *= -x / k;
    sum += term / (a + k);
    if (fabs(term) < T_EPSILON * L(0.1) * fabs(sum)) break;
  }
  const T logarithm = a * log(x) - gammaln1p_T(a);
  return -expm1(logarithm) - exp(logarithm) * a * sum;
}

/* Temme's expansion for large a and x near it, where a series takes roots of a terms; side is 1 for the complement. */
T gammainc_large_T(const T a, const T x, const T side) {
  const T distance = (x - a) / a;
  const T half_square = -log1p_less_T(distance, x / a);
  const T eta = copysign(sqrt(2 * half_square), distance);
  T first = L(-1.85406221071515996070e-6);
  first = first * eta - L(2.18544851067999216147e-6);
  first = first * eta + L(3.91926317852243778170e-5);
  first = first * eta - L(1.78755144032921810700e-4);
  first = first * eta + L(3.52733686067019400353e-4);
  first = first * eta + L(1.15740740740740740741e-3);
  first = first * eta - L(1.48148148148148148148e-2);
  first = first * eta + L(8.33333333333333333333e-2);
  first = first * eta - L(0.333333333333333333333);
  const T second =
      (L(2.64550264550264550265e-3) * eta - L(3.47222222222222222222e-3)) * eta - L(1.85185185185185185185e-3);
  const T rest = exp(-a * half_square) * L(0.398942280401432677940) / sqrt(a) * (first + second / a);
  return L(0.5) * erfc_T(side * eta * sqrt(L(0.5) * a)) + side * rest;
}

T gammainc_T(const T a, const T x) {
  if (!(x >= 0) || !(a >= 0)) return (T)NAN;
  if (a == 0) return x > 0 ? (T)1 : (T)NAN;
  if (x == 0) return 0;
  if (isinf(a)) return isinf(x) ? (T)NAN : (T)0;
  if (isinf(x)) return 1;
  if (a >= L(1e6) && fabs(x - a) < L(0.1) * a) return gammainc_large_T(a, x, -1);
  return x <= a + 1 ? gammainc_series_T(a, x) : 1 - gammainc_fraction_T(a, x);
}

T gammaincc_T(const T a, const T x) {
  if (!(x >= 0) || !(a >= 0)) return (T)NAN;
  if (a == 0) return x > 0 ? (T)0 : (T)NAN;
  if (x == 0) return 1;
  if (isinf(a)) return isinf(x) ? (T)NAN : (T)1;
  if (isinf(x)) return 0;
  if (a < 1 && x < L(1.5)) return gammaincc_small_T(a, x);
  if (a >= L(1e6) && fabs(x - a) < L(0.1) * a) return gammainc_large_T(a, x, 1);
  return x <= a + 1 ? 1 - gammainc_series_T(a, x) : gammainc_fraction_T(a, x);
}

/* x ** a y ** b / (a beta(a, b)), where y = 1 - x. */
T betainc_factor_T(const T a, const T b, const T x, const T y) {
  if (a >= 10 && b >= 10) {
    const T n = a + b;
    const T away = x < y ? x * n - a : b - y * n;
    const T power = a * log1p_less_T(away / a, x * n / a) + b * log1p_less_T(-away / b, y * n / b);
    const T rest = stirling_T(n) - stirling_T(a) - stirling_T(b);
    return exp(power + rest) * sqrt(b / (a * n)) * L(0.398942280401432677940);
  }
  /* In halves, which are in range where the product is. */
  const T first = x < L(0.5) ? pow(x, L(0.5) * a) : exp(L(0.5) * a * log1p(-y));
  const T second = y < L(0.5) ? pow(y, L(0.5) * b) : exp(L(0.5) * b * log1p(-x));
  return first * second / (a * beta_T(a, b)) * first * second;
}

T betainc_fraction_T(const T a, const T b, const T x, const T y) {
  const T tiny = T_MIN * L(1e6);
  T c = 1, d = 1 - (a + b) * x / (a + 1);
  d = 1 / (fabs(d) < tiny ? tiny : d);
  T h = d;
  for (int m = 1; m < 50000; m++) {
    const T even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 + even * d;
    d = 1 / (fabs(d) < tiny ? tiny : d);
    c = 1 + even / c;
    c = fabs(c) < tiny ? tiny : c;
    h *= d * c;
    const T odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 + odd * d;
    d = 1 / (fabs(d) < tiny ? tiny : d);
    c = 1 + odd / c;
    c = fabs(c) < tiny ? tiny : c;
    h *= d * c;
    if (fabs(d * c - 1) < T_EPSILON) break;
  }
  return betainc_factor_T(a, b, x, y) * h;
}

T betainc_T(const T a, const T b, const T x) {
  if (!(a > 0) || !(b > 0) || !(x >= 0) || x > 1) return (T)NAN;
  if (x == 0 || x == 1) return x;
  const T y = 1 - x;
  if (x < (a + 1) / (a + b + 2)) return betainc_fraction_T(a, b, x, y);
  return 1 - betainc_fraction_T(b, a, y, x);
}
