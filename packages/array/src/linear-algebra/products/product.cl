// What all kernels of products share: the layout of matrices, and arithmetic with the same names for real and complex
// sums.
//   PART, PARTS: the type of a sum's parts, and how many there are: 2 for complex sums
//   IS_FLOATING: whether they are floating-point numbers

typedef struct {
  long offset, row, column, batch[3];
} Place;

/* Three axes of batches, the innermost first. */
typedef struct {
  long m, n, k, extent[3];
  Place a, b, c;
  /* Number of partial sums, products in each, and their stride in the result. */
  long splits, depth, apart;
} Product;

/* The offset of a matrix; `matrix` is its number within the batch. */
long placeOf(const Place place, const Product* product, long matrix) {
  const long x = matrix % product->extent[0], rest = matrix / product->extent[0];
  return place.offset + x * place.batch[0] + rest % product->extent[1] * place.batch[1] +
         rest / product->extent[1] * place.batch[2];
}

#if IS_FLOATING
#define multiply_add(x, y, z) fma(x, y, z)
#else
#define multiply_add(x, y, z) ((x) * (y) + (z))
#endif

#if PARTS == 2
#define ADD_PRODUCT(real, imaginary, ar, ai, br, bi) \
  real = multiply_add(ar, br, real); \
  real = multiply_add(-ai, bi, real); \
  imaginary = multiply_add(ar, bi, imaginary); \
  imaginary = multiply_add(ai, br, imaginary)
#else
#define ADD_PRODUCT(real, imaginary, ar, ai, br, bi) real = multiply_add(ar, br, real)
#endif
