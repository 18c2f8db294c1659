// Binary search in sorted values. Depends on order.cl.
//   LANES: number of values that are searched together
//   INDEX: the type of indices

/* True if `middle` stands before the place of a value: the first of those that are equal, or with `after` the last. */
int is_before(const value_t middle, const value_t value, const int after) {
#if IS_COMPLEX
  return after ? !less(value, middle) : less(middle, value);
#elif IS_FLOATING
  return (middle < value) | ((middle == value) & after) | ((value != value) & (after | (middle == middle)));
#else
  return (middle < value) | ((middle == value) & after);
#endif
}

/* The number of steps depends on the length alone, so that adjacent work-items do not diverge. */
void search(__global const value_t* const sorted, const INDEX length, const value_t* const values, const int after,
            const int falls, INDEX* const first) {
  for (int j = 0; j < LANES; j++) first[j] = 0;
  if (length == 0) return;
  for (INDEX left = length; left > 1;) {
    const INDEX half_left = left / 2;
    for (int j = 0; j < LANES; j++) {
      const int before = is_before(sorted[first[j] + half_left - 1], values[j], after) ^ falls;
      first[j] += before ? half_left : 0;
    }
    left -= half_left;
  }
  for (int j = 0; j < LANES; j++) first[j] += is_before(sorted[first[j]], values[j], after) ^ falls;
}
