// Values at places between those that are known, on straight lines. Depends on search.cl.

#pragma OPENCL FP_CONTRACT OFF

__kernel void interpolate(__global const value_t* const at, const long at_first, const long count,
                          __global const value_t* const known, const long known_first, const long length,
                          __global const value_t* const values_memory, const long values_first,
                          __global const value_t* const outside, const int has_left, const int has_right,
                          __global value_t* const result) {
  const long i = get_global_id(0);
  if (i >= count) return;
  __global const value_t* const places = known + known_first;
  __global const value_t* const values = values_memory + values_first;
  const value_t x = at[at_first + i];
  long found;
  search(places, length, &x, 1, 0, &found);
  const long j = found - 1;
  value_t y;
  if (x != x) {
    y = x;
  } else if (j < 0) {
    y = has_left ? outside[0] : values[0];
  } else if (j == length - 1) {
    y = x > places[j] && has_right ? outside[1] : values[j];
  } else if (places[j] == x) {
    y = values[j];
  } else {
    const value_t slope = (values[j + 1] - values[j]) / (places[j + 1] - places[j]);
    y = slope * (x - places[j]) + values[j];
    // Infinities have no line between them, but may have one from the other side.
    if (y != y) y = slope * (x - places[j + 1]) + values[j + 1];
    if (y != y && values[j] == values[j + 1]) y = values[j];
  }
  result[i] = y;
}
