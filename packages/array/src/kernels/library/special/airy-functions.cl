// Airy functions of real numbers.
// Separated by empty lines; functionsOf takes them apart.
//   C, T, T_MAX, T_MIN, T_EPSILON: the complex type, the type of a part, and its limits
//   L(number): a constant of type T
//   POLYNOMIAL(name, t), TABLE(name): a polynomial, and a list of numbers, of coefficients.ts
//   BOOLEAN: the integer that select() takes

/*
 * Ai, its derivative, Bi or its derivative, for which = 0, 1, 2 or 3. From -9.5 to 9.5 by Taylor's series at the
 * nearest whole number, where both values are known: y'' = x y says all other coefficients. Beyond by asymptotic
 * series.
 */
__constant T airy_values_T[76] = TABLE(airy);
T airy_T(const T x, const int which) {
  if (isnan(x)) return x;
  if (x > L(9.5)) return airy_above_T(x, which);
  if (x < L(-9.5)) return airy_below_T(-x, which);
  const T middle = rint(x), h = x - middle;
  const int at = 4 * ((int)middle + 9) + (which & 2);
  T before = 0, now = airy_values_T[at], next = airy_values_T[at + 1];
  T power = 1, value = now, slope = next;
#pragma unroll
  for (int k = 0; k < (sizeof(T) == 4 ? 15 : 25); k++) {
    /* The coefficients of h to the powers of k, k + 1 and k + 2. */
    const T after = (middle * now + before) * ((T)1 / ((k + 1) * (k + 2)));
    before = now;
    now = next;
    next = after;
    power *= h;
    value += now * power;
    slope += (k + 2) * next * power;
  }
  return (which & 1) == 0 ? value : slope;
}

/* 2/3 x sqrt(x), and the digits that T has no place for. */
T airy_argument_T(const T x, T* rest) {
  const T root = sqrt(x);
  const T product = x * root;
  const T lost = fma(x, root, -product) + L(0.5) * x * fma(-root, root, x) / root;
  const T third = L(0.666666666666666666667);
  const T third_rest = sizeof(T) == 4 ? L(-1.98682149251302e-8) : L(3.70074341541718826e-17);
  const T value = product * third;
  *rest = fma(product, third, -value) + product * third_rest + lost * third;
  return value;
}

T airy_above_T(const T x, const int which) {
  if (x > (sizeof(T) == 4 ? 40 : 120)) return which < 2 ? (T)0 : (T)INFINITY;
  T rest;
  const T zeta = airy_argument_T(x, &rest);
  const T sign = which < 2 ? -1 : 1;
  T u = 1, sum = 1;
  for (int k = 1; k < 40; k++) {
    u *= sign * ((6 * k - 5) * (T)(6 * k - 1)) / (72 * k * zeta);
    const T term = (which & 1) == 0 ? u : u * (6 * k + 1) / (1 - 6 * k);
    sum += term;
    if (fabs(term) < T_EPSILON * L(0.1)) break;
  }
  const T root = sqrt(sqrt(x));
  /* In halves: the power may overflow where the value does not. */
  const T half_power = exp(L(0.5) * sign * zeta);
  const T scale = ((which & 1) == 0 ? 1 / root : which == 1 ? -root : root) * (which < 2 ? L(0.5) : (T)1);
  return half_power * (L(0.564189583547756286948) * scale * sum * (1 + sign * rest)) * half_power;
}

T airy_below_T(const T x, const int which) {
  if (isinf(x)) return (which & 1) == 0 ? (T)0 : (T)NAN;
  T rest;
  const T zeta = airy_argument_T(x, &rest);
  T u = 1, even = 1, odd = 0;
  for (int k = 1; k < 40; k++) {
    u *= ((6 * k - 5) * (T)(6 * k - 1)) / (72 * k * zeta);
    const T term = ((which & 1) == 0 ? u : u * (6 * k + 1) / (1 - 6 * k)) * ((k & 2) == 0 ? 1 : -1);
    if ((k & 1) == 0)
      even += term;
    else
      odd += term;
    if (fabs(term) < T_EPSILON * L(0.1)) break;
  }
  T c;
  const T s = sincos(zeta, &c);
  /* The angle is zeta + rest - pi / 4. */
  const T cosine = ((c - rest * s) + (s + rest * c)) * L(0.398942280401432677940);
  const T sine = ((s + rest * c) - (c - rest * s)) * L(0.398942280401432677940);
  const T root = sqrt(sqrt(x));
  switch (which) {
    case 0:
      return (cosine * even + sine * odd) / root;
    case 1:
      return (sine * even - cosine * odd) * root;
    case 2:
      return (cosine * odd - sine * even) / root;
    default:
      return (cosine * even + sine * odd) * root;
  }
}

T airy_ai_T(const T x) { return airy_T(x, 0); }

T airy_aip_T(const T x) { return airy_T(x, 1); }

T airy_bi_T(const T x) { return airy_T(x, 2); }

T airy_bip_T(const T x) { return airy_T(x, 3); }
