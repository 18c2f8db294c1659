// Adds a product to a matrix or subtracts it: `c = keep c + sign (a b)`; rows of `b` and `c` are contiguous.
//   LOCAL: 1 if a work-item has a part of PART_ROWS x PART_COLUMNS elements; otherwise a group has TILE x TILE
//   WIDTH, VLOAD, VSTORE: elements of a vector, its loads and stores

#if LOCAL > 1
#define SIDE 16
#define GROUP __attribute__((reqd_work_group_size(SIDE, SIDE, 1)))
#else
#define GROUP
#endif
#if LOCAL == 1 && !IS_COMPLEX
#define ROWS 8
typedef T V __attribute__((ext_vector_type(WIDTH)));
#endif

__kernel GROUP void product(__global T* const c_memory, __global const T* const a_memory,
                            __global const T* const b_memory, const Place c_at, const Place a_at, const Place b_at,
                            const int rows, const int inner, const int columns, const int conjugated, const int keep,
                            const int sign) {
  const long matrix = get_global_id(2);
  __global T* const c = c_memory + c_at.offset + matrix * c_at.matrix;
  __global const T* const a = a_memory + a_at.offset + matrix * a_at.matrix;
  __global const T* const b = b_memory + b_at.offset + matrix * b_at.matrix;
#if LOCAL == 1
  const int top = (int)get_global_id(0) * PART_ROWS, bottom = min(top + PART_ROWS, rows);
  const int left = (int)get_global_id(1) * PART_COLUMNS, right = min(left + PART_COLUMNS, columns);
#endif
#if LOCAL > 1
  // Tiles are staged in local memory; each of 16 x 16 work-items has 4 x 4 elements, 16 apart so that adjacent
  // work-items store adjacent elements.
  __local T a_tile[SIDE][TILE + 1];
  __local T b_tile[SIDE][TILE];
  const int x = get_local_id(0), y = get_local_id(1);
  const int left = (int)get_group_id(0) * TILE, top = (int)get_group_id(1) * TILE;
  const T zero = of_parts((R)0, (R)0);
  T sums[4][4];
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) sums[i][j] = zero;
  for (int start = 0; start < inner; start += SIDE) {
    for (int i = 0; i < 4; i++) {
      /* Loads along the axis of a that is contiguous. */
      const int down = a_at.column == 1 ? y + SIDE * i : x + SIDE * i, right = a_at.column == 1 ? x : y;
      const bool inside = top + down < rows && start + right < inner;
      a_tile[right][down] =
          inside ? conjugate_if(a[(top + down) * a_at.row + (start + right) * a_at.column], conjugated) : zero;
      const int column = left + x + SIDE * i;
      b_tile[y][x + SIDE * i] = column < columns && start + y < inner ? b[(start + y) * b_at.row + column] : zero;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < SIDE; k++) {
      T down[4], right[4];
      for (int i = 0; i < 4; i++) {
        down[i] = a_tile[k][y + SIDE * i];
        right[i] = b_tile[k][x + SIDE * i];
      }
      for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) sums[i][j] = add_product(sums[i][j], down[i], right[j]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < 4; j++) {
      const int row = top + y + SIDE * i, column = left + x + SIDE * j;
      if (row >= rows || column >= columns) continue;
      __global T* const target = c + row * c_at.row + column;
      const T value = sign > 0 ? sums[i][j] : -sums[i][j];
      *target = keep ? *target + value : value;
    }
  }
#elif IS_COMPLEX
  // Accumulates row by row, so that adjacent elements are computed together.
  for (int row = top; row < bottom; row++) {
    __global T* const line = c + row * c_at.row;
    if (!keep)
      for (int j = left; j < right; j++) line[j] = (T)(0, 0);
    for (int k = 0; k < inner; k++) {
      const T value = conjugate_if(a[row * a_at.row + k * a_at.column], conjugated);
      const T factor = sign > 0 ? value : -value;
      __global const T* const other = b + k * b_at.row;
      _Pragma("clang loop vectorize(assume_safety)") for (int j = left; j < right; j++) line[j] =
          add_product(line[j], factor, other[j]);
    }
  }
#else
  // Eight rows by two vectors stay in registers. Rows beyond the last are computed as the last, and not stored.
  int from = left;
  for (; from + 2 * WIDTH <= right; from += 2 * WIDTH) {
    for (int row = top; row < bottom; row += ROWS) {
      V sums[ROWS][2];
      __global const T* lines[ROWS];
      _Pragma("unroll") for (int r = 0; r < ROWS; r++) {
        sums[r][0] = sums[r][1] = (V)0;
        lines[r] = a + min(row + r, bottom - 1) * a_at.row;
      }
      for (int k = 0; k < inner; k++) {
        const V one = VLOAD(0, b + k * b_at.row + from);
        const V other = VLOAD(0, b + k * b_at.row + from + WIDTH);
        _Pragma("unroll") for (int r = 0; r < ROWS; r++) {
          const V factor = (V)lines[r][k * a_at.column];
          sums[r][0] += factor * one;
          sums[r][1] += factor * other;
        }
      }
      for (int r = 0; r < ROWS && row + r < bottom; r++) {
        __global T* const line = c + (row + r) * c_at.row + from;
        const V one = sign > 0 ? sums[r][0] : -sums[r][0], other = sign > 0 ? sums[r][1] : -sums[r][1];
        VSTORE(keep ? VLOAD(0, line) + one : one, 0, line);
        VSTORE(keep ? VLOAD(1, line) + other : other, 1, line);
      }
    }
  }
  for (; from < right; from += 4) {
    const int wide = min(4, right - from);
    for (int row = top; row < bottom; row += ROWS) {
      T sums[ROWS][4];
      for (int r = 0; r < ROWS; r++)
        for (int j = 0; j < 4; j++) sums[r][j] = 0;
      for (int k = 0; k < inner; k++) {
        T line[4];
        _Pragma("unroll") for (int j = 0; j < 4; j++) line[j] = b[k * b_at.row + from + min(j, wide - 1)];
        _Pragma("unroll") for (int r = 0; r < ROWS; r++) {
          const T factor = a[min(row + r, bottom - 1) * a_at.row + k * a_at.column];
          _Pragma("unroll") for (int j = 0; j < 4; j++) sums[r][j] += factor * line[j];
        }
      }
      for (int r = 0; r < ROWS && row + r < bottom; r++) {
        for (int j = 0; j < wide; j++) {
          __global T* const target = c + (row + r) * c_at.row + from + j;
          *target = (keep ? *target : 0) + (sign > 0 ? sums[r][j] : -sums[r][j]);
        }
      }
    }
  }
#endif
}
