// NumPy's order of elements: NaN comes last.
//   VALUE, PART: the types of elements and of their real parts
//   IS_FLOATING, IS_COMPLEX: whether elements are real or complex floating-point numbers

typedef VALUE value_t;

#if IS_COMPLEX
int less_part(const PART a, const PART b) { return a < b || (b != b && a == a); }

int same_part(const PART a, const PART b) { return a == b || (a != a && b != b); }

/* By real parts, then by imaginary ones; any part that is no number comes behind all numbers. */
int less(const value_t a, const value_t b) {
  const int a_none = a.x != a.x || a.y != a.y;
  const int b_none = b.x != b.x || b.y != b.y;
  if (a_none != b_none) return b_none;
  return same_part(a.x, b.x) ? less_part(a.y, b.y) : less_part(a.x, b.x);
}
#elif IS_FLOATING
int less(const value_t a, const value_t b) { return (a < b) | ((b != b) & (a == a)); }
#else
int less(const value_t a, const value_t b) { return a < b; }
#endif
