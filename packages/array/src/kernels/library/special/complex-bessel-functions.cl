// Bessel, Hankel and Faddeeva functions of complex numbers.
// Separated by empty lines; functionsOf takes them apart.
//   C, T, T_MAX, T_MIN, T_EPSILON: the complex type, the type of a part, and its limits
//   L(number): a constant of type T
//   POLYNOMIAL(name, t), TABLE(name): a polynomial, and a list of numbers, of coefficients.ts
//   BOOLEAN: the integer that select() takes

C complex_jn_T(const C order, const C given) {
  if (order.y != 0 || order.x != rint(order.x) || fabs(order.x) > 100000 || complex_isnan_T(given))
    return (C)((T)NAN, (T)NAN);
  const int n = (int)fabs(order.x);
  const C value = complex_jn_upper_T(n, (C)(given.x, fabs(given.y)));
  const T sign = (n & 1) == 1 && order.x < 0 ? -1 : 1;
  return (C)(sign * value.x, given.y < 0 ? -sign * value.y : sign * value.y);
}

/* J of a whole order, where the imaginary part is not negative. */
C complex_jn_upper_T(const int n, const C z) {
  const T length = complex_length_T(z);
  if (length == 0) return (C)(n == 0 ? (T)1 : (T)0, (T)0);
  if (isinf(length)) return (C)((T)NAN, (T)NAN);
  if (length * length < 4 * (n + (T)1)) {
    const C h = z * L(0.5), square = complex_square_T(h);
    C factor = (C)((T)1, (T)0);
    for (int k = 1; k <= n; k++) factor = complex_multiply_T(factor, h / k);
    C term = (C)((T)1, (T)0), sum = term;
    for (int k = 1; k < 60; k++) {
      term = complex_multiply_T(term, square) * (-1 / ((T)k * (n + k)));
      sum += term;
      if (fabs(term.x) + fabs(term.y) < T_EPSILON * L(0.1)) break;
    }
    return complex_multiply_T(factor, sum);
  }
  if (length > 100 && n < length) {
    /* Half the sum of both Hankel functions, and the orders upwards. */
    const C mirrored = (C)(z.x, -z.y);
    const C a0 = complex_hankel_T(0, z), b0 = complex_hankel_T(0, mirrored);
    C before = (C)(a0.x + b0.x, a0.y - b0.y) * L(0.5);
    if (n == 0) return before;
    const C a1 = complex_hankel_T(1, z), b1 = complex_hankel_T(1, mirrored);
    C value = (C)(a1.x + b1.x, a1.y - b1.y) * L(0.5);
    const C twice = complex_reciprocal_T(z * L(0.5));
    for (int k = 1; k < n; k++) {
      const C next = complex_multiply_T(twice, value) * k - before;
      before = value;
      value = next;
    }
    return value;
  }
  /* Downwards from an order where it is as good as 0; J0 + 2 (-i) J1 + 2 (-i)^2 J2 ... is exp(-i z), which is large
   * here. */
  const T largest = fmax((T)n, length);
  const C twice = complex_reciprocal_T(z * L(0.5));
  C after = (C)((T)0, (T)0), now = (C)(T_MIN * L(1e6), (T)0), sum = after, value = after;
  for (int k = (int)(largest + (sizeof(T) == 4 ? 7 : 13) * cbrt(largest)) + 20; k > 0; k--) {
    const C before = complex_multiply_T(twice, now) * k - after;
    after = now;
    now = before;
    if (fabs(now.x) + fabs(now.y) > T_MAX * L(1e-16)) {
      const T scale = T_EPSILON * T_EPSILON;
      now *= scale;
      after *= scale;
      value *= scale;
      sum *= scale;
    }
    if (k == n + 1) value = now;
    /* (-i)^m, where m = k - 1. */
    const int m = k - 1;
    const C turned = (m & 1) == 0 ? now : (C)(now.y, -now.x);
    const T weight = (m & 2) == 0 ? (T)1 : (T)-1;
    sum += turned * (m == 0 ? (T)1 : 2 * weight);
  }
  return complex_multiply_T(complex_divide_T(value, sum), complex_exp_T((C)(z.y, -z.x)));
}

/*
 * H of order 0 or 1 in the upper half plane from |z| = 2 on: by the trapezoidal rule, the integral of exp(-t * t) times
 * (1 + i t * t / (2 z)) to the power of -1/2 or t * t times that of 1/2.
 */
__constant T hankel_direct_T[27] = TABLE(gauss);
C complex_hankel_integral_T(const int n, const C z) {
  const C inverse = complex_reciprocal_T(z) * L(0.5);
  C sum = (C)(n == 0 ? L(0.5) : (T)0, (T)0);
  for (int k = 1; k < 27; k++) {
    const T square = L(0.0576) * (k * k);
    const C root = complex_sqrt_T((C)(1 - square * inverse.y, square * inverse.x));
    sum += (n == 0 ? complex_reciprocal_T(root) : root * square) * hankel_direct_T[k];
  }
  return sum;
}

/* The same in the quarter below it on the right from |z| = 4 on, along a line that is turned by -30 degrees. */
__constant T hankel_turned_T[76] = TABLE(turned);
C complex_hankel_turned_T(const int n, const C z) {
  const C direction = (C)(L(0.5), L(-0.866025403784438646763));
  const C inverse = complex_multiply_T(complex_reciprocal_T(z) * L(0.5), direction);
  C sum = (C)(n == 0 ? L(0.5) : (T)0, (T)0);
  for (int k = 1; k < 38; k++) {
    const T square = L(0.0576) * (k * k);
    const C root = complex_sqrt_T((C)(1 - square * inverse.y, square * inverse.x));
    const C value = n == 0 ? complex_reciprocal_T(root) : complex_multiply_T(direction, root) * square;
    sum += complex_multiply_T(value, (C)(hankel_turned_T[2 * k], hankel_turned_T[2 * k + 1]));
  }
  return complex_multiply_T(sum, (C)(L(0.866025403784438646763), L(-0.5)));
}

/* sqrt(2 / (pi z)) exp(i (z - angle)) times what the integrals lack. */
C complex_hankel_factor_T(const int n, const C z, const C integral) {
  const T root = L(0.707106781186547524401);
  const C wave = complex_multiply_T(complex_exp_T((C)(-z.y, z.x)), (C)(n == 0 ? root : -root, -root));
  const C value = complex_multiply_T(wave, complex_divide_T(integral, complex_sqrt_T(z)));
  /* Twice the step, divided by pi / sqrt(2), and doubled for order 1. */
  return value * (L(0.216075915877705456693) * (n + 1));
}

/* J + i Y by their series. */
C complex_hankel_series_T(const int n, const C z) {
  const C h = z * L(0.5), square = complex_square_T(h);
  /* J, and the part of Y that has harmonic numbers. */
  C term = n == 0 ? (C)((T)1, (T)0) : h;
  T harmonic = n == 0 ? (T)0 : (T)1;
  C j = term, y = term * harmonic;
  for (int k = 1; k < 40; k++) {
    term = complex_multiply_T(term, square) * (-1 / ((T)k * (k + n)));
    harmonic += n == 0 ? (T)2 / k : (T)1 / k + (T)1 / (k + 1);
    j += term;
    y += term * harmonic;
    if ((fabs(term.x) + fabs(term.y)) * harmonic < T_EPSILON * L(0.1) * (fabs(j.x) + fabs(j.y))) break;
  }
  const C logarithm = complex_log_T(h) + (C)(L(0.577215664901532860607), (T)0);
  C whole = complex_multiply_T(logarithm, j) * L(0.636619772367581343076) - y * L(0.318309886183790671538);
  if (n == 1) whole -= complex_reciprocal_T(z) * L(0.636619772367581343076);
  return (C)(j.x - whole.y, j.y + whole.x);
}

/* H of the first kind, of order 0 or 1. */
C complex_hankel_T(const int n, const C z) {
  const T length = complex_length_T(z);
  if (length < (z.y >= 0 ? 2 : 4)) return complex_hankel_series_T(n, z.y == 0 ? (C)(z.x, (T)0) : z);
  if (z.y >= 0) return complex_hankel_factor_T(n, z, complex_hankel_integral_T(n, z));
  if (z.x >= 0) return complex_hankel_factor_T(n, z, complex_hankel_turned_T(n, z));
  /* The third quarter: by both kinds at -z. */
  const C first = complex_hankel_factor_T(n, -z, complex_hankel_integral_T(n, -z));
  const C below = (C)(-z.x, z.y);
  const C second = complex_hankel_factor_T(n, below, complex_hankel_turned_T(n, below));
  const T sign = n == 0 ? 1 : -1;
  return (C)(sign * (2 * first.x + second.x), sign * (2 * first.y - second.y));
}

C complex_hankel1_T(const C order, const C z) {
  if (order.y != 0 || order.x != rint(order.x) || fabs(order.x) > 100000 || complex_isnan_T(z))
    return (C)((T)NAN, (T)NAN);
  if (z.x == 0 && z.y == 0) return (C)((T)NAN, (T)NAN);
  const int n = (int)fabs(order.x);
  const T sign = (n & 1) == 1 && order.x < 0 ? -1 : 1;
  if (n < 2) return complex_hankel_T(n, z) * sign;
  if (z.y >= 0) return complex_hankel_upwards_T(n, z) * sign;
  /* Below the real axis it is mostly J, which is lost upwards. */
  const C mirrored = (C)(z.x, -z.y);
  const C second = complex_hankel_upwards_T(n, mirrored), j = complex_jn_upper_T(n, mirrored);
  return (C)(2 * j.x - second.x, second.y - 2 * j.y) * sign;
}

C complex_hankel_upwards_T(const int n, const C z) {
  C before = complex_hankel_T(0, z), value = complex_hankel_T(1, z);
  const C twice = complex_reciprocal_T(z * L(0.5));
  for (int k = 1; k < n; k++) {
    const C next = complex_multiply_T(twice, value) * k - before;
    before = value;
    value = next;
  }
  return value;
}

C complex_hankel2_T(const C order, const C z) {
  const C value = complex_hankel1_T((C)(order.x, -order.y), (C)(z.x, -z.y));
  return (C)(value.x, -value.y);
}

C complex_wofz_T(const C given) {
  if (complex_isnan_T(given)) return (C)((T)NAN, (T)NAN);
  /* In the first quarter, from which the others come. */
  const C z = (C)(fabs(given.x), fabs(given.y));
  const C w = complex_wofz_quarter_T(z);
  if (given.y >= 0) return given.x < 0 ? (C)(w.x, -w.y) : w;
  /* 2 exp(-z * z) - w(-z) */
  const C e = complex_exp_minus_square_T(given) * 2;
  return e - (given.x > 0 ? (C)(w.x, -w.y) : w);
}

/* exp(-z * z), with the digits of the square that T has no place for. */
C complex_exp_minus_square_T(const C z) {
  const T a = z.y * z.y, b = z.x * z.x, product = 2 * z.x * z.y;
  const T difference = a - b, back = difference - a;
  const T lost = (a - (difference - back)) - (b + back) + fma(z.y, z.y, -a) - fma(z.x, z.x, -b);
  const C value = complex_exp_T((C)(difference, -product));
  if (!(fabs(lost) < 1)) return value;
  return complex_multiply_T(value, (C)(1 + lost, -fma(2 * z.x, z.y, -product)));
}

/* The trapezoidal rule with the poles that it meets, by Matta and Reichel; its nodes keep away from z. */
__constant T faddeeva_between_T[12] = TABLE(faddeeva1);
__constant T faddeeva_whole_T[12] = TABLE(faddeeva0);
C complex_wofz_quarter_T(const C z) {
  if (complex_length_T(z) > L(1e8)) {
    const C far = complex_reciprocal_T(z) * L(0.564189583547756286948);
    return (C)(-far.y, far.x);
  }
  const T step = L(0.51166335397324424424);
  const C square = complex_square_T(z);
  const T places = z.x / step, fraction = places - floor(places);
  const bool whole = z.y < z.x && fraction >= L(0.25) && fraction <= L(0.75);
  C sum = (C)((T)0, (T)0);
  for (int k = 0; k < 12; k++) {
    const T t = (k + (whole ? (T)0 : L(0.5))) * step;
    const T weight = whole ? faddeeva_whole_T[k] * (k == 0 ? L(0.5) : (T)1) : faddeeva_between_T[k];
    sum += complex_reciprocal_T(square - (C)(t * t, (T)0)) * weight;
  }
  const C product = complex_multiply_T(z, sum) * (2 * step * L(0.318309886183790671538));
  const C value = (C)(-product.y, product.x);
  /* If the poles are too far away to matter, their terms would be quotients of infinities. */
  if (z.y >= fmax(z.x, L(6.13996)) || (z.y - z.x) * (z.y + z.x) - L(12.2799) * z.y < -45) return value;
  const C wave = complex_exp_T((C)(z.y, -z.x) * (L(6.28318530717958647693) / step));
  const C pole = whole ? (C)(1 - wave.x, -wave.y) : (C)(1 + wave.x, wave.y);
  return value + complex_divide_T(complex_exp_minus_square_T(z), pole) * 2;
}
