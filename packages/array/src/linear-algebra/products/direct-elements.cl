// Products of small matrices on GPUs: each work-item has one element.
//   A, B, C: the types of elements in memory
//   A_REAL, A_IMAGINARY, B_REAL, B_IMAGINARY: the parts of an element; STORE_SUM: stores a sum

__kernel void product(__global const A* const a, __global const B* const b, __global C* const c, const Product product,
                      const PART alpha, const PART beta) {
  const long element = get_global_id(0);
  const long matrix = element / (product.m * product.n);
  if (matrix >= product.extent[0] * product.extent[1] * product.extent[2]) return;
  const long i = element / product.n % product.m, j = element % product.n;
  const long atA = placeOf(product.a, &product, matrix) + i * product.a.row;
  const long atB = placeOf(product.b, &product, matrix) + j * product.b.column;
  const long atC = placeOf(product.c, &product, matrix) + i * product.c.row + j * product.c.column;
  PART real = 0, imaginary = 0;
  for (long k = 0; k < product.k; k++) {
    const PART ar = A_REAL(a, atA + k * product.a.column);
#if PARTS == 2
    const PART ai = A_IMAGINARY(a, atA + k * product.a.column);
#endif
    const PART br = B_REAL(b, atB + k * product.b.row);
#if PARTS == 2
    const PART bi = B_IMAGINARY(b, atB + k * product.b.row);
#endif
    ADD_PRODUCT(real, imaginary, ar, ai, br, bi);
  }
  STORE_SUM(c, atC, real, imaginary)
}
