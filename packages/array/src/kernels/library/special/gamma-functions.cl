// The gamma function and related functions.
// Separated by empty lines; functionsOf takes them apart.
//   C, T, T_MAX, T_MIN, T_EPSILON: the complex type, the type of a part, and its limits
//   L(number): a constant of type T
//   POLYNOMIAL(name, t), TABLE(name): a polynomial, and a list of numbers, of coefficients.ts
//   BOOLEAN: the integer that select() takes

/* What Stirling's formula lacks, for x >= 10. */
T stirling_T(const T x) {
  const T u = 1 / (x * x);
  T sum = L(0.000793650793650793651);
  if (sizeof(T) > 4) {
    sum = L(0.00641025641025641026);
    sum = mad(sum, u, L(-0.00191752691752691753));
    sum = mad(sum, u, L(0.000841750841750841751));
    sum = mad(sum, u, L(-0.000595238095238095238));
    sum = mad(sum, u, L(0.000793650793650793651));
  }
  return mad(mad(sum, u, L(-0.00277777777777777777778)), u, L(0.0833333333333333333333)) / x;
}

T gamma_positive_T(T x) {
  /* Factorials are products, too, which are exact as far as T has the digits. */
  if (x >= 10 && (x > 35 || x != floor(x))) {
    if (x > (sizeof(T) == 4 ? 36 : 172)) return (T)INFINITY;
    /* In halves, since the power overflows before the product does. */
    const T h = pow(x, L(0.5) * x - L(0.25));
    return h * exp(-x) * L(2.50662827463100050242) * exp(stirling_T(x)) * h;
  }
  T above = 1, below = 1;
  while (x > 2) {
    x -= 1;
    above *= x;
  }
  if (x == 2 || x == 1) return above;
  if (x < 1) {
    below = x;
    const T t = 2 * x - 1;
    return 1 / (below * (POLYNOMIAL(rgamma, t)));
  }
  const T t = 2 * x - 3;
  return above / (POLYNOMIAL(rgamma, t));
}

T gamma_T(const T x) {
  if (isnan(x)) return x;
  if (x == 0) return copysign((T)INFINITY, x);
  if (x > 0) return gamma_positive_T(x);
  if (x == floor(x)) return (T)NAN;
  /* A product of two, since one may overflow where both do not. */
  if (x > -10) return L(3.14159265358979323846) / (sinpi(x) * gamma_positive_T(1 - x));
  const T y = 1 - x;
  if (y > 200) return 0;
  const T h = pow(y, L(0.25) - L(0.5) * y);
  return L(1.25331413731550025121) / sinpi(x) * h * exp(y) * exp(-stirling_T(y)) * h;
}

T rgamma_T(const T x) {
  if (x <= 0 && x == floor(x)) return 0;
  return 1 / gamma_T(x);
}

T factorial_T(const T x) { return x < 0 ? (T)0 : x < 2 ? gamma_T(x + 1) : x * gamma_T(x); }

/* log(gamma(1 + x)) for x from 0 to 1. */
T gammaln1p_T(const T x) {
  const T t = 2 * x - 1;
  return x * (x - 1) * (POLYNOMIAL(gammaln1, t));
}

T gammaln_positive_T(T x) {
  if (x < 1) return gammaln1p_T(x) - log(x);
  if (x <= 2) return gammaln1p_T(x - 1);
  if (x >= 10) {
    if (isinf(x)) return x;
    return (x - L(0.5)) * log(x) - x + L(0.918938533204672741780) + stirling_T(x);
  }
  T product = 1;
  while (x > 3) {
    x -= 1;
    product *= x;
  }
  const T t = 2 * x - 5;
  const T value = (x - 1) * (x - 2) * (POLYNOMIAL(gammaln2, t));
  return product == 1 ? value : value + log(product);
}

T gammaln_T(const T x) {
  if (isnan(x)) return x;
  if (x > 0) return gammaln_positive_T(x);
  if (x == floor(x)) return (T)INFINITY;
  return log(L(3.14159265358979323846) / fabs(sinpi(x))) - gammaln_positive_T(1 - x);
}

T gammasgn_T(const T x) {
  if (isnan(x)) return x;
  if (x > 0) return 1;
  if (x == 0) return copysign((T)1, x);
  const T below = floor(x);
  if (x == below) return (T)NAN;
  return fmod(below, (T)2) == 0 ? (T)1 : (T)-1;
}

T digamma_T(const T given) {
  if (given == 0) return copysign((T)INFINITY, -given);
  if (given < 0) {
    if (given == floor(given)) return (T)NAN;
    return digamma_positive_T(1 - given) - L(3.14159265358979323846) / tanpi(given);
  }
  return digamma_positive_T(given);
}

T digamma_positive_T(T x) {
  if (x >= 10) {
    const T u = 1 / (x * x);
    T sum = L(0.00396825396825396825397);
    if (sizeof(T) > 4) {
      sum = L(0.0833333333333333333333);
      sum = mad(sum, u, L(-0.0210927960927960927961));
      sum = mad(sum, u, L(0.00757575757575757575758));
      sum = mad(sum, u, L(-0.00416666666666666666667));
      sum = mad(sum, u, L(0.00396825396825396825397));
    }
    sum = mad(mad(sum, u, L(-0.00833333333333333333333)), u, L(0.0833333333333333333333));
    return log(x) - L(0.5) / x - sum * u;
  }
  T sum = 0;
  while (x > 2) {
    x -= 1;
    sum += 1 / x;
  }
  T before = 0;
  if (x < 1) {
    before = 1 / x;
    x += 1;
  }
  const T t = 2 * x - 3;
  /* The root, in two parts. */
  const T root = sizeof(T) == 4 ? L(1.4616321325302124) : L(1.4616321449683622);
  const T rest = sizeof(T) == 4 ? L(1.24381499389e-8) : L(9.54999542996569772e-17);
  const T distance = x - root - rest;
  return distance * (POLYNOMIAL(digamma, t)) + sum - before;
}

/* The sum of (q + k) ** -s over all k, by the formula of Euler and Maclaurin. */
__constant T zeta_terms_T[12] = TABLE(zeta);
T zeta_T(const T s, const T q) {
  if (isnan(s) || isnan(q) || s < 1) return (T)NAN;
  if (s == 1) return (T)INFINITY;
  if (q <= 0) {
    if (q == floor(q)) return (T)INFINITY;
    if (s != floor(s) || q < -10000) return (T)NAN;
  }
  T a = q;
  T sum = 0;
  /* Large powers need more terms before the formula is right. */
  while (a < 10 + s) {
    const T term = pow(a, -s);
    sum += term;
    a += 1;
    if (fabs(term) <= T_EPSILON * L(0.1) * fabs(sum) && a > 1) return sum;
  }
  const T power = pow(a, -s);
  sum += power * a / (s - 1) + L(0.5) * power;
  T factor = power * s / a;
  for (int k = 0; k < 12; k++) {
    const T term = zeta_terms_T[k] * factor;
    sum += term;
    if (!(fabs(term) > T_EPSILON * L(0.1) * fabs(sum))) break;
    factor *= (s + (2 * k + 1)) / a * ((s + (2 * k + 2)) / a);
  }
  return sum;
}

T polygamma_T(const T n, const T x) {
  if (n == 0) return digamma_T(x);
  if (n < 0 || n != floor(n)) return (T)NAN;
  const T value = gamma_positive_T(n + 1) * zeta_T(n + 1, x);
  return fmod(n, (T)2) == 0 ? -value : value;
}

/* log(gamma(b) / gamma(a + b)) for b >= 10, without the difference of large numbers. */
T log_quotient_T(const T a, const T b) {
  return stirling_T(b) - stirling_T(a + b) + a - (a + b - L(0.5)) * log1p(a / b) - a * log(b);
}

T betaln_T(const T x, const T y) {
  const T a = fmin(x, y), b = fmax(x, y);
  if (isnan(x) || isnan(y)) return (T)NAN;
  if (a <= 0 || b < 10) return gammaln_T(a) + gammaln_T(b) - gammaln_T(a + b);
  if (a < 10) return gammaln_positive_T(a) + log_quotient_T(a, b);
  const T rest = stirling_T(a) + stirling_T(b) - stirling_T(a + b);
  return L(-0.5) * log(b) + L(0.918938533204672741780) + rest + (a - L(0.5)) * log(a / (a + b)) - b * log1p(a / b);
}

T beta_T(const T x, const T y) {
  const T a = fmin(x, y), b = fmax(x, y);
  if (isnan(x) || isnan(y)) return (T)NAN;
  if (b < 10 && a > -10) {
    const T sum = a + b;
    if (sum <= 0 && sum == floor(sum) && a != floor(a)) return 0;
    return gamma_T(a) * (gamma_T(b) * rgamma_T(sum));
  }
  if (a > 0 && a < 10) return gamma_positive_T(a) * exp(log_quotient_T(a, b));
  if (a > 0) return exp(betaln_T(a, b));
  return gammasgn_T(a) * gammasgn_T(b) * gammasgn_T(a + b) * exp(betaln_T(a, b));
}

T binom_T(const T n, const T k) {
  if (isnan(n) || isnan(k)) return (T)NAN;
  const T less = n >= 0 && n == floor(n) && k == floor(k) && k > n / 2 ? n - k : k;
  if (less == floor(less) && fabs(less) < 200) {
    if (less < 0) return n < 0 && n == floor(n) ? (T)NAN : (T)0;
    T product = 1;
    for (int i = 1; i <= (int)less; i++) product *= (n - (less - i)) / i;
    return n == floor(n) ? rint(product) : product;
  }
  if (n < 0 && n == floor(n)) return (T)NAN;
  return 1 / ((n + 1) * beta_T(1 + n - k, 1 + k));
}
