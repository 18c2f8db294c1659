/**
 * OpenCL C of LU decompositions: a panel of few columns, row exchanges outside of the panel, and the determinant of the
 * result.
 */
import type { SolverKernel } from "./run-solver.js";

/** Decomposes all rows of few columns in place, with the largest element of each column as pivot; a group has one matrix. */
export const luPanel: SolverKernel = {
  name: "lu_panel",
  source: (local) => (local === 1 ? panelAlone : panelTogether(local)),
};

const head = `(
  __global T *const memory, __global int *const pivots,
  const Place at, const int rows, const int columns, const int start, const int pivot_count
) {
  const long matrix = get_group_id(0);
  __global T *const a = memory + at.offset + matrix * at.matrix;
  __global int *const own = pivots + matrix * pivot_count + start;
  const int steps = min(rows, columns);`;

/** The next pivot is looked for while its column is made. */
const panelAlone = `
__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void lu_panel${head}
  R best = -1;
  int place = 0;
  for (int i = 0; i < rows; i++) {
    const R size = size_of(a[i * at.row]);
    if (size > best) { best = size; place = i; }
  }
  for (int j = 0; j < steps; j++) {
    own[j] = start + place;
    __global T *const top = a + j * at.row;
    if (place != j) {
      __global T *const other = a + place * at.row;
      for (int c = 0; c < columns; c++) { const T kept = top[c]; top[c] = other[c]; other[c] = kept; }
    }
    const T pivot = top[j];
    best = -1;
    place = j + 1;
    for (int i = j + 1; i < rows; i++) {
      __global T *const line = a + i * at.row;
      const T factor = is_zero(pivot) ? line[j] : quotient(line[j], pivot);
      line[j] = factor;
      _Pragma("clang loop vectorize(assume_safety) vectorize_width(8)")
      for (int c = j + 1; c < columns; c++) line[c] = less_product(line[c], factor, top[c]);
      if (j + 1 < columns) {
        const R size = size_of(line[j + 1]);
        if (size > best) { best = size; place = i; }
      }
    }
  }
}
`;

/** Lanes run along rows, so that adjacent work-items read adjacent elements. */
const panelTogether = (local: number): string => `
#define LANES ${Math.min(32, local)}
#define TEAMS ${Math.max(1, local / 32)}
__kernel __attribute__((reqd_work_group_size(${local}, 1, 1)))
void lu_panel${head}
  __local R sizes[${local}];
  __local int places[${local}];
  const int item = get_local_id(0), lane = item % LANES, team = item / LANES;
  for (int j = 0; j < steps; j++) {
    R best = -1;
    int place = j;
    for (int i = j + item; i < rows; i += ${local}) {
      const R size = size_of(a[i * at.row + j]);
      if (size > best) { best = size; place = i; }
    }
    sizes[item] = best;
    places[item] = place;
    /* Of all memory: what was compared here is exchanged below. */
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (int apart = ${local / 2}; apart > 0; apart /= 2) {
      if (item < apart) {
        const R size = sizes[item + apart];
        const int other = places[item + apart];
        if (size > sizes[item] || (size == sizes[item] && other < places[item])) {
          sizes[item] = size;
          places[item] = other;
        }
      }
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    place = places[0];
    if (item == 0) own[j] = start + place;
    if (place != j) {
      for (int c = item; c < columns; c += ${local}) {
        const T kept = a[j * at.row + c];
        a[j * at.row + c] = a[place * at.row + c];
        a[place * at.row + c] = kept;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    const T pivot = a[j * at.row + j];
    if (!is_zero(pivot)) {
      for (int i = j + 1 + item; i < rows; i += ${local}) a[i * at.row + j] = quotient(a[i * at.row + j], pivot);
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    for (int i = j + 1 + team; i < rows; i += TEAMS) {
      const T factor = a[i * at.row + j];
      for (int c = j + 1 + lane; c < columns; c += LANES) {
        a[i * at.row + c] = less_product(a[i * at.row + c], factor, a[j * at.row + c]);
      }
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
}
`;

/** Exchanges rows as pivots say, in their order; each work-item has some columns. */
export const rowExchanges: SolverKernel = {
  name: "row_exchanges",
  source: () => `
/* The pivots from \`first\` on; \`origin\` is the number of the first row that the place has. */
__kernel void row_exchanges(
  __global T *const memory, __global const int *const pivots,
  const Place at, const int columns, const int span, const int first, const int count, const int origin,
  const int pivot_count
) {
  const long matrix = get_global_id(1);
  __global T *const a = memory + at.offset + matrix * at.matrix;
  __global const int *const own = pivots + matrix * pivot_count;
  const int left = (int)get_global_id(0) * span, right = min(left + span, columns);
  for (int k = first; k < first + count; k++) {
    if (own[k] == k || left >= right) continue;
    __global T *const one = a + (k - origin) * at.row;
    __global T *const other = a + (own[k] - origin) * at.row;
    for (int c = left; c < right; c++) { const T kept = one[c]; one[c] = other[c]; other[c] = kept; }
  }
}
`,
};

/**
 * The product of diagonals, as a mantissa and an exponent so that nothing overflows on the way: as one number, or as its sign
 * and the logarithm of its size.
 */
export const determinants: SolverKernel = {
  name: "determinants",
  source: () => `
__kernel void determinants(
  __global T *const results, __global R *const logarithms, __global const T *const memory,
  __global const int *const pivots, const Place at, const int size, const int count, const int apart
) {
  const long matrix = get_global_id(0);
  if (matrix >= count) return;
  __global const T *const a = memory + at.offset + matrix * at.matrix;
  __global const int *const own = pivots + matrix * size;
  T product = of_parts((R)1, (R)0);
  long exponent = 0;
  for (int i = 0; i < size; i++) {
    int power;
    T next = a[i * (at.row + at.column)];
    const R large = fmax(fabs(real_of(next)), fabs(imaginary_of(next)));
    if (large > 0 && isfinite(large)) {
      frexp(large, &power);
      exponent += power;
      next = of_parts(ldexp(real_of(next), -power), ldexp(imaginary_of(next), -power));
    }
    product = multiply(product, next);
    if (own[i] != i) product = -product;
    const R whole = fmax(fabs(real_of(product)), fabs(imaginary_of(product)));
    if (whole > 0 && isfinite(whole)) {
      frexp(whole, &power);
      exponent += power;
      product = of_parts(ldexp(real_of(product), -power), ldexp(imaginary_of(product), -power));
    }
  }
  /* Zero has no sign. */
  if (is_zero(product)) product = of_parts((R)0, (R)0);
  if (apart) {
    const R length = sqrt(square_of(product));
    logarithms[matrix] = log(length) + (R)exponent * (R)0.693147180559945309417232;
    results[matrix] = length > 0 ? of_parts(real_of(product) / length, imaginary_of(product) / length) : product;
  } else {
    const int last = (int)clamp(exponent, -30000L, 30000L);
    results[matrix] = of_parts(ldexp(real_of(product), last), ldexp(imaginary_of(product), last));
  }
}
`,
};
