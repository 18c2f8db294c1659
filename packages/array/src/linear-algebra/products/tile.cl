// Products on GPUs: a work-group computes a tile of the result. Both matrices are processed in steps: a slice of some
// rows of the first and one of some columns of the second are stored in local memory, and each work-item multiplies a
// few rows of the one with a few columns of the other, with the sums in registers. While a slice is multiplied the next
// one is loaded; it goes to another part of local memory, so one barrier for each step is enough.
//   A, B, C: the types of elements in memory
//   ITEMS: work-items of a group
//   HAS_WHOLE_SLICES: whether sums consist of whole slices
//   ROWS, COLUMNS, DEPTH: rows and columns of a tile, and elements of a line in a slice
//   VECTOR, LINES: adjacent rows or columns of a work-item, and work-items along a row of the tile
//   DECLARE_SUMS, ADD_PRODUCTS, STORE_SUMS: statements for the sums of a work-item
//   FIND_A, LOAD_A, LOAD_PART_OF_A, KEEP_A, READ_A: statements that find a work-item's elements of a slice, load them
//   into
//     registers, also of the last slice, which may be shorter, store these in local memory, and read the rows of a
//     work-item from there; the same for B

#define LOAD(slice) \
  if (HAS_WHOLE_SLICES || (slice) < whole) { \
    LOAD_A \
    LOAD_B \
  } else { \
    LOAD_PART_OF_A \
    LOAD_PART_OF_B \
  }

__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void product(__global const A* restrict const a,
                                                                         __global const B* restrict const b,
                                                                         __global C* restrict const c,
                                                                         const Product product, const PART alpha,
                                                                         const PART beta) {
  __local PART slice_a[2][PARTS][DEPTH][ROWS + VECTOR] __attribute__((aligned(16)));
  __local PART slice_b[2][PARTS][DEPTH][COLUMNS + VECTOR] __attribute__((aligned(16)));
  const int item = (int)get_local_id(0), x = item % LINES, y = item / LINES;
  const long across = (product.n + COLUMNS - 1) / COLUMNS, down = (product.m + ROWS - 1) / ROWS;
  const long rest = (long)get_group_id(0) / (across * down), number = (long)get_group_id(0) % (across * down);
  const long split = rest % product.splits, matrix = rest / product.splits;
  /* Groups that run at the same time have tiles near to each other, which share slices. */
  const long strip = number / (8 * across), height = min(8L, down - 8 * strip);
  const long top = (8 * strip + number % (8 * across) % height) * ROWS, left = number % (8 * across) / height * COLUMNS;
  const long start = split * product.depth, length = min(product.depth, product.k - start);
  /* The last slice may be partial. */
  const int whole = (int)(length / DEPTH), partial = (int)(length % DEPTH), slices = whole + (partial > 0);
  FIND_A(product.m - top, placeOf(product.a, &product, matrix) + top * product.a.row, product.a.row, product.a.column)
  FIND_B(product.n - left, placeOf(product.b, &product, matrix) + left * product.b.column, product.b.column,
         product.b.row)
  DECLARE_SUMS
  int now = 0;
  LOAD(0)
  KEEP_A(0)
  KEEP_B(0)
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int slice = 1; slice <= slices; slice++) {
    const bool more = slice < slices;
    if (more) {
      LOAD(slice)
    }
#ifdef __NV_CL_C_VERSION
#pragma unroll
#endif
    for (int k = 0; k < DEPTH; k++) {
      READ_A
      READ_B
      ADD_PRODUCTS
    }
    if (more) {
      KEEP_A(1 - now)
      KEEP_B(1 - now)
      barrier(CLK_LOCAL_MEM_FENCE);
      now = 1 - now;
    }
  }
  __global C* const to = c + placeOf(product.c, &product, matrix) + split * product.apart;
  STORE_SUMS
}
