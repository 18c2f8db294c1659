/** Bessel functions of orders 0 and 1 in OpenCL C, which bessel-functions.cl depends on. */

/** Returns the functions of an order, whose texts are alike. */
export function besselFunctionsOf(n: 0 | 1): Readonly<Record<string, string>> {
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
