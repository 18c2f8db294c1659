/* Sums along the axes of a matrix. */
#pragma OPENCL FP_CONTRACT OFF

#define WIDTH 256

/* Sums 16 * COUNT columns from `column` in registers, row by row. */
#define COLUMNS(COUNT) \
  { \
    float16 total[COUNT]; \
    _Pragma("unroll") for (int k = 0; k < COUNT; k++) total[k] = 0; \
    for (int row = 0; row < rows; row++) { \
      __global const float* const from = a + (long)row * columns + column; \
      _Pragma("unroll") for (int k = 0; k < COUNT; k++) total[k] += vload16(k, from); \
    } \
    _Pragma("unroll") for (int k = 0; k < COUNT; k++) vstore16(total[k], k, out + column); \
    column += 16 * COUNT; \
  }

/* A group of one work-item per 256 columns; the last one may have fewer. */
__kernel void sum_rows(__global const float* a, __global float* out, const int rows, const int columns) {
  int column = get_group_id(0) * WIDTH;
  const int end = min(column + WIDTH, columns);
  if (column + WIDTH <= end) COLUMNS(16)
  if (column + 128 <= end) COLUMNS(8)
  if (column + 64 <= end) COLUMNS(4)
  if (column + 32 <= end) COLUMNS(2)
  if (column + 16 <= end) COLUMNS(1)
  for (; column < end; column++) {
    float total = 0;
    for (int row = 0; row < rows; row++) total += a[(long)row * columns + column];
    out[column] = total;
  }
}

/* Each group of one work-item sums a chunk of rows. */
__kernel void sum_columns(__global const float* a, __global float* out, const int rows, const int columns) {
  const int group = get_group_id(0), groups = get_num_groups(0);
  for (int row = (long)rows * group / groups; row < (long)rows * (group + 1) / groups; row++) {
    __global const float* const from = a + (long)row * columns;
    float16 part[4] = {0, 0, 0, 0};
    int k = 0;
    for (; k + 64 <= columns; k += 64) _Pragma("unroll") for (int p = 0; p < 4; p++) part[p] += vload16(p, from + k);
    for (; k + 16 <= columns; k += 16) part[0] += vload16(0, from + k);
    float rest = 0;
    for (; k < columns; k++) rest += from[k];
    if (columns < 16) {
      out[row] = rest;
      continue;
    }
    const float16 total = (part[0] + part[1]) + (part[2] + part[3]);
    const float8 eight = total.lo + total.hi;
    const float4 four = eight.lo + eight.hi;
    const float2 two = four.lo + four.hi;
    out[row] = two.lo + two.hi + rest;
  }
}
