// Operations on rows before and after their transforms.
//   real_t, real2_t: a real number and a pair of them
//   LOOPS: 1 for a loop over a range of elements, 0 for one element

/* Rows of equal length; `first` is the offset of the first one in complex elements. */
typedef struct {
  long rows;
  long in_first;
  long in_length;
  long out_first;
  long out_length;
  long table_first;
  int flags;
  int bits;
} Rows;

real2_t product(const real2_t a, const real2_t b) { return (real2_t)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }

real2_t root_of(__global const real2_t* const roots, const int bits, const long turn) {
  return product(roots[turn & ((1L << bits) - 1)], roots[(1L << bits) + (turn >> bits)]);
}

// The elements of a work-item among those of all rows.
#if LOOPS
#define RANGE \
  const long all = rows.rows * rows.out_length; \
  const long start = all * (long)get_global_id(0) / (long)get_global_size(0); \
  const long end = all * (long)(get_global_id(0) + 1) / (long)get_global_size(0)
#else
#define RANGE \
  const long all = rows.rows * rows.out_length; \
  const long start = (long)get_global_id(0), end = min(start + 1, all)
#endif

// Those from `at` on that are in one row: from `first` to `last`, and the row's source and target.
#define PART_OF_ROW \
  const long row = at / rows.out_length, first = at - row * rows.out_length; \
  const long last = min(rows.out_length, first + end - at); \
  __global const real2_t* const source = in + rows.in_first + row * rows.in_length; \
  __global real2_t* const target = out + rows.out_first + row * rows.out_length

// Multiplies by a table; behind `count` elements there are zeros. Flags: 1 to change real and imaginary parts on the
// way in, 2 on the way out.
__kernel void multiply(__global const real2_t* const in, __global real2_t* const out,
                       __global const real2_t* const table, const long count, const real_t scale, const Rows rows) {
  RANGE;
  for (long at = start; at < end;) {
    PART_OF_ROW;
    for (long k = first; k < last; k++) {
      if (k >= count) {
        target[k] = (real2_t)(0, 0);
        continue;
      }
      real2_t value = source[k];
      if ((rows.flags & 1) != 0) value = value.yx;
      value = product(value, table[rows.table_first + k]) * scale;
      target[k] = (rows.flags & 2) != 0 ? value.yx : value;
    }
    at += last - first;
  }
}

// The spectrum of n real numbers, up to n / 2, from that of n / 2 pairs of them.
__kernel void unpack(__global const real2_t* const in, __global real2_t* const out, __global const real2_t* const table,
                     const real_t scale, const Rows rows) {
  RANGE;
  for (long at = start; at < end;) {
    PART_OF_ROW;
    for (long k = first; k < last; k++) {
      const long middle = rows.in_length;
      const real2_t a = source[k == middle ? 0 : k], b = source[k == 0 ? 0 : middle - k];
      const real2_t even = (real2_t)(a.x + b.x, a.y - b.y), odd = (real2_t)(a.y + b.y, b.x - a.x);
      target[k] = (even + product(odd, root_of(table, rows.bits, k))) * (scale / 2);
    }
    at += last - first;
  }
}

// The way back. The first and the last are taken as real numbers, which those of real lines are.
__kernel void pack(__global const real2_t* const in, __global real2_t* const out, __global const real2_t* const table,
                   const real_t scale, const Rows rows) {
  RANGE;
  for (long at = start; at < end;) {
    PART_OF_ROW;
    for (long k = first; k < last; k++) {
      const long middle = rows.out_length;
      real2_t a = source[k], b = source[middle - k];
      if (k == 0) a.y = b.y = 0;
      const real2_t even = (real2_t)(a.x + b.x, a.y - b.y), odd = (real2_t)(a.x - b.x, a.y + b.y);
      const real2_t root = root_of(table, rows.bits, k);
      const real2_t turned = product(odd, (real2_t)(root.x, -root.y));
      target[k] = (real2_t)(even.x - turned.y, even.y + turned.x) * (scale / 2);
    }
    at += last - first;
  }
}

// A whole spectrum from its first half.
__kernel void mirror(__global const real2_t* const in, __global real2_t* const out, __global const real2_t* const table,
                     const real_t scale, const Rows rows) {
  RANGE;
  for (long at = start; at < end;) {
    PART_OF_ROW;
    for (long k = first; k < last; k++) {
      const long other = rows.out_length - k;
      const real2_t value = source[min(k, other)];
      target[k] = (real2_t)(value.x, k == 0 ? 0 : k < other ? value.y : -value.y) * scale;
    }
    at += last - first;
  }
}
