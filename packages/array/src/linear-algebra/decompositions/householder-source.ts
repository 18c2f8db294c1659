/**
 * OpenCL C of QR decompositions: Householder reflections of a panel of few columns, and the block reflector that
 * applies them as one product.
 */
import { noteFault } from "../../faults/device-faults.js";
import type { SolverKernel } from "./run-solver.js";
import { singularFault } from "../../faults/solver-faults.js";

/** Columns of a panel. */
export const panelColumns = 32;

/**
 * Reflects the columns of a panel one after the other, with LAPACK's sign convention. R is left on and above the
 * diagonal; the elements below are undefined. The Householder vectors are stored separately, including the zeros and
 * ones that LAPACK omits.
 */
export const householderPanel: SolverKernel = {
  name: "householder_panel",
  source: (local) => `
#define LOCAL ${local}
#define LANES ${Math.min(32, local)}
#define TEAMS ${Math.max(1, local / 32)}
${local === 1 ? "" : together(local)}
__kernel __attribute__((reqd_work_group_size(LOCAL, 1, 1)))
void householder_panel(
  __global T *const memory, __global T *const vector_memory, __global T *const factors,
  const Place at, const Place vectors_at, const int rows, const int columns, const int start, const int factor_count
) {
  const long matrix = get_group_id(0);
  __global T *const a = memory + at.offset + matrix * at.matrix;
  __global T *const vectors = vector_memory + vectors_at.offset + matrix * vectors_at.matrix;
  const int item = get_local_id(0), lane = item % LANES, team = item / LANES;
  ${local === 1 ? `T sums[${panelColumns}];` : `__local R parts[LOCAL];\n  __local T sums[TEAMS][${panelColumns}];`}
  const int steps = min(rows, columns);
  for (int j = 0; j < steps; j++) {
    /* Of numbers of size 1 at most, whose squares do not overflow. */
    R largest = 0;
    for (int i = j + item; i < rows; i += LOCAL) {
      const T value = a[i * at.row + j];
      largest = fmax(largest, fmax(fabs(real_of(value)), fabs(imaginary_of(value))));
    }
    ${local === 1 ? "" : "largest = largest_of(parts, largest, item);"}
    const R down = largest > 0 ? 1 / largest : 0;
    R sum = 0;
    for (int i = j + 1 + item; i < rows; i += LOCAL) {
      const T value = scale(a[i * at.row + j], down);
      sum += square_of(value);
    }
    ${local === 1 ? "" : "sum = sum_of(parts, sum, item);"}
    const T alpha = a[j * at.row + j];
    const T small = scale(alpha, down);
    T factor = of_parts((R)0, (R)0);
    T beta = alpha;
    T inverse = factor;
    if (sum > 0 || imaginary_of(alpha) != 0) {
      const R length = largest * sqrt(square_of(small) + sum);
      const R whole = real_of(alpha) > 0 ? -length : length;
      beta = of_parts(whole, (R)0);
      factor = of_parts((whole - real_of(alpha)) / whole, -imaginary_of(alpha) / whole);
      inverse = quotient(of_parts((R)1, (R)0), alpha - beta);
    }
    ${local === 1 ? "" : "barrier(CLK_GLOBAL_MEM_FENCE);"}
    if (item == 0) factors[matrix * factor_count + start + j] = factor;
    for (int i = item; i < rows; i += LOCAL) {
      const T zero = of_parts((R)0, (R)0), one = of_parts((R)1, (R)0);
      vectors[i * vectors_at.row + j] = i < j ? zero : i == j ? one : multiply(a[i * at.row + j], inverse);
    }
    if (item == 0) a[j * at.row + j] = beta;
    ${local === 1 ? "" : "barrier(CLK_GLOBAL_MEM_FENCE);"}
    if (is_zero(factor)) continue;
${local === 1 ? reflectAlone : reflectTogether}
  }
}
`,
};

const reflectAlone = `
    for (int c = j + 1; c < columns; c++) sums[c] = of_parts((R)0, (R)0);
    for (int i = j; i < rows; i++) {
      const T value = conjugate(vectors[i * vectors_at.row + j]);
      __global const T *const line = a + i * at.row;
      _Pragma("clang loop vectorize(assume_safety) vectorize_width(8)")
      for (int c = j + 1; c < columns; c++) sums[c] = add_product(sums[c], value, line[c]);
    }
    for (int c = j + 1; c < columns; c++) sums[c] = multiply(sums[c], conjugate(factor));
    for (int i = j; i < rows; i++) {
      const T value = vectors[i * vectors_at.row + j];
      __global T *const line = a + i * at.row;
      _Pragma("clang loop vectorize(assume_safety) vectorize_width(8)")
      for (int c = j + 1; c < columns; c++) line[c] = less_product(line[c], value, sums[c]);
    }`;

/** Teams have rows, lanes have columns. */
const reflectTogether = `
    for (int c = lane; c < ${panelColumns}; c += LANES) {
      T own = of_parts((R)0, (R)0);
      if (c > j && c < columns) {
        for (int i = j + team; i < rows; i += TEAMS) {
          own = add_product(own, conjugate(vectors[i * vectors_at.row + j]), a[i * at.row + c]);
        }
      }
      sums[team][c] = own;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (int c = j + 1 + lane; c < columns; c += LANES) {
      T whole = of_parts((R)0, (R)0);
      for (int t = 0; t < TEAMS; t++) whole += sums[t][c];
      whole = multiply(whole, conjugate(factor));
      for (int i = j + team; i < rows; i += TEAMS) {
        a[i * at.row + c] = less_product(a[i * at.row + c], vectors[i * vectors_at.row + j], whole);
      }
    }
    barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);`;

const together = (local: number): string => `
R largest_of(__local R *const parts, const R own, const int item) {
  parts[item] = own;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int apart = ${local / 2}; apart > 0; apart /= 2) {
    if (item < apart) parts[item] = fmax(parts[item], parts[item + apart]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  const R result = parts[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  return result;
}
R sum_of(__local R *const parts, const R own, const int item) {
  parts[item] = own;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int apart = ${local / 2}; apart > 0; apart /= 2) {
    if (item < apart) parts[item] += parts[item + apart];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  const R result = parts[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  return result;
}
`;

/**
 * The triangle that joins reflections: their product is the identity without V T V^H. From the products of their vectors;
 * each work-item has one row.
 */
export const reflectionTriangle: SolverKernel = {
  name: "reflection_triangle",
  source: () => `
__kernel void reflection_triangle(
  __global T *const memory, __global const T *const product_memory, __global const T *const factors,
  const Place at, const Place products_at, const int size, const int start, const int factor_count
) {
  const int i = (int)get_global_id(0);
  const long matrix = get_global_id(1);
  __global T *const line = memory + at.offset + matrix * at.matrix + i * at.row;
  __global const T *const products = product_memory + products_at.offset + matrix * products_at.matrix;
  for (int j = 0; j < size; j++) {
    const T factor = factors[matrix * factor_count + start + j];
    T sum = of_parts((R)0, (R)0);
    for (int k = i; k < j; k++) sum = less_product(sum, line[k], products[k * products_at.row + j]);
    line[j] = j < i ? of_parts((R)0, (R)0) : j == i ? factor : multiply(sum, factor);
  }
}
`,
};

/** Notes matrices whose triangle says that columns depend on others: such systems have no single solution. */
export const rankCheck: SolverKernel = {
  name: "rank_check",
  source: () => `${noteFault}
__kernel void rank_check(
  __global const T *const memory, volatile __global int *const fault,
  const Place at, const int size, const int count, const int larger, const int routine, const int stacked
) {
  const long matrix = get_global_id(0);
  if (matrix >= count) return;
  __global const T *const a = memory + at.offset + matrix * at.matrix;
  R largest = 0;
  for (int i = 0; i < size; i++) largest = fmax(largest, size_of(a[i * (at.row + at.column)]));
  for (int i = 0; i < size; i++) {
    if (size_of(a[i * (at.row + at.column)]) > largest * R_EPSILON * larger) continue;
    note_fault(fault, ${singularFault}, routine, stacked ? matrix : -1, i);
    return;
  }
}
`,
};
