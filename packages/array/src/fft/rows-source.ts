/**
 * OpenCL C applied to rows before and after their transforms: multiplication by a table, and the conversion between the
 * spectrum of a real line and that of half as many complex numbers. Each CPU work-item processes a range of elements,
 * each GPU work-item one element.
 */
import { quiet } from "../kernels/processor-source.js";
import type { RealType } from "./butterflies-source.js";

/** What the text depends on. */
export interface RowsText {
  readonly real: RealType;
  /** True for a loop over a range of elements, false for one element. */
  readonly loops: boolean;
}

/** The program with the kernels `multiply`, `unpack`, `pack` and `mirror`. */
export function rowsSource({ real, loops }: RowsText): string {
  return `${quiet}
typedef ${real} real_t;
typedef ${real}2 real2_t;

/* Rows of equal length; \`first\` is the offset of the first one in complex elements. */
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

real2_t product(const real2_t a, const real2_t b) {
  return (real2_t)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

real2_t root_of(__global const real2_t *const roots, const int bits, const long turn) {
  return product(roots[turn & ((1L << bits) - 1)], roots[(1L << bits) + (turn >> bits)]);
}

${over(loops, "multiply", `const long count, const ${real} scale`, multiplied)}

${over(loops, "unpack", `const ${real} scale`, unpacked)}

${over(loops, "pack", `const ${real} scale`, packed)}

${over(loops, "mirror", `const ${real} scale`, mirrored)}
`;
}

/* Flags: 1 to change real and imaginary parts on the way in, 2 on the way out. Behind \`count\` elements there are zeros. */
const multiplied = `if (k >= count) {
        target[k] = (real2_t)(0, 0);
        continue;
      }
      real2_t value = source[k];
      if ((rows.flags & 1) != 0) value = value.yx;
      value = product(value, table[rows.table_first + k]) * scale;
      target[k] = (rows.flags & 2) != 0 ? value.yx : value;`;

/* The spectrum of n real numbers, up to n / 2, from that of n / 2 pairs of them. */
const unpacked = `const long middle = rows.in_length;
      const real2_t a = source[k == middle ? 0 : k], b = source[k == 0 ? 0 : middle - k];
      const real2_t even = (real2_t)(a.x + b.x, a.y - b.y), odd = (real2_t)(a.y + b.y, b.x - a.x);
      target[k] = (even + product(odd, root_of(table, rows.bits, k))) * (scale / 2);`;

/* The way back. The first and the last are taken as real numbers, which those of real lines are. */
const packed = `const long middle = rows.out_length;
      real2_t a = source[k], b = source[middle - k];
      if (k == 0) a.y = b.y = 0;
      const real2_t even = (real2_t)(a.x + b.x, a.y - b.y), odd = (real2_t)(a.x - b.x, a.y + b.y);
      const real2_t root = root_of(table, rows.bits, k);
      const real2_t turned = product(odd, (real2_t)(root.x, -root.y));
      target[k] = (real2_t)(even.x - turned.y, even.y + turned.x) * (scale / 2);`;

/* A whole spectrum from its first half. */
const mirrored = `const long other = rows.out_length - k;
      const real2_t value = source[min(k, other)];
      target[k] = (real2_t)(value.x, k == 0 ? 0 : k < other ? value.y : -value.y) * scale;`;

function over(loops: boolean, name: string, parameters: string, body: string): string {
  const range = loops
    ? `const long start = all * (long)get_global_id(0) / (long)get_global_size(0);
  const long end = all * (long)(get_global_id(0) + 1) / (long)get_global_size(0);`
    : `const long start = (long)get_global_id(0), end = min(start + 1, all);`;
  return `__kernel void ${name}(__global const real2_t *const in, __global real2_t *const out, __global const real2_t *const table,
               ${parameters}, const Rows rows) {
  const long all = rows.rows * rows.out_length;
  ${range}
  for (long at = start; at < end;) {
    const long row = at / rows.out_length, first = at - row * rows.out_length;
    const long last = min(rows.out_length, first + end - at);
    __global const real2_t *const source = in + rows.in_first + row * rows.in_length;
    __global real2_t *const target = out + rows.out_first + row * rows.out_length;
    for (long k = first; k < last; k++) {
      ${body}
    }
    at += last - first;
  }
}`;
}
