// Products of small matrices on CPUs: each work-item computes several rows, and sums of adjacent columns together.
//   A, B, C: the types of elements in memory
//   A_REAL, A_IMAGINARY, B_REAL, B_IMAGINARY: the parts of an element; STORE_SUM: stores a sum
//   WIDTH: number of columns that are summed together

#if PARTS == 2
#define ADD(at) \
  const PART br = B_REAL(b, at); \
  const PART bi = B_IMAGINARY(b, at); \
  ADD_PRODUCT(real[j], imaginary[j], ar, ai, br, bi)
#else
#define ADD(at) \
  const PART br = B_REAL(b, at); \
  real[j] = multiply_add(ar, br, real[j])
#endif

__kernel void product(__global const A* const a, __global const B* const b, __global C* const c, const Product product,
                      const PART alpha, const PART beta) {
  const long all = product.m * product.extent[0] * product.extent[1] * product.extent[2];
  const long last = all * (long)(get_global_id(0) + 1) / (long)get_global_size(0);
  for (long row = all * (long)get_global_id(0) / (long)get_global_size(0); row < last; row++) {
    const long matrix = row / product.m, i = row % product.m;
    const long rowA = placeOf(product.a, &product, matrix) + i * product.a.row;
    const long rowB = placeOf(product.b, &product, matrix);
    const long rowC = placeOf(product.c, &product, matrix) + i * product.c.row;
    for (long first = 0; first < product.n; first += WIDTH) {
      const int count = (int)min((long)WIDTH, product.n - first);
      PART real[WIDTH] = {0};
#if PARTS == 2
      PART imaginary[WIDTH] = {0};
#endif
      for (long k = 0; k < product.k; k++) {
        const PART ar = A_REAL(a, rowA + k * product.a.column);
#if PARTS == 2
        const PART ai = A_IMAGINARY(a, rowA + k * product.a.column);
#endif
        const long at = rowB + k * product.b.row + first * product.b.column;
        if (count == WIDTH && product.b.column == 1) {
          _Pragma("clang loop vectorize(assume_safety) vectorize_width(16)") for (int j = 0; j < WIDTH; j++) {
            ADD(at + j);
          }
        } else {
          for (int j = 0; j < count; j++) {
            ADD(at + j * product.b.column);
          }
        }
      }
      for (int j = 0; j < count; j++) {
        STORE_SUM(c, rowC + (first + j) * product.c.column, real[j], imaginary[j])
      }
    }
  }
}
