// Makes complex Hessenberg matrices upper triangular, in place, by implicitly double-shifted QR steps, which keep real
// matrices real until blocks of two rows with complex eigenvalues remain. One work-group per matrix. The reflections
// are also applied to the columns of a second stack, which is stored transposed; without it, only the diagonal of the
// result is meaningful. Notes matrices that do not converge, such as those with NaN.
//   LOCAL: work-items of a group
//   CONVERGENCE_FAULT: the fault of such a matrix

/* The square root with a real part that is not negative. */
T root_of(const T a) {
  const R length = hypot(a.x, a.y);
  if (length == 0) return of_parts((R)0, (R)0);
  const R large = sqrt((length + fabs(a.x)) / 2), small = a.y / (2 * large);
  return a.x >= 0 ? of_parts(large, small) : of_parts(fabs(small), copysign(large, a.y));
}

/* The eigenvalues of a matrix of two rows; the last one is closer to the last element. Those of a real matrix are real
   or exactly conjugate. */
void eigenvalues_of(const T a, const T b, const T c, const T d, T* const first, T* const last) {
  const T product = multiply(b, c), apart = scale(a - d, (R)0.5);
  const T root = root_of(add_product(product, apart, apart));
  const T plus = apart + root, minus = apart - root;
  const T divisor = square_of(plus) >= square_of(minus) ? plus : minus;
  *first = d + divisor;
  *last = is_zero(divisor) ? d : d - quotient(product, divisor);
  if (d.y == 0 && apart.y == 0 && product.y == 0 && root.x == 0) *last = conjugate(*first);
}

__kernel __attribute__((reqd_work_group_size(LOCAL, 1, 1))) void schur(
    __global T* const memory, __global T* const other_memory, volatile __global int* const fault, const Place at,
    const Place other_at, const int n, const int has_other, const int routine, const int stacked) {
  const long matrix = get_group_id(0);
  __global T* const a = memory + at.offset + matrix * at.matrix;
  __global T* const q = other_memory + other_at.offset + matrix * other_at.matrix;
  const int item = get_local_id(0);
  __local R parts[LOCAL];
  R sum = 0;
  for (int i = item; i < n; i += LOCAL) {
    for (int j = 0; j < n; j++) sum += size_of(a[i * at.row + j]);
  }
  sum = sum_of(parts, sum, item);
  int last = isfinite(sum) ? n - 1 : 0, steps = 0, total = 0;
  const int most = 30 * max(10, n);
  while (last > 0 && total < most) {
    /* The active block is from `first` to `last`: before it, the subdiagonal is negligible. */
    int first = last;
    for (; first > 0; first--) {
      const R near = size_of(a[(first - 1) * at.row + first - 1]) + size_of(a[first * at.row + first]);
      if (size_of(a[first * at.row + first - 1]) <= R_EPSILON * (near > 0 ? near : sum)) break;
    }
    if (first == last) {
      group_barrier();
      if (item == 0 && first > 0) a[first * at.row + first - 1] = of_parts((R)0, (R)0);
      last--;
      steps = 0;
      continue;
    }
    steps++;
    total++;
    __global const T* const top = a + first * at.row + first;
    __global const T* const end = a + last * at.row + last;
    T start[3], values[2];
    const bool is_pair = last - first == 1;
    if (is_pair) {
      eigenvalues_of(top[0], top[1], end[-1], end[0], values, values + 1);
      start[0] = top[0] - values[1];
      start[1] = end[-1];
    } else {
      /* The first column of (A - s) (A - t), over its subdiagonal; s and t are the eigenvalues of the last two rows. */
      T x = end[0], y = end[-at.row - 1], product = multiply(end[-1], end[-at.row]);
      if (steps % 10 == 0) {
        /* Breaks cycles, as LAPACK does. */
        const R size = size_of(end[-1]) + size_of(end[-at.row - 2]);
        x = y = end[0] + of_parts((R)0.75 * size, (R)0);
        product = of_parts((R)-0.4375 * size * size, (R)0);
      }
      x -= top[0];
      y -= top[0];
      start[0] = quotient(multiply(x, y) - product, top[at.row]) + top[1];
      start[1] = top[at.row + 1] - top[0] - x - y;
      start[2] = top[2 * at.row + 1];
    }
    group_barrier();
    if (item == 0 && first > 0) a[first * at.row + first - 1] = of_parts((R)0, (R)0);
    const int left = has_other ? 0 : first, right = has_other ? n : last + 1;
    for (int k = first; k < last; k++) {
      const int count = min(3, last - k + 1);
      T v[3] = {start[0], start[1], count == 3 ? start[2] : of_parts((R)0, (R)0)};
      if (k > first) {
        for (int i = 0; i < count; i++) v[i] = a[(k + i) * at.row + k - 1];
      }
      /* The reflection that makes all but the first element zero. */
      R largest = 0, squares = 0;
      for (int i = 0; i < count; i++) largest = fmax(largest, fmax(fabs(v[i].x), fabs(v[i].y)));
      for (int i = 0; largest > 0 && i < count; i++) {
        v[i] = scale(v[i], 1 / largest);
        squares += square_of(v[i]);
      }
      const R beta = v[0].x > 0 ? -sqrt(squares) : sqrt(squares);
      const T factor = largest > 0 ? of_parts((beta - v[0].x) / beta, -v[0].y / beta) : of_parts((R)0, (R)0);
      const T pivot = v[0] - of_parts(beta, (R)0);
      for (int i = 1; largest > 0 && i < 3; i++) v[i] = quotient(v[i], pivot);
      group_barrier();
      __global T* const one = a + k * at.row;
      __global T* const two = one + at.row;
      __global T* const three = count == 3 ? two + at.row : two;
      const T by_one = conjugate(factor), by_two = multiply(by_one, v[1]), by_three = multiply(by_one, v[2]);
      _Pragma("clang loop vectorize(assume_safety)") for (int j = max(first, k - 1) + item; j < right; j += LOCAL) {
        const T sum = add_product(add_product(one[j], conjugate(v[1]), two[j]), conjugate(v[2]), three[j]);
        one[j] = less_product(one[j], by_one, sum);
        two[j] = less_product(two[j], by_two, sum);
        if (count == 3) three[j] = less_product(three[j], by_three, sum);
      }
      group_barrier();
      if (item == 0 && k > first) {
        for (int i = 1; i < count; i++) a[(k + i) * at.row + k - 1] = of_parts((R)0, (R)0);
      }
      const T to_two = multiply(factor, conjugate(v[1])), to_three = multiply(factor, conjugate(v[2]));
      const int bottom = min(k + 3, last);
      for (int i = left + item; i <= bottom; i += LOCAL) {
        __global T* const line = a + i * at.row + k;
        T sum = add_product(line[0], v[1], line[1]);
        if (count == 3) sum = add_product(sum, v[2], line[2]);
        line[0] = less_product(line[0], factor, sum);
        line[1] = less_product(line[1], to_two, sum);
        if (count == 3) line[2] = less_product(line[2], to_three, sum);
      }
      if (has_other) {
        __global T* const q_one = q + k * other_at.row;
        __global T* const q_two = q_one + other_at.row;
        __global T* const q_three = count == 3 ? q_two + other_at.row : q_two;
        _Pragma("clang loop vectorize(assume_safety)") for (int i = item; i < n; i += LOCAL) {
          const T sum = add_product(add_product(q_one[i], v[1], q_two[i]), v[2], q_three[i]);
          q_one[i] = less_product(q_one[i], factor, sum);
          q_two[i] = less_product(q_two[i], to_two, sum);
          if (count == 3) q_three[i] = less_product(q_three[i], to_three, sum);
        }
      }
      group_barrier();
    }
    if (is_pair) {
      /* A shift by an eigenvalue makes the subdiagonal zero but for rounding errors. */
      if (item == 0) {
        a[first * at.row + first] = values[0];
        a[last * at.row + last] = values[1];
        a[last * at.row + first] = of_parts((R)0, (R)0);
      }
      group_barrier();
    }
  }
  if (item == 0 && (last > 0 || !isfinite(sum))) {
    note_fault(fault, CONVERGENCE_FAULT, routine, stacked ? matrix : -1, 0);
  }
}
