/**
 * Bessel functions of real numbers in OpenCL C; library.ts defines T and L. Orders are integers, few enough for loops.
 */
export const besselFunctions: Readonly<Record<string, string>> = {
  ...ofOrders(0),
  ...ofOrders(1),
  bessel_far: `
/* a cos(angle) + b sin(angle) times sqrt(2 / (pi x)); the angle is x - pi / 4, or x - 3 pi / 4 if the sign is -1. */
T bessel_far_T(const T x, const T a, const T b, const T sign) {
  T c;
  const T s = sincos(x, &c);
  return (a * (s + sign * c) + b * (sign * s - c)) * (L(0.564189583547756286948) / sqrt(x));
}`,
  jn: `
T jn_T(const T order, const T x) {
  if (order != rint(order) || fabs(order) > 100000 || isnan(x)) return (T)NAN;
  const int n = (int)fabs(order);
  T a = fabs(x);
  T value;
  if (n == 0) return j0_T(x);
  if (a == 0 || isinf(a)) return 0;
  if (n == 1) value = j1_T(a);
  else if (a * a < 4 * (n + (T)1)) value = jn_series_T(n, a);
  else if (a > n) {
    T before = j0_T(a);
    value = j1_T(a);
    for (int k = 1; k < n; k++) {
      const T next = 2 * k / a * value - before;
      before = value;
      value = next;
    }
  } else {
    /* Downwards from an order where it is as good as 0; the sum of all is known. */
    T after = 0, now = T_MIN * L(1e6), sum = 0;
    value = 0;
    for (int k = 2 * ((n + (int)sqrt((sizeof(T) == 4 ? 50 : 200) * (T)n)) / 2); k > 0; k--) {
      const T before = 2 * k / a * now - after;
      after = now;
      now = before;
      if (fabs(now) > T_MAX * L(1e-12)) {
        now *= T_EPSILON * T_EPSILON;
        after *= T_EPSILON * T_EPSILON;
        value *= T_EPSILON * T_EPSILON;
        sum *= T_EPSILON * T_EPSILON;
      }
      if (k == n + 1) value = now;
      if ((k & 1) == 1) sum += k == 1 ? now : 2 * now;
    }
    value /= sum;
  }
  /* Odd orders change their sign with that of x, and with that of the order. */
  return (n & 1) == 1 && (x < 0) != (order < 0) ? -value : value;
}`,
  jn_series: `
T jn_series_T(const int n, const T x) {
  const T h = L(0.5) * x, square = h * h;
  T factor = 1;
  for (int k = 1; k <= n && factor != 0; k++) factor *= h / k;
  T term = 1, sum = 1;
  for (int k = 1; k < 40; k++) {
    term *= -square / ((T)k * (n + k));
    sum += term;
    if (fabs(term) < T_EPSILON * L(0.1)) break;
  }
  return factor * sum;
}`,
  yn: `
T yn_T(const T order, const T x) {
  if (order != rint(order) || fabs(order) > 100000 || !(x >= 0)) return (T)NAN;
  const int n = (int)fabs(order);
  T before = y0_T(x);
  if (n == 0) return before;
  T value = y1_T(x);
  for (int k = 1; k < n && !isinf(value); k++) {
    const T next = 2 * k / x * value - before;
    before = value;
    value = next;
  }
  return order < 0 && (n & 1) == 1 ? -value : value;
}`,
  kn: `
T kn_T(const T order, const T x) {
  if (order != rint(order) || fabs(order) > 100000 || !(x >= 0)) return (T)NAN;
  const int n = (int)fabs(order);
  T before = k0_T(x);
  if (n == 0) return before;
  T value = k1_T(x);
  for (int k = 1; k < n && !isinf(value); k++) {
    const T next = 2 * k / x * value + before;
    before = value;
    value = next;
  }
  return value;
}`,
};

/** The functions of order 0 or 1, whose texts are alike. */
function ofOrders(n: 0 | 1): Readonly<Record<string, string>> {
  const odd = n === 1;
  const x = odd ? "x * " : "";
  const pole = odd ? " - L(0.636619772367581343076) / x" : "";
  return {
    [`j${n}`]: `
T j${n}_T(const T given) {
  const T x = fabs(given);
  T value;
  if (x < 8) {
    const T t = x * x * L(0.03125) - 1;
    value = ${x}(POLYNOMIAL(j${n}, t));
  } else {
    if (isinf(x)) return 0;
    const T t = 128 / (x * x) - 1;
    value = bessel_far_T(x, POLYNOMIAL(p${n}, t), -(POLYNOMIAL(q${n}, t)) / x, ${odd ? -1 : 1});
  }
  return ${odd ? "given < 0 ? -value : value" : "value"};
}`,
    [`y${n}`]: `
T y${n}_T(const T x) {
  if (!(x > 0)) return x == 0 ? -(T)INFINITY : (T)NAN;
  if (x < 8) {
    const T t = x * x * L(0.03125) - 1;
    return ${x}(POLYNOMIAL(y${n}, t)) + L(0.636619772367581343076) * log(x) * j${n}_T(x)${pole};
  }
  if (isinf(x)) return 0;
  const T t = 128 / (x * x) - 1;
  return bessel_far_T(x, (POLYNOMIAL(q${n}, t)) / x, POLYNOMIAL(p${n}, t), ${odd ? -1 : 1});
}`,
    [`i${n}e`]: `
/* Both pieces are computed, so that compilers for processors make vectors of it. */
__attribute__((always_inline)) T i${n}e_T(const T given) {
  const T x = fabs(given);
  const T t = L(0.25) * x - 1, u = 16 / x - 1;
  const T near = ${x}(POLYNOMIAL(i${n}, t)), far = (POLYNOMIAL(i${n}far, u)) / sqrt(x);
  return ${odd ? "copysign(select(far, near, (BOOLEAN)(x < 8)), given)" : "select(far, near, (BOOLEAN)(x < 8))"};
}`,
    [`i${n}`]: `
__attribute__((always_inline)) T i${n}_T(const T x) {
  /* In halves, since the power overflows before the product does. */
  const T h = exp(L(0.5) * fabs(x));
  return i${n}e_T(x) * h * h;
}`,
    [`k${n}e`]: `
T k${n}e_T(const T x) {
  if (!(x > 0)) return x == 0 ? (T)INFINITY : (T)NAN;
  if (x < 2) return k${n}_near_T(x) * exp(x);
  const T t = 4 / x - 1;
  return (POLYNOMIAL(k${n}far, t)) / sqrt(x);
}`,
    [`k${n}`]: `
T k${n}_T(const T x) {
  if (!(x > 0)) return x == 0 ? (T)INFINITY : (T)NAN;
  if (x < 2) return k${n}_near_T(x);
  const T t = 4 / x - 1;
  return (POLYNOMIAL(k${n}far, t)) / sqrt(x) * exp(-x);
}`,
    [`k${n}_near`]: `
T k${n}_near_T(const T x) {
  const T t = L(0.5) * x * x - 1;
  return ${x}(POLYNOMIAL(k${n}, t)) ${odd ? "+" : "-"} log(L(0.5) * x) * i${n}_T(x)${odd ? " + 1 / x" : ""};
}`,
  };
}
