// NumPy's linspace, logspace and geomspace, computed in float64.
//   T: the type of elements in memory
//   DIVIDES: whether the index is divided first, because the step is too small to be told from 0
//   VALUE(linear): the element of a number of equal steps
//   IS_GEOMETRIC: whether both ends are exact
//   STORE(i, value): the statement that stores a number

typedef struct {
  double start, stop, step, parts, delta, base, factor, first, last;
  /* Whether the last element is the end, exactly. */
  long ends;
} Spaced;

__kernel void sequence(__global T* const out, const long size, const Spaced by) {
  const long i = (long)get_global_id(0);
  if (i >= size) return;
  const double parts = by.parts, delta = by.delta, step = by.step, base = by.base, factor = by.factor;
  const int last = by.ends != 0 && i == size - 1 && i > 0;
#if DIVIDES
  const double linear = last ? by.stop : (double)i / parts * delta + by.start;
#else
  const double linear = last ? by.stop : (double)i * step + by.start;
#endif
  double value = VALUE(linear);
#if IS_GEOMETRIC
  if (i == 0) value = by.first;
  if (last) value = by.last;
#endif
  STORE(i, value)
}
