// Makes complex Hessenberg matrices upper triangular, in place, by implicitly shifted QR steps. One work-group per
// matrix. The rotations are also applied to the columns of a second stack, which is stored transposed; without it, only
// the diagonal of the result is meaningful. Notes matrices that do not converge, such as those with NaN.
//   LOCAL: work-items of a group
//   CONVERGENCE_FAULT: the fault of such a matrix

/* The square root with a real part that is not negative. */
T root_of(const T a) {
  const R length = hypot(a.x, a.y);
  if (length == 0) return of_parts((R)0, (R)0);
  const R large = sqrt((length + fabs(a.x)) / 2), small = a.y / (2 * large);
  return a.x >= 0 ? of_parts(large, small) : of_parts(fabs(small), copysign(large, a.y));
}

/* The eigenvalue of the last two rows and columns that is closer to the last element (Wilkinson's shift). */
T shift_of(const T a, const T b, const T c, const T d) {
  const T product = multiply(b, c), apart = scale(a - d, (R)0.5);
  const T root = root_of(add_product(product, apart, apart));
  const T plus = apart + root, minus = apart - root;
  const T divisor = square_of(plus) >= square_of(minus) ? plus : minus;
  return is_zero(divisor) ? d : d - quotient(product, divisor);
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
    const T end = a[last * at.row + last], below = a[last * at.row + last - 1];
    const T shift = first == last         ? end
                    : steps % 10 == 9 ? end + of_parts((R)0.75 * size_of(below), (R)0) /* breaks cycles, as LAPACK does */
                                      : shift_of(a[(last - 1) * at.row + last - 1], a[(last - 1) * at.row + last], below, end);
    group_barrier();
    if (item == 0 && first > 0) a[first * at.row + first - 1] = of_parts((R)0, (R)0);
    if (first == last) {
      last--;
      steps = 0;
      continue;
    }
    steps++;
    total++;
    const int left = has_other ? 0 : first, right = has_other ? n : last + 1;
    for (int k = first; k < last; k++) {
      const T x = k == first ? a[k * at.row + k] - shift : a[k * at.row + k - 1];
      const T y = a[(k + 1) * at.row + max(first, k - 1)];
      /* The rotation [cosine, sine; -conj(sine), cosine] that makes y zero. */
      const R one = hypot(x.x, x.y), other = hypot(y.x, y.y), length = hypot(one, other);
      const R cosine = length > 0 ? one / length : 1;
      const T phase = one > 0 ? scale(x, 1 / one) : of_parts((R)1, (R)0);
      const T sine = length > 0 ? multiply(phase, scale(conjugate(y), 1 / length)) : of_parts((R)0, (R)0);
      group_barrier();
      __global T* const upper = a + k * at.row;
      __global T* const lower = upper + at.row;
      _Pragma("clang loop vectorize(assume_safety)") for (int j = max(first, k - 1) + item; j < right; j += LOCAL) {
        const T p = upper[j], r = lower[j];
        upper[j] = scale(p, cosine) + multiply(sine, r);
        lower[j] = scale(r, cosine) - multiply(conjugate(sine), p);
      }
      group_barrier();
      if (item == 0 && k > first) lower[k - 1] = of_parts((R)0, (R)0);
      const int bottom = min(k + 2, last);
      for (int i = left + item; i <= bottom; i += LOCAL) {
        __global T* const pair = a + i * at.row + k;
        const T p = pair[0], r = pair[1];
        pair[0] = scale(p, cosine) + multiply(conjugate(sine), r);
        pair[1] = scale(r, cosine) - multiply(sine, p);
      }
      if (has_other) {
        __global T* const one_line = q + k * other_at.row;
        __global T* const other_line = one_line + other_at.row;
        _Pragma("clang loop vectorize(assume_safety)") for (int i = item; i < n; i += LOCAL) {
          const T p = one_line[i], r = other_line[i];
          one_line[i] = scale(p, cosine) + multiply(conjugate(sine), r);
          other_line[i] = scale(r, cosine) - multiply(sine, p);
        }
      }
      group_barrier();
    }
  }
  if (item == 0 && (last > 0 || !isfinite(sum))) {
    note_fault(fault, CONVERGENCE_FAULT, routine, stacked ? matrix : -1, 0);
  }
}
