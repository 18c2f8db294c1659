/** Complex numbers for user kernels, with PyOpenCL's names: `cfloat_t`, `cfloat_mul` … */

/**
 * Types and functions for one precision. A number is a vector of two, `(re, im)`, so that `+` and `-` work as they are; an `r` in
 * front of or behind a name says on which side a real operand stands.
 */
export function complexFunctions(real: "float" | "double"): string {
  return template.replaceAll("REAL", real).replaceAll("COMPLEX", `c${real}`);
}

const template = `
typedef REAL2 COMPLEX_t;

COMPLEX_t COMPLEX_new(const REAL re, const REAL im) { return (COMPLEX_t)(re, im); }
COMPLEX_t COMPLEX_fromreal(const REAL re) { return (COMPLEX_t)(re, 0); }
REAL COMPLEX_real(const COMPLEX_t a) { return a.x; }
REAL COMPLEX_imag(const COMPLEX_t a) { return a.y; }
REAL COMPLEX_abs(const COMPLEX_t a) { return hypot(a.x, a.y); }
REAL COMPLEX_abs_squared(const COMPLEX_t a) { return a.x * a.x + a.y * a.y; }
REAL COMPLEX_arg(const COMPLEX_t a) { return atan2(a.y, a.x); }
COMPLEX_t COMPLEX_neg(const COMPLEX_t a) { return -a; }
COMPLEX_t COMPLEX_conj(const COMPLEX_t a) { return (COMPLEX_t)(a.x, -a.y); }

COMPLEX_t COMPLEX_add(const COMPLEX_t a, const COMPLEX_t b) { return a + b; }
COMPLEX_t COMPLEX_addr(const COMPLEX_t a, const REAL b) { return (COMPLEX_t)(a.x + b, a.y); }
COMPLEX_t COMPLEX_radd(const REAL a, const COMPLEX_t b) { return (COMPLEX_t)(a + b.x, b.y); }
COMPLEX_t COMPLEX_sub(const COMPLEX_t a, const COMPLEX_t b) { return a - b; }
COMPLEX_t COMPLEX_subr(const COMPLEX_t a, const REAL b) { return (COMPLEX_t)(a.x - b, a.y); }
COMPLEX_t COMPLEX_rsub(const REAL a, const COMPLEX_t b) { return (COMPLEX_t)(a - b.x, -b.y); }

COMPLEX_t COMPLEX_mul(const COMPLEX_t a, const COMPLEX_t b) {
  return (COMPLEX_t)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
COMPLEX_t COMPLEX_mulr(const COMPLEX_t a, const REAL b) { return a * b; }
COMPLEX_t COMPLEX_rmul(const REAL a, const COMPLEX_t b) { return a * b; }
/* a * b + c */
COMPLEX_t COMPLEX_fma(const COMPLEX_t a, const COMPLEX_t b, const COMPLEX_t c) {
  return (COMPLEX_t)(fma(a.x, b.x, fma(-a.y, b.y, c.x)), fma(a.x, b.y, fma(a.y, b.x, c.y)));
}

/* Divided by the larger part of b first, so that nothing overflows that need not. */
COMPLEX_t COMPLEX_divide(const COMPLEX_t a, const COMPLEX_t b) {
  if (fabs(b.x) >= fabs(b.y)) {
    const REAL ratio = b.y / b.x;
    const REAL whole = b.x + b.y * ratio;
    return (COMPLEX_t)((a.x + a.y * ratio) / whole, (a.y - a.x * ratio) / whole);
  }
  const REAL ratio = b.x / b.y;
  const REAL whole = b.y + b.x * ratio;
  return (COMPLEX_t)((a.x * ratio + a.y) / whole, (a.y * ratio - a.x) / whole);
}
COMPLEX_t COMPLEX_divider(const COMPLEX_t a, const REAL b) { return a / b; }
COMPLEX_t COMPLEX_rdivide(const REAL a, const COMPLEX_t b) { return COMPLEX_divide((COMPLEX_t)(a, 0), b); }

COMPLEX_t COMPLEX_exp(const COMPLEX_t a) {
  REAL c;
  const REAL s = sincos(a.y, &c);
  return exp(a.x) * (COMPLEX_t)(c, s);
}
COMPLEX_t COMPLEX_log(const COMPLEX_t a) { return (COMPLEX_t)(log(hypot(a.x, a.y)), atan2(a.y, a.x)); }
/* The root whose real part is not negative; the other part comes from it by division, which loses no digits. */
COMPLEX_t COMPLEX_sqrt(const COMPLEX_t a) {
  if (a.x == 0 && a.y == 0) return (COMPLEX_t)(0, a.y);
  const REAL half_sum = sqrt((hypot(a.x, a.y) + fabs(a.x)) / 2);
  const REAL other = a.y / (2 * half_sum);
  return a.x >= 0 ? (COMPLEX_t)(half_sum, other) : (COMPLEX_t)(fabs(other), copysign(half_sum, a.y));
}
COMPLEX_t COMPLEX_pow(const COMPLEX_t a, const COMPLEX_t b) {
  if (b.x == 0 && b.y == 0) return (COMPLEX_t)(1, 0);
  if (a.x == 0 && a.y == 0) return (COMPLEX_t)(0, 0);
  return COMPLEX_exp(COMPLEX_mul(b, COMPLEX_log(a)));
}
COMPLEX_t COMPLEX_powr(const COMPLEX_t a, const REAL b) { return COMPLEX_pow(a, (COMPLEX_t)(b, 0)); }
COMPLEX_t COMPLEX_rpow(const REAL a, const COMPLEX_t b) { return COMPLEX_pow((COMPLEX_t)(a, 0), b); }

COMPLEX_t COMPLEX_sin(const COMPLEX_t a) {
  REAL c;
  const REAL s = sincos(a.x, &c);
  return (COMPLEX_t)(s * cosh(a.y), c * sinh(a.y));
}
COMPLEX_t COMPLEX_cos(const COMPLEX_t a) {
  REAL c;
  const REAL s = sincos(a.x, &c);
  return (COMPLEX_t)(c * cosh(a.y), -s * sinh(a.y));
}
COMPLEX_t COMPLEX_sinh(const COMPLEX_t a) {
  REAL c;
  const REAL s = sincos(a.y, &c);
  return (COMPLEX_t)(sinh(a.x) * c, cosh(a.x) * s);
}
COMPLEX_t COMPLEX_cosh(const COMPLEX_t a) {
  REAL c;
  const REAL s = sincos(a.y, &c);
  return (COMPLEX_t)(cosh(a.x) * c, sinh(a.x) * s);
}
COMPLEX_t COMPLEX_tan(const COMPLEX_t a) { return COMPLEX_divide(COMPLEX_sin(a), COMPLEX_cos(a)); }
COMPLEX_t COMPLEX_tanh(const COMPLEX_t a) { return COMPLEX_divide(COMPLEX_sinh(a), COMPLEX_cosh(a)); }
`;
