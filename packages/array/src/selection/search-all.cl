// Finds a place for each value. With `any_order` values may fall, and count from the largest then. Depends on
// search.cl.

__kernel void search_all(__global const value_t* const sorted_memory, const long sorted_first, const long length,
                         __global const value_t* const values, const long values_first, const long count,
                         __global long* const places, const int after, const int any_order) {
  const long start = (long)get_global_id(0) * LANES;
  if (start >= count) return;
  __global const value_t* const sorted = sorted_memory + sorted_first;
  const int falls = any_order && length > 1 && less(sorted[length - 1], sorted[0]);
  value_t own[LANES];
  INDEX found[LANES];
  for (int j = 0; j < LANES; j++) own[j] = values[values_first + min(start + j, count - 1)];
  search(sorted, (INDEX)length, own, after, falls, found);
  for (int j = 0; j < LANES; j++) {
    if (start + j < count) places[start + j] = found[j];
  }
}
