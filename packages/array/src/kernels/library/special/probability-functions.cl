// Functions of probability and information theory, and Lambert's W.
// Separated by empty lines; functionsOf takes them apart.
//   C, T, T_MAX, T_MIN, T_EPSILON: the complex type, the type of a part, and its limits
//   L(number): a constant of type T
//   POLYNOMIAL(name, t), TABLE(name): a polynomial, and a list of numbers, of coefficients.ts
//   BOOLEAN: the integer that select() takes

T expit_T(const T x) { return 1 / (1 + exp(-x)); }

T logit_T(const T p) { return p > L(0.3) && p < L(0.65) ? 2 * atanh(2 * p - 1) : log(p / (1 - p)); }

T log_expit_T(const T x) { return x < 0 ? x - log1p(exp(x)) : -log1p(exp(-x)); }

T entr_T(const T x) { return x > 0 ? -x * log(x) : x == 0 ? (T)0 : isnan(x) ? x : -(T)INFINITY; }

T xlogy_T(const T x, const T y) { return x == 0 && !isnan(y) ? (T)0 : x * log(y); }

T xlog1py_T(const T x, const T y) { return x == 0 && !isnan(y) ? (T)0 : x * log1p(y); }

T rel_entr_T(const T x, const T y) {
  if (isnan(x) || isnan(y)) return (T)NAN;
  if (x > 0 && y > 0) return x * log(x / y);
  return x == 0 && y >= 0 ? (T)0 : (T)INFINITY;
}

T kl_div_T(const T x, const T y) {
  if (isnan(x) || isnan(y)) return (T)NAN;
  if (x > 0 && y > 0) return x * log(x / y) - x + y;
  return x == 0 && y >= 0 ? y : (T)INFINITY;
}

T exprel_T(const T x) {
  if (fabs(x) < T_EPSILON) return 1;
  if (x < 60 || isinf(x)) return x > 0 && isinf(x) ? x : expm1(x) / x;
  /* In halves, since the power overflows before the quotient does. */
  const T h = exp(L(0.5) * x);
  return h / x * h;
}

/* The real part of the branch 0 that is real: x >= -1 / e. By Halley's method. */
T lambertw_T(const T x) {
  if (isnan(x) || isinf(x)) return x > 0 ? x : (T)NAN;
  if (x == 0) return x;
  /* 1 + e x, which needs more digits of e near the branch point. */
  const T e = L(2.71828182845904523536);
  const T e_rest = sizeof(T) == 4 ? L(8.25484007041e-8) : L(1.44564689172925013e-16);
  const T product = e * x;
  const T above = (1 + product) + (fma(e, x, -product) + e_rest * x);
  if (above < 0) return (T)NAN;
  const T p = sqrt(2 * above);
  if (p < (sizeof(T) == 4 ? L(0.05) : L(0.002))) {
    return -1 + p * (1 + p * (L(-0.333333333333333333333) +
                              p * (L(0.152777777777777777778) +
                                   p * (L(-0.0796296296296296296296) + p * L(0.0445023148148148148148)))));
  }
  T w;
  if (x < 1)
    w = p < 1 ? -1 + p * (1 - p * (L(0.3333333) - p * L(0.1527778))) : x / (1 + x * L(0.8));
  else {
    const T l = log(x);
    w = x < 4 ? L(0.567) + L(0.35) * (x - 1) : l - log(l) + log(l) / l;
  }
  for (int k = 0; k < 12; k++) {
    const T power = exp(w), f = w * power - x;
    const T step = f / (power * (w + 1) - (w + 2) * f / (2 * w + 2));
    w -= step;
    if (fabs(step) < 4 * T_EPSILON * fabs(w)) break;
  }
  return w;
}
