// The arithmetic that all solvers share: the same names for real and for complex elements.
//   T, R: the type of elements and that of their real parts
//   IS_COMPLEX: whether elements are complex numbers

#if IS_COMPLEX
#define of_parts(re, im) ((T)(re, im))
#define real_of(a) ((a).x)
#define imaginary_of(a) ((a).y)
#define scale(a, r) ((a) * (r))
#define conjugate(a) ((T)((a).x, -(a).y))
#define conjugate_if(a, flag) ((T)((a).x, (flag) ? -(a).y : (a).y))
/* By the size that LAPACK chooses pivots by. */
#define size_of(a) (fabs((a).x) + fabs((a).y))
#define square_of(a) ((a).x * (a).x + (a).y * (a).y)
#define is_zero(a) ((a).x == 0 && (a).y == 0)
T multiply(const T a, const T b) { return (T)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
T add_product(const T c, const T a, const T b) { return (T)(c.x + a.x * b.x - a.y * b.y, c.y + a.x * b.y + a.y * b.x); }
T less_product(const T c, const T a, const T b) {
  return (T)(c.x - a.x * b.x + a.y * b.y, c.y - a.x * b.y - a.y * b.x);
}
/* Smith's way, which does not overflow between. */
T quotient(const T a, const T b) {
  if (fabs(b.x) >= fabs(b.y)) {
    const R ratio = b.y / b.x, whole = b.x + b.y * ratio;
    return (T)((a.x + a.y * ratio) / whole, (a.y - a.x * ratio) / whole);
  }
  const R ratio = b.x / b.y, whole = b.x * ratio + b.y;
  return (T)((a.x * ratio + a.y) / whole, (a.y * ratio - a.x) / whole);
}
#else
#define of_parts(re, im) (re)
#define real_of(a) (a)
#define imaginary_of(a) ((R)0)
#define multiply(a, b) ((a) * (b))
#define scale(a, r) ((a) * (r))
#define add_product(c, a, b) ((c) + (a) * (b))
#define less_product(c, a, b) ((c) - (a) * (b))
#define quotient(a, b) ((a) / (b))
#define conjugate(a) (a)
#define conjugate_if(a, flag) (a)
#define size_of(a) fabs(a)
#define square_of(a) ((a) * (a))
#define is_zero(a) ((a) == 0)
#endif

// The layout of a stack of matrices, in elements.
typedef struct {
  long offset;
  long row;
  long column;
  long matrix;
} Place;
