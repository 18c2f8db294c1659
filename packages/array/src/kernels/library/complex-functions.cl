// Functions of complex numbers, as vectors of two. Infinities, NaN, signed zeros and branch cuts follow Annex G of the
// C standard. Separated by empty lines; functionsOf takes them apart.
//   C, T, T_MAX, T_MIN, T_EPSILON: the complex type, the type of a part, and its limits
//   L(number): a constant of type T

/* NaN in an imaginary part counts where the real parts would decide, as in NumPy. */
uchar complex_less_T(const C a, const C b) {
  return (uchar)((a.x < b.x && !isnan(a.y) && !isnan(b.y)) || (a.x == b.x && a.y < b.y));
}

uchar complex_less_equal_T(const C a, const C b) {
  return (uchar)((a.x < b.x && !isnan(a.y) && !isnan(b.y)) || (a.x == b.x && a.y <= b.y));
}

bool complex_isnan_T(const C z) { return isnan(z.x) || isnan(z.y); }

/* |z| as hypot has it, but short enough for processors without vectors of such loops. */
T complex_length_T(const C z) {
  if (isinf(z.x) || isinf(z.y)) return (T)INFINITY;
  const T x = fabs(z.x);
  const T y = fabs(z.y);
  const T a = x >= y ? x : y;
  const T b = x >= y ? y : x;
  if (a == 0) return a + b;
  const T ratio = b / a;
  return a * sqrt(1 + ratio * ratio);
}

C complex_maximum_T(const C a, const C b) { return complex_less_equal_T(b, a) || complex_isnan_T(a) ? a : b; }

C complex_minimum_T(const C a, const C b) { return complex_less_equal_T(a, b) || complex_isnan_T(a) ? a : b; }

C complex_fmax_T(const C a, const C b) { return complex_less_equal_T(b, a) || complex_isnan_T(b) ? a : b; }

C complex_fmin_T(const C a, const C b) { return complex_less_equal_T(a, b) || complex_isnan_T(b) ? a : b; }

C complex_multiply_T(const C a, const C b) { return (C)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }

C complex_square_T(const C z) { return complex_multiply_T(z, z); }

/* By Smith: nothing overflows between that does not overflow in the result. */
C complex_divide_T(const C a, const C b) {
  if (fabs(b.x) >= fabs(b.y)) {
    if (b.x == 0 && b.y == 0) return (C)(a.x / fabs(b.x), a.y / fabs(b.x));
    const T ratio = b.y / b.x;
    const T scale = 1 / (b.x + b.y * ratio);
    return (C)((a.x + a.y * ratio) * scale, (a.y - a.x * ratio) * scale);
  }
  const T ratio = b.x / b.y;
  const T scale = 1 / (b.y + b.x * ratio);
  return (C)((a.x * ratio + a.y) * scale, (a.y * ratio - a.x) * scale);
}

C complex_reciprocal_T(const C z) {
  if (fabs(z.y) <= fabs(z.x)) {
    const T ratio = z.y / z.x;
    const T sum = z.x + z.y * ratio;
    return (C)(1 / sum, -ratio / sum);
  }
  const T ratio = z.x / z.y;
  const T sum = z.x * ratio + z.y;
  return (C)(ratio / sum, -1 / sum);
}

/* z / |z|; an infinite part outweighs the other one. */
C complex_sign_T(const C z) {
  const T length = complex_length_T(z);
  if (isnan(length)) return (C)((T)NAN, (T)NAN);
  if (isinf(length)) {
    if (isinf(z.x) && isinf(z.y)) return (C)((T)NAN, (T)NAN);
    return isinf(z.x) ? (C)(copysign((T)1, z.x), (T)0) : (C)((T)0, copysign((T)1, z.y));
  }
  return length == 0 ? (C)((T)0, (T)0) : (C)(z.x / length, z.y / length);
}

C complex_sqrt_T(const C z) {
  if (z.x == 0 && z.y == 0) return (C)((T)0, z.y);
  if (isinf(z.y)) return (C)((T)INFINITY, z.y);
  if (isnan(z.x)) return (C)(z.x, (T)NAN);
  if (isinf(z.x)) {
    const T rest = z.y - z.y;
    return z.x < 0 ? (C)(fabs(rest), copysign(z.x, z.y)) : (C)(z.x, copysign(rest, z.y));
  }
  /* What would overflow or lose digits is scaled by a power of 4, and its root by one of 2. */
  const T largest = fmax(fabs(z.x), fabs(z.y));
  const T power = largest > T_MAX / 4 ? L(0.25) : largest < T_MIN * 4 ? L(281474976710656.0) : (T)1;
  const T root = largest > T_MAX / 4 ? L(2.0) : largest < T_MIN * 4 ? L(5.9604644775390625e-8) : (T)1;
  const C w = z * power;
  const T t = sqrt((fabs(w.x) + complex_length_T(w)) * L(0.5));
  const T other = w.y / (2 * t);
  return (w.x >= 0 ? (C)(t, other) : (C)(fabs(other), copysign(t, w.y))) * root;
}

C complex_exp_T(const C z) {
  if (z.y == 0) return (C)(exp(z.x), z.y);
  if (!isfinite(z.y)) {
    if (isinf(z.x)) return z.x < 0 ? (C)((T)0, (T)0) : (C)(z.x, (T)NAN);
    return (C)((T)NAN, (T)NAN);
  }
  T c;
  const T s = sincos(z.y, &c);
  const T e = exp(z.x);
  if (isfinite(z.x) && isinf(e)) {
    /* The product may be finite though the factor is not. */
    const T h = exp(z.x * L(0.5));
    return (C)(h * c * h, h * s * h);
  }
  return (C)(e * c, e * s);
}

C complex_exp2_T(const C z) { return complex_exp_T(z * L(0.693147180559945309417)); }

C complex_expm1_T(const C z) {
  if (z.y == 0) return (C)(expm1(z.x), z.y);
  const T half_sine = sin(z.y * L(0.5));
  return (C)(expm1(z.x) * cos(z.y) - 2 * half_sine * half_sine, exp(z.x) * sin(z.y));
}

/* The logarithm of |z|, accurate where that is near 1. */
T complex_log_length_T(const C z) {
  if (isinf(z.x) || isinf(z.y)) return (T)INFINITY;
  if (complex_isnan_T(z)) return (T)NAN;
  const T a = fmax(fabs(z.x), fabs(z.y));
  const T b = fmin(fabs(z.x), fabs(z.y));
  if (a > L(0.5) && a < 2) return L(0.5) * log1p((a - 1) * (a + 1) + b * b);
  if (a > T_MAX / 4) return log(complex_length_T(z * L(0.25))) + L(1.386294361119890618835);
  return log(complex_length_T(z));
}

C complex_log_T(const C z) { return (C)(complex_log_length_T(z), atan2(z.y, z.x)); }

C complex_log2_T(const C z) { return complex_log_T(z) * L(1.44269504088896340736); }

C complex_log10_T(const C z) { return complex_log_T(z) * L(0.434294481903251827651); }

C complex_log1p_T(const C z) {
  const T angle = atan2(z.y, 1 + z.x);
  if (fabs(z.x) < L(0.5) && fabs(z.y) < L(0.5)) return (C)(L(0.5) * log1p(z.x * (2 + z.x) + z.y * z.y), angle);
  return (C)(complex_log_length_T((C)(1 + z.x, z.y)), angle);
}

/* Small whole exponents by repeated squares, all others by the logarithm, as in NumPy. */
C complex_power_T(const C a, const C b) {
  if (b.x == 0 && b.y == 0) return (C)((T)1, (T)0);
  if (a.x == 0 && a.y == 0) return b.x > 0 ? (C)((T)0, (T)0) : (C)((T)NAN, (T)NAN);
  if (b.y == 0 && fabs(b.x) < 100 && b.x == trunc(b.x)) {
    C result = (C)((T)1, (T)0);
    C factor = a;
    uint rest = (uint)fabs(b.x);
    while (true) {
      if ((rest & 1) != 0) result = complex_multiply_T(result, factor);
      rest >>= 1;
      if (rest == 0) break;
      factor = complex_multiply_T(factor, factor);
    }
    return b.x < 0 ? complex_divide_T((C)((T)1, (T)0), result) : result;
  }
  return complex_exp_T(complex_multiply_T(b, complex_log_T(a)));
}

C complex_sinh_T(const C z) {
  const T x = z.x;
  if (z.y == 0) return (C)(sinh(x), z.y);
  if (!isfinite(z.y)) return (C)(x == 0 || isinf(x) ? x : (T)NAN, (T)NAN);
  T c;
  const T s = sincos(z.y, &c);
  if (fabs(x) < 22) return (C)(sinh(x) * c, cosh(x) * s);
  const T e = exp(fabs(x));
  if (isfinite(x) && isinf(e)) {
    const T h = exp(fabs(x) * L(0.5));
    return (C)(copysign(L(0.5) * h, x) * c * h, L(0.5) * h * s * h);
  }
  return (C)(copysign(L(0.5) * e, x) * c, L(0.5) * e * s);
}

C complex_cosh_T(const C z) {
  const T x = z.x;
  if (z.y == 0) return (C)(cosh(x), signbit(x) ? -z.y : z.y);
  if (!isfinite(z.y)) return (C)(isinf(x) ? fabs(x) : (T)NAN, x == 0 ? (T)0 : (T)NAN);
  T c;
  const T s = sincos(z.y, &c);
  if (fabs(x) < 22) return (C)(cosh(x) * c, sinh(x) * s);
  const T e = exp(fabs(x));
  if (isfinite(x) && isinf(e)) {
    const T h = exp(fabs(x) * L(0.5));
    return (C)(L(0.5) * h * c * h, copysign(L(0.5) * h, x) * s * h);
  }
  return (C)(L(0.5) * e * c, copysign(L(0.5) * e, x) * s);
}

/* By Kahan: no difference of large numbers, and no overflow between. */
C complex_tanh_T(const C z) {
  const T x = z.x;
  const T y = z.y;
  if (isnan(x)) return (C)(x, y == 0 ? y : (T)NAN);
  if (isinf(x)) return (C)(copysign((T)1, x), copysign((T)0, isinf(y) ? y : sin(y) * cos(y)));
  if (!isfinite(y)) return (C)(x == 0 ? x : (T)NAN, (T)NAN);
  if (fabs(x) >= 22) {
    const T e = exp(-fabs(x));
    return (C)(copysign((T)1, x), 4 * sin(y) * cos(y) * e * e);
  }
  const T t = tan(y);
  const T beta = 1 + t * t;
  const T s = sinh(x);
  const T rho = sqrt(1 + s * s);
  if (isinf(t)) return (C)(rho / s, 1 / t);
  const T denominator = 1 + beta * s * s;
  return (C)(beta * rho * s / denominator, t / denominator);
}

/* sin z = -i sinh(i z), and likewise for those that follow. */
C complex_sin_T(const C z) {
  const C w = complex_sinh_T((C)(-z.y, z.x));
  return (C)(w.y, -w.x);
}

C complex_cos_T(const C z) { return complex_cosh_T((C)(-z.y, z.x)); }

C complex_tan_T(const C z) {
  const C w = complex_tanh_T((C)(-z.y, z.x));
  return (C)(w.y, -w.x);
}

C complex_sinc_T(const C z) {
  if (z.x == 0 && z.y == 0) return (C)((T)1, (T)0);
  const C w = z * L(3.14159265358979323846);
  return complex_divide_T(complex_sin_T(w), w);
}

/* By Kahan: of the roots of 1 - z and 1 + z, which have the signs of all branches. */
C complex_arccos_T(const C z) {
  if (complex_isnan_T(z)) {
    if (isinf(z.x)) return (C)((T)NAN, -(T)INFINITY);
    if (isinf(z.y)) return (C)((T)NAN, -z.y);
    return z.x == 0 ? (C)(L(1.57079632679489661923), (T)NAN) : (C)((T)NAN, (T)NAN);
  }
  if (isinf(z.x) || isinf(z.y)) return (C)(fabs(atan2(z.y, z.x)), signbit(z.y) ? (T)INFINITY : -(T)INFINITY);
  const C a = complex_sqrt_T((C)(1 - z.x, -z.y));
  const C b = complex_sqrt_T((C)(1 + z.x, z.y));
  return (C)(2 * atan2(a.x, b.x), asinh(b.x * a.y - b.y * a.x));
}

C complex_arccosh_T(const C z) {
  const C w = complex_arccos_T(z);
  if (isnan(w.x) && isnan(w.y)) return (C)(w.y, w.x);
  if (isnan(w.x)) return (C)(fabs(w.y), w.x);
  if (isnan(w.y)) return (C)(w.y, w.y);
  return (C)(fabs(w.y), copysign(w.x, z.y));
}

C complex_arcsinh_T(const C z) {
  if (complex_isnan_T(z)) {
    if (isinf(z.x)) return (C)(z.x, (T)NAN);
    if (isinf(z.y)) return (C)(z.y, (T)NAN);
    return z.y == 0 ? (C)((T)NAN, z.y) : (C)((T)NAN, (T)NAN);
  }
  if (isinf(z.x) || isinf(z.y)) return (C)(copysign((T)INFINITY, z.x), atan2(z.y, fabs(z.x)));
  const C a = complex_sqrt_T((C)(1 - z.y, -z.x));
  const C b = complex_sqrt_T((C)(1 + z.y, z.x));
  return (C)(asinh(a.x * b.y - a.y * b.x), atan2(z.y, a.x * b.x - a.y * b.y));
}

C complex_arcsin_T(const C z) { return complex_arcsinh_T(z.yx).yx; }

C complex_arctanh_T(const C z) {
  const T ax = fabs(z.x);
  const T ay = fabs(z.y);
  if (z.y == 0 && ax <= 1) return (C)(atanh(z.x), z.y);
  if (z.x == 0) return (C)(z.x, atan(z.y));
  if (complex_isnan_T(z)) {
    if (isinf(z.x)) return (C)(copysign((T)0, z.x), (T)NAN);
    if (isinf(z.y)) return (C)(copysign((T)0, z.x), copysign(L(1.57079632679489661923), z.y));
    return (C)((T)NAN, (T)NAN);
  }
  const T right_angle = copysign(L(1.57079632679489661923), z.y);
  if (isinf(z.x) || isinf(z.y)) return (C)(copysign((T)0, z.x), right_angle);
  if (ax > 1 / T_EPSILON || ay > 1 / T_EPSILON) return (C)(complex_reciprocal_T(z).x, right_angle);
  T re = ax == 1 && ay < T_EPSILON ? (L(0.693147180559945309417) - log(ay)) * L(0.5)
                                   : log1p(4 * ax / ((ax - 1) * (ax - 1) + ay * ay)) * L(0.25);
  T im = ax == 1 ? atan2((T)2, -ay) : atan2(2 * ay, (1 - ax) * (1 + ax) - ay * ay);
  return (C)(copysign(re, z.x), copysign(im * L(0.5), z.y));
}

C complex_arctan_T(const C z) { return complex_arctanh_T(z.yx).yx; }
