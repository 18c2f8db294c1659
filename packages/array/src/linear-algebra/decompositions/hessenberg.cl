// Balances complex matrices and reduces them to Hessenberg form, in place, by Householder reflections. One work-group
// per matrix. The reflections are also applied to the columns of a second stack, which is stored transposed.
//   LOCAL: work-items of a group

/* Scales rows and columns by powers of two until the sizes of each row and its column are similar, as in EISPACK. */
void balance(__global T* const a, __global R* const scales, __local R* const parts, const long stride, const int n,
             const int item) {
  for (int i = item; i < n; i += LOCAL) scales[i] = 1;
  group_barrier();
  bool changed = true;
  for (int round = 0; changed && round < 32; round++) {
    changed = false;
    for (int i = 0; i < n; i++) {
      R column = 0, row = 0;
      for (int j = item; j < n; j += LOCAL) {
        if (j == i) continue;
        column += size_of(a[j * stride + i]);
        row += size_of(a[i * stride + j]);
      }
      column = sum_of(parts, column, item);
      row = sum_of(parts, row, item);
      if (!(column > 0 && row > 0 && isfinite(column + row))) continue;
      const R before = column + row;
      R factor = 1;
      for (; column < row / 2; column *= 4) factor *= 2;
      for (; column >= row * 2; column /= 4) factor /= 2;
      if ((column + row) / factor >= (R)0.95 * before) continue;
      changed = true;
      if (item == 0) scales[i] *= factor;
      for (int j = item; j < n; j += LOCAL) {
        if (j == i) continue;
        a[j * stride + i] = scale(a[j * stride + i], factor);
        a[i * stride + j] = scale(a[i * stride + j], 1 / factor);
      }
      group_barrier();
    }
  }
}

__kernel __attribute__((reqd_work_group_size(LOCAL, 1, 1))) void hessenberg(
    __global T* const memory, __global T* const other_memory, __global R* const scale_memory, __global T* const scratch,
    const Place at, const Place other_at, const int n, const int has_other) {
  const long matrix = get_group_id(0);
  __global T* const a = memory + at.offset + matrix * at.matrix;
  __global T* const q = other_memory + other_at.offset + matrix * other_at.matrix;
  __global T* const v = scratch + matrix * 2 * n;
  __global T* const sums = v + n;
  const int item = get_local_id(0);
  const T zero = of_parts((R)0, (R)0);
  __local R parts[LOCAL];
  balance(a, scale_memory + matrix * n, parts, at.row, n, item);
  for (int k = 0; k < n - 2; k++) {
    /* Of numbers of size 1 at most, whose squares neither overflow nor underflow. */
    R largest = 0, rest = 0;
    for (int i = k + 1 + item; i < n; i += LOCAL) {
      const T value = a[i * at.row + k];
      largest = fmax(largest, fmax(fabs(real_of(value)), fabs(imaginary_of(value))));
      if (i > k + 1) rest = fmax(rest, fmax(fabs(real_of(value)), fabs(imaginary_of(value))));
    }
    largest = largest_of(parts, largest, item);
    rest = largest_of(parts, rest, item);
    if (rest == 0) continue;
    R sum = 0;
    for (int i = k + 1 + item; i < n; i += LOCAL) {
      const T value = scale(a[i * at.row + k], 1 / largest);
      sum += square_of(value);
    }
    sum = sum_of(parts, sum, item);
    const T alpha = a[(k + 1) * at.row + k];
    const R length = largest * sqrt(sum);
    const R beta = real_of(alpha) > 0 ? -length : length;
    const T factor = of_parts((beta - real_of(alpha)) / beta, -imaginary_of(alpha) / beta);
    const T inverse = quotient(of_parts((R)1, (R)0), alpha - of_parts(beta, (R)0));
    for (int i = k + 1 + item; i < n; i += LOCAL) {
      v[i] = i == k + 1 ? of_parts((R)1, (R)0) : multiply(a[i * at.row + k], inverse);
    }
    group_barrier();
    for (int i = k + 1 + item; i < n; i += LOCAL) a[i * at.row + k] = i == k + 1 ? of_parts(beta, (R)0) : zero;
    /* From the left; each work-item computes every LOCAL-th column. */
    for (int j = k + 1 + item; j < n; j += LOCAL) sums[j] = zero;
    for (int i = k + 1; i < n; i++) {
      const T value = conjugate(v[i]);
      __global const T* const line = a + i * at.row;
      _Pragma("clang loop vectorize(assume_safety)") for (int j = k + 1 + item; j < n; j += LOCAL) sums[j] =
          add_product(sums[j], value, line[j]);
    }
    for (int i = k + 1; i < n; i++) {
      const T value = multiply(v[i], conjugate(factor));
      __global T* const line = a + i * at.row;
      _Pragma("clang loop vectorize(assume_safety)") for (int j = k + 1 + item; j < n; j += LOCAL) line[j] =
          less_product(line[j], value, sums[j]);
    }
    group_barrier();
    /* From the right; each work-item computes every LOCAL-th row. */
    for (int i = item; i < n; i += LOCAL) {
      __global T* const line = a + i * at.row;
      T whole = zero;
      for (int j = k + 1; j < n; j++) whole = add_product(whole, line[j], v[j]);
      whole = multiply(whole, factor);
      for (int j = k + 1; j < n; j++) line[j] = less_product(line[j], whole, conjugate(v[j]));
    }
    if (has_other) {
      for (int i = item; i < n; i += LOCAL) sums[i] = zero;
      for (int j = k + 1; j < n; j++) {
        const T value = v[j];
        __global const T* const line = q + j * other_at.row;
        _Pragma("clang loop vectorize(assume_safety)") for (int i = item; i < n; i += LOCAL) sums[i] =
            add_product(sums[i], value, line[i]);
      }
      for (int j = k + 1; j < n; j++) {
        const T value = multiply(conjugate(v[j]), factor);
        __global T* const line = q + j * other_at.row;
        _Pragma("clang loop vectorize(assume_safety)") for (int i = item; i < n; i += LOCAL) line[i] =
            less_product(line[i], value, sums[i]);
      }
    }
    group_barrier();
  }
}
