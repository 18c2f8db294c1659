// Multiplies panels: a block of the result, 8 rows of two real vectors or one complex one, stays in registers while its
// two panels are read from start to end.
//   C, STORE_SUM: the type of results in memory, and a statement that stores a sum
//   V, WIDTH: the type of vectors of parts, and its number of elements
//   ROWS, COLUMNS: rows and columns of a block
//   BLOCK_PANELS, WORK_PANELS: panels of the first matrix that are multiplied with one of the second while they are in
//     the caches, and panels of the second one that a work-item has
//   BLOCK_DEPTH: number of elements that are summed before the next block is added

#define EACH_ROW(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7)
#define BLOCK_VECTOR(i, part, j) (*(__private V*)(block + (i * PARTS + part) * COLUMNS + j * WIDTH))
#define B_VECTOR(k) *(__global const V*)(b + k * WIDTH)
#if PARTS == 2
#define DECLARE(i) V real##i = 0, imaginary##i = 0;
#define ADD(i) \
  { \
    const V ar = (V)a[i], ai = (V)a[ROWS + i]; \
    ADD_PRODUCT(real##i, imaginary##i, ar, ai, b0, b1); \
  }
#define KEEP(i) \
  BLOCK_VECTOR(i, 0, 0) = real##i; \
  BLOCK_VECTOR(i, 1, 0) = imaginary##i;
#else
#define DECLARE(i) V left##i = 0, right##i = 0;
#define ADD(i) \
  { \
    const V ar = (V)a[i]; \
    left##i = multiply_add(ar, b0, left##i); \
    right##i = multiply_add(ar, b1, right##i); \
  }
#define KEEP(i) \
  BLOCK_VECTOR(i, 0, 0) = left##i; \
  BLOCK_VECTOR(i, 0, 1) = right##i;
#endif

/* Makes a block of sums of two panels. */
void multiply(__global const PART* a, __global const PART* b, const int depth, __private PART* block) {
  EACH_ROW(DECLARE)
  for (int k = 0; k < depth; k++) {
    const V b0 = B_VECTOR(0);
    const V b1 = B_VECTOR(1);
    EACH_ROW(ADD)
    a += PARTS * ROWS;
    b += PARTS * COLUMNS;
  }
  EACH_ROW(KEEP)
}

#define STORE_PLACE(index) \
  STORE_SUM(to, index, block[(i * PARTS + 0) * COLUMNS + j], block[(i * PARTS + 1) * COLUMNS + j])

void store(__private const PART* block, __global C* to, const Product* product, const int rows, const int columns,
           const PART alpha, const PART beta) {
  if (columns == COLUMNS && product->c.column == 1) {
    for (int i = 0; i < rows; i++) {
      _Pragma("clang loop vectorize(assume_safety)") for (int j = 0; j < COLUMNS; j++) {
        STORE_PLACE(i * product->c.row + j)
      }
    }
    return;
  }
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < columns; j++) {
      STORE_PLACE(i * product->c.row + j * product->c.column)
    }
  }
}

__kernel void product(__global const PART* const a, __global const PART* const b, __global C* const c,
                      const Product product, const PART alpha, const PART beta) {
  const long rows = (product.m + ROWS - 1) / ROWS, columns = (product.n + COLUMNS - 1) / COLUMNS;
  const long down = (rows + BLOCK_PANELS - 1) / BLOCK_PANELS, across = (columns + WORK_PANELS - 1) / WORK_PANELS;
  const long all = down * across * product.splits * product.extent[0] * product.extent[1] * product.extent[2];
  const long last = all * (long)(get_global_id(0) + 1) / (long)get_global_size(0);
  PART block[ROWS * PARTS * COLUMNS] __attribute__((aligned(64)));
  for (long unit = all * (long)get_global_id(0) / (long)get_global_size(0); unit < last; unit++) {
    const long right = unit % across * WORK_PANELS, lower = unit / across % down * BLOCK_PANELS;
    const long split = unit / across / down % product.splits, matrix = unit / across / down / product.splits;
    const long start = split * product.depth, end = min(start + product.depth, product.k);
    __global C* const to = c + placeOf(product.c, &product, matrix) + split * product.apart;
    const long depth = max(end - start, 1L);
    for (long k = start; k < end || k == start; k += BLOCK_DEPTH) {
      const int length = (int)min((long)BLOCK_DEPTH, end - k);
      for (long x = right; x < min(right + WORK_PANELS, columns); x++) {
        for (long y = lower; y < min(lower + BLOCK_PANELS, rows); y++) {
          multiply(a + ((matrix * rows + y) * product.k + k) * (PARTS * ROWS),
                   b + ((matrix * columns + x) * product.k + k) * (PARTS * COLUMNS), length, block);
          store(block, to + y * ROWS * product.c.row + x * COLUMNS * product.c.column, &product,
                (int)min((long)ROWS, product.m - y * ROWS), (int)min((long)COLUMNS, product.n - x * COLUMNS), alpha,
                k == start ? beta : (PART)1);
        }
      }
    }
  }
}
