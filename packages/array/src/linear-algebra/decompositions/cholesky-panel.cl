// The Cholesky decomposition of few rows in place: an upper triangle R with R^H R = A. A group has one matrix.
//   LOCAL, LANES, TEAMS: work-items of a group, of a team, and teams of a group
//   INDEFINITE_FAULT: the fault of a matrix that is not positive definite

#if LOCAL == 1
#define TOGETHER
#define VECTORIZED _Pragma("clang loop vectorize(assume_safety) vectorize_width(8)")
#else
#define TOGETHER barrier(CLK_GLOBAL_MEM_FENCE)
#define VECTORIZED
#endif

__kernel __attribute__((reqd_work_group_size(LOCAL, 1, 1))) void cholesky_panel(__global T* const memory,
                                                                                volatile __global int* const fault,
                                                                                const Place at, const int size,
                                                                                const int routine, const int stacked,
                                                                                const int first) {
  const long matrix = get_group_id(0);
  __global T* const a = memory + at.offset + matrix * at.matrix;
  const int item = get_local_id(0), lane = item % LANES, team = item / LANES;
  for (int j = 0; j < size; j++) {
    __global T* const top = a + j * at.row;
    const R square = real_of(top[j]);
    const R root = sqrt(square);
    TOGETHER;
    /* Not a number is not positive either. */
    if (!(square > 0) && item == 0) note_fault(fault, INDEFINITE_FAULT, routine, stacked ? matrix : -1, first + j);
    for (int c = j + item; c < size; c += LOCAL) {
      top[c] = c == j ? of_parts(root, (R)0) : of_parts(real_of(top[c]) / root, imaginary_of(top[c]) / root);
    }
    TOGETHER;
    for (int i = j + 1 + team; i < size; i += TEAMS) {
      const T factor = conjugate(top[i]);
      __global T* const line = a + i * at.row;
      VECTORIZED
      for (int c = i + lane; c < size; c += LANES) line[c] = less_product(line[c], factor, top[c]);
    }
    TOGETHER;
  }
}
