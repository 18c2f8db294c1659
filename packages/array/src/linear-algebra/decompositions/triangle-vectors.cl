// Eigenvectors of complex upper triangular matrices, each in a row of the result: one work-item per eigenvector solves
// with the triangle from the bottom up.

__kernel void triangle_vectors(__global T* const result, __global const T* const memory, const Place at, const int n) {
  const int k = (int)get_global_id(0);
  const long matrix = get_global_id(1);
  __global const T* const a = memory + at.offset + matrix * at.matrix;
  __global T* const x = result + (matrix * n + k) * n;
  const T value = a[k * at.row + k];
  R size = 0;
  for (int i = 0; i < n; i++) size = fmax(size, size_of(a[i * at.row + i]));
  /* Instead of differences of equal eigenvalues. */
  const R least = fmax(R_EPSILON * size, R_MIN / R_EPSILON);
  for (int i = k + 1; i < n; i++) x[i] = of_parts((R)0, (R)0);
  x[k] = of_parts((R)1, (R)0);
  for (int i = k - 1; i >= 0; i--) {
    __global const T* const line = a + i * at.row;
    T sum = of_parts((R)0, (R)0);
    _Pragma("clang loop vectorize(assume_safety)") for (int j = i + 1; j <= k; j++) sum =
        less_product(sum, line[j], x[j]);
    T divisor = line[i] - value;
    if (size_of(divisor) < least) divisor = of_parts(least, (R)0);
    x[i] = quotient(sum, divisor);
    /* Vectors of defective matrices grow with every step. */
    const R length = size_of(x[i]);
    if (length > 1 / R_EPSILON) {
      for (int j = i; j <= k; j++) x[j] = scale(x[j], 1 / length);
    }
  }
}
