/* Each group of one work-item transposes a 64 by 64 tile, in 8 by 8 blocks in registers. */
#define TILE 64

void transpose8(__global const float* from, __global float* to, const long rows, const long columns) {
  const float8 a0 = vload8(0, from), a1 = vload8(0, from + columns), a2 = vload8(0, from + 2 * columns);
  const float8 a3 = vload8(0, from + 3 * columns), a4 = vload8(0, from + 4 * columns);
  const float8 a5 = vload8(0, from + 5 * columns), a6 = vload8(0, from + 6 * columns);
  const float8 a7 = vload8(0, from + 7 * columns);
#define LOW(x, y) (float8)(x.s0, y.s0, x.s1, y.s1, x.s4, y.s4, x.s5, y.s5)
#define HIGH(x, y) (float8)(x.s2, y.s2, x.s3, y.s3, x.s6, y.s6, x.s7, y.s7)
  const float8 b0 = LOW(a0, a1), b1 = HIGH(a0, a1), b2 = LOW(a2, a3), b3 = HIGH(a2, a3);
  const float8 b4 = LOW(a4, a5), b5 = HIGH(a4, a5), b6 = LOW(a6, a7), b7 = HIGH(a6, a7);
#define FIRST(x, y) (float8)(x.s01, y.s01, x.s45, y.s45)
#define SECOND(x, y) (float8)(x.s23, y.s23, x.s67, y.s67)
  const float8 c0 = FIRST(b0, b2), c1 = SECOND(b0, b2), c2 = FIRST(b1, b3), c3 = SECOND(b1, b3);
  const float8 c4 = FIRST(b4, b6), c5 = SECOND(b4, b6), c6 = FIRST(b5, b7), c7 = SECOND(b5, b7);
  vstore8((float8)(c0.lo, c4.lo), 0, to);
  vstore8((float8)(c1.lo, c5.lo), 0, to + rows);
  vstore8((float8)(c2.lo, c6.lo), 0, to + 2 * rows);
  vstore8((float8)(c3.lo, c7.lo), 0, to + 3 * rows);
  vstore8((float8)(c0.hi, c4.hi), 0, to + 4 * rows);
  vstore8((float8)(c1.hi, c5.hi), 0, to + 5 * rows);
  vstore8((float8)(c2.hi, c6.hi), 0, to + 6 * rows);
  vstore8((float8)(c3.hi, c7.hi), 0, to + 7 * rows);
}

__kernel void transpose(__global const float* a, __global float* out, const int rows, const int columns) {
  const int top = get_group_id(0) * TILE, left = get_group_id(1) * TILE;
  const int bottom = min(top + TILE, rows), right = min(left + TILE, columns);
  /* End of the full 8 by 8 blocks. */
  const int full = top + (bottom - top) / 8 * 8, wide = left + (right - left) / 8 * 8;
  for (int column = left; column < wide; column += 8)
    for (int row = top; row < full; row += 8)
      transpose8(a + (long)row * columns + column, out + (long)column * rows + row, rows, columns);
  for (int column = left; column < right; column++)
    for (int row = column < wide ? full : top; row < bottom; row++)
      out[(long)column * rows + row] = a[(long)row * columns + column];
}
