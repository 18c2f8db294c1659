// Undoes the balancing of eigenvectors, which are in rows, and stores them in columns: of length 1, with a real largest
// element, as LAPACK does.

__kernel void vector_lengths(__global T* const result, __global const T* const rows, __global const R* const scales,
                             const int n) {
  const int k = (int)get_global_id(0);
  const long matrix = get_global_id(1);
  __global const T* const x = rows + (matrix * n + k) * n;
  __global const R* const factors = scales + matrix * n;
  R largest = 0;
  T top = of_parts((R)1, (R)0);
  for (int i = 0; i < n; i++) {
    const T value = scale(x[i], factors[i]);
    const R size = hypot(value.x, value.y);
    if (size > largest) {
      largest = size;
      top = value;
    }
  }
  const R down = largest > 0 ? 1 / largest : 1;
  R sum = 0;
  for (int i = 0; i < n; i++) {
    const T value = scale(scale(x[i], factors[i]), down);
    sum += square_of(value);
  }
  const T turn = scale(conjugate(scale(top, down)), down / sqrt(sum));
  for (int i = 0; i < n; i++) result[(matrix * n + i) * n + k] = multiply(scale(x[i], factors[i]), turn);
}
