// Householder reflections of the columns of a panel, one after the other, with LAPACK's sign convention. R is left on
// and above the diagonal; the elements below are undefined. The Householder vectors are stored separately, including
// the zeros and ones that LAPACK omits.
//   LOCAL, LANES, TEAMS: work-items of a group, of a team, and teams of a group
//   PANEL_COLUMNS: the most columns of a panel

__kernel __attribute__((reqd_work_group_size(LOCAL, 1, 1))) void householder_panel(
    __global T* const memory, __global T* const vector_memory, __global T* const factors, const Place at,
    const Place vectors_at, const int rows, const int columns, const int start, const int factor_count) {
  const long matrix = get_group_id(0);
  __global T* const a = memory + at.offset + matrix * at.matrix;
  __global T* const vectors = vector_memory + vectors_at.offset + matrix * vectors_at.matrix;
  const int item = get_local_id(0), lane = item % LANES, team = item / LANES;
#if LOCAL == 1
  T sums[PANEL_COLUMNS];
#else
  __local R parts[LOCAL];
  __local T sums[TEAMS][PANEL_COLUMNS];
#endif
  const int steps = min(rows, columns);
  for (int j = 0; j < steps; j++) {
    /* Of numbers of size 1 at most, whose squares do not overflow. */
    R largest = 0;
    for (int i = j + item; i < rows; i += LOCAL) {
      const T value = a[i * at.row + j];
      largest = fmax(largest, fmax(fabs(real_of(value)), fabs(imaginary_of(value))));
    }
#if LOCAL > 1
    largest = largest_of(parts, largest, item);
#endif
    const R down = largest > 0 ? 1 / largest : 0;
    R sum = 0;
    for (int i = j + 1 + item; i < rows; i += LOCAL) {
      const T value = scale(a[i * at.row + j], down);
      sum += square_of(value);
    }
#if LOCAL > 1
    sum = sum_of(parts, sum, item);
#endif
    const T alpha = a[j * at.row + j];
    const T small = scale(alpha, down);
    T factor = of_parts((R)0, (R)0);
    T beta = alpha;
    T inverse = factor;
    if (sum > 0 || imaginary_of(alpha) != 0) {
      const R length = largest * sqrt(square_of(small) + sum);
      const R whole = real_of(alpha) > 0 ? -length : length;
      beta = of_parts(whole, (R)0);
      factor = of_parts((whole - real_of(alpha)) / whole, -imaginary_of(alpha) / whole);
      inverse = quotient(of_parts((R)1, (R)0), alpha - beta);
    }
#if LOCAL > 1
    barrier(CLK_GLOBAL_MEM_FENCE);
#endif
    if (item == 0) factors[matrix * factor_count + start + j] = factor;
    for (int i = item; i < rows; i += LOCAL) {
      const T zero = of_parts((R)0, (R)0), one = of_parts((R)1, (R)0);
      vectors[i * vectors_at.row + j] = i < j ? zero : i == j ? one : multiply(a[i * at.row + j], inverse);
    }
    if (item == 0) a[j * at.row + j] = beta;
#if LOCAL > 1
    barrier(CLK_GLOBAL_MEM_FENCE);
#endif
    if (is_zero(factor)) continue;
#if LOCAL == 1
    for (int c = j + 1; c < columns; c++) sums[c] = of_parts((R)0, (R)0);
    for (int i = j; i < rows; i++) {
      const T value = conjugate(vectors[i * vectors_at.row + j]);
      __global const T* const line = a + i * at.row;
      _Pragma("clang loop vectorize(assume_safety) vectorize_width(8)") for (int c = j + 1; c < columns; c++) sums[c] =
          add_product(sums[c], value, line[c]);
    }
    for (int c = j + 1; c < columns; c++) sums[c] = multiply(sums[c], conjugate(factor));
    for (int i = j; i < rows; i++) {
      const T value = vectors[i * vectors_at.row + j];
      __global T* const line = a + i * at.row;
      _Pragma("clang loop vectorize(assume_safety) vectorize_width(8)") for (int c = j + 1; c < columns; c++) line[c] =
          less_product(line[c], value, sums[c]);
    }
#else
    // Teams have rows, lanes have columns.
    for (int c = lane; c < PANEL_COLUMNS; c += LANES) {
      T own = of_parts((R)0, (R)0);
      if (c > j && c < columns) {
        for (int i = j + team; i < rows; i += TEAMS) {
          own = add_product(own, conjugate(vectors[i * vectors_at.row + j]), a[i * at.row + c]);
        }
      }
      sums[team][c] = own;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (int c = j + 1 + lane; c < columns; c += LANES) {
      T whole = of_parts((R)0, (R)0);
      for (int t = 0; t < TEAMS; t++) whole += sums[t][c];
      whole = multiply(whole, conjugate(factor));
      for (int i = j + team; i < rows; i += TEAMS) {
        a[i * at.row + c] = less_product(a[i * at.row + c], vectors[i * vectors_at.row + j], whole);
      }
    }
    barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
#endif
  }
}
