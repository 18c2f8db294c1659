// Bessel functions of real numbers. Orders are integers, few enough for loops. bessel-orders.ts adds those of orders 0
// and 1. Separated by empty lines; functionsOf takes them apart.
//   C, T, T_MAX, T_MIN, T_EPSILON: the complex type, the type of a part, and its limits
//   L(number): a constant of type T
//   POLYNOMIAL(name, t), TABLE(name): a polynomial, and a list of numbers, of coefficients.ts
//   BOOLEAN: the integer that select() takes

/* a cos(angle) + b sin(angle) times sqrt(2 / (pi x)); the angle is x - pi / 4, or x - 3 pi / 4 if the sign is -1. */
T bessel_far_T(const T x, const T a, const T b, const T sign) {
  T c;
  const T s = sincos(x, &c);
  return (a * (s + sign * c) + b * (sign * s - c)) * (L(0.564189583547756286948) / sqrt(x));
}

T jn_T(const T order, const T x) {
  if (order != rint(order) || fabs(order) > 100000 || isnan(x)) return (T)NAN;
  const int n = (int)fabs(order);
  T a = fabs(x);
  T value;
  if (n == 0) return j0_T(x);
  if (a == 0 || isinf(a)) return 0;
  if (n == 1)
    value = j1_T(a);
  else if (a * a < 4 * (n + (T)1))
    value = jn_series_T(n, a);
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
}

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
}

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
}

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
}
