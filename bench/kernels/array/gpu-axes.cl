/* Sums along the axes of a matrix. */
#pragma OPENCL FP_CONTRACT OFF

#define LOCAL 256
#define LANES 32

/* Groups of 32 vector columns by 8 rows. Groups in the second dimension sum separate slices of the rows, stored
 * consecutively in out. */
#define SUM_ROWS(TYPE) \
  __local TYPE shared[LOCAL / LANES][LANES]; \
  const int column = get_global_id(0), lane = get_local_id(0), part = get_local_id(1); \
  const int slice = get_group_id(1), slices = get_num_groups(1); \
  const int end = (long)rows * (slice + 1) / slices; \
  TYPE total = 0, other = 0; \
  if (column < columns) { \
    int row = (int)((long)rows * slice / slices) + part; \
    for (; row + LOCAL / LANES < end; row += 2 * (LOCAL / LANES)) { \
      total += a[(long)row * columns + column]; \
      other += a[(long)(row + LOCAL / LANES) * columns + column]; \
    } \
    if (row < end) total += a[(long)row * columns + column]; \
  } \
  shared[part][lane] = total + other; \
  for (int width = LOCAL / LANES / 2; width > 0; width /= 2) { \
    barrier(CLK_LOCAL_MEM_FENCE); \
    if (part < width) shared[part][lane] += shared[part + width][lane]; \
  } \
  if (part == 0 && column < columns) out[(long)slice * columns + column] = shared[0][lane];

__kernel void sum_rows(__global const float* a, __global float* out, const int rows, const int columns){SUM_ROWS(float)}

/* The number of columns is in vectors of four. */
__kernel
    void sum_rows4(__global const float4* a, __global float4* out, const int rows, const int columns){SUM_ROWS(float4)}
/* One group per row. */
#define SUM_COLUMNS(TYPE, TOTAL) \
  __local float shared[LOCAL]; \
  const int me = get_local_id(0); \
  __global const TYPE* const from = a + (long)get_group_id(0) * columns; \
  TYPE total = 0, other = 0; \
  int k = me; \
  for (; k + LOCAL < columns; k += 2 * LOCAL) { \
    total += from[k]; \
    other += from[k + LOCAL]; \
  } \
  if (k < columns) total += from[k]; \
  total += other; \
  shared[me] = TOTAL; \
  for (int width = LOCAL / 2; width > 0; width /= 2) { \
    barrier(CLK_LOCAL_MEM_FENCE); \
    if (me < width) shared[me] += shared[me + width]; \
  } \
  if (me == 0) out[get_group_id(0)] = shared[0];

__kernel void sum_columns(__global const float* a, __global float* out, const int rows,
                          const int columns){SUM_COLUMNS(float, total)}

__kernel void sum_columns4(__global const float4* a, __global float* out, const int rows, const int columns) {
  SUM_COLUMNS(float4, (total.s0 + total.s1) + (total.s2 + total.s3))
}
