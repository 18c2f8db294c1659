/** OpenCL C that all blocked solvers use between panels: solving with a small triangle, and subtracting products. */
import { noteFault } from "../../faults/device-faults.js";
import { kindOf } from "../../types/promote.js";
import type { SolverType } from "./number-source.js";
import type { SolverKernel } from "./run-solver.js";
import { singularFault } from "../../faults/solver-faults.js";

/** Solves with a lower triangle of few rows, for some columns in each work-item. An upper one is passed turned around. */
export const substitution: SolverKernel = {
  name: "substitution",
  source: () => `${noteFault}
/* Faults are noted by \`routine\` unless it is negative; \`first\` and \`step\` say where on the whole diagonal a place is. */
__kernel void substitution(
  __global T *const memory, __global const T *const triangle_memory, volatile __global int *const fault,
  const Place at, const Place triangle_at, const int size, const int columns, const int span,
  const int unit, const int conjugated, const int routine, const int stacked, const int first, const int step
) {
  const long matrix = get_global_id(1);
  __global T *const x = memory + at.offset + matrix * at.matrix;
  __global const T *const triangle = triangle_memory + triangle_at.offset + matrix * triangle_at.matrix;
  const int left = (int)get_global_id(0) * span, right = min(left + span, columns);
  if (left >= right) return;
  for (int i = 0; i < size; i++) {
    __global T *const line = x + i * at.row;
    __global const T *const factors = triangle + i * triangle_at.row;
    for (int k = 0; k < i; k++) {
      const T factor = conjugate_if(factors[k * triangle_at.column], conjugated);
      __global const T *const above = x + k * at.row;
      _Pragma("clang loop vectorize(assume_safety) vectorize_width(8)")
      for (int c = left; c < right; c++) line[c] = less_product(line[c], factor, above[c]);
    }
    if (unit) continue;
    const T pivot = conjugate_if(factors[i * triangle_at.column], conjugated);
    if (is_zero(pivot) && routine >= 0 && left == 0) {
      note_fault(fault, ${singularFault}, routine, stacked ? matrix : -1, first + step * i);
    }
    for (int c = left; c < right; c++) line[c] = quotient(line[c], pivot);
  }
}
`,
};

/** Rows and columns of the part that one work-item of a processor, or one group elsewhere, has of a product. */
export const productPart = { rows: 64, columns: 256, tile: 64 } as const;

/** Adds a product to a matrix or subtracts it: `c = keep c + sign (a b)`; rows of `b` and `c` are contiguous. */
export function productKernel(dtype: SolverType): SolverKernel {
  return {
    name: "product",
    source: (local) => {
      if (local > 1) return productTogether;
      return kindOf(dtype) === 4 ? productOfComplex : productOfVectors(dtype === "float32" ? 16 : 8);
    },
  };
}

const parameters = `(
  __global T *const c_memory, __global const T *const a_memory, __global const T *const b_memory,
  const Place c_at, const Place a_at, const Place b_at,
  const int rows, const int inner, const int columns, const int conjugated, const int keep, const int sign
) {
  const long matrix = get_global_id(2);
  __global T *const c = c_memory + c_at.offset + matrix * c_at.matrix;
  __global const T *const a = a_memory + a_at.offset + matrix * a_at.matrix;
  __global const T *const b = b_memory + b_at.offset + matrix * b_at.matrix;`;

const partOf = `
  const int top = (int)get_global_id(0) * ${productPart.rows}, bottom = min(top + ${productPart.rows}, rows);
  const int left = (int)get_global_id(1) * ${productPart.columns}, right = min(left + ${productPart.columns}, columns);`;

/** Eight rows by two vectors stay in registers. Rows beyond the last are computed as the last, and not stored. */
const productOfVectors = (width: number): string => `
#define ROWS 8
#define WIDTH ${width}
typedef T V __attribute__((ext_vector_type(WIDTH)));
__kernel void product${parameters}${partOf}
  int from = left;
  for (; from + 2 * WIDTH <= right; from += 2 * WIDTH) {
    for (int row = top; row < bottom; row += ROWS) {
      V sums[ROWS][2];
      __global const T *lines[ROWS];
      _Pragma("unroll")
      for (int r = 0; r < ROWS; r++) {
        sums[r][0] = sums[r][1] = (V)0;
        lines[r] = a + min(row + r, bottom - 1) * a_at.row;
      }
      for (int k = 0; k < inner; k++) {
        const V one = vload${width}(0, b + k * b_at.row + from);
        const V other = vload${width}(0, b + k * b_at.row + from + WIDTH);
        _Pragma("unroll")
        for (int r = 0; r < ROWS; r++) {
          const V factor = (V)lines[r][k * a_at.column];
          sums[r][0] += factor * one;
          sums[r][1] += factor * other;
        }
      }
      for (int r = 0; r < ROWS && row + r < bottom; r++) {
        __global T *const line = c + (row + r) * c_at.row + from;
        const V one = sign > 0 ? sums[r][0] : -sums[r][0], other = sign > 0 ? sums[r][1] : -sums[r][1];
        vstore${width}(keep ? vload${width}(0, line) + one : one, 0, line);
        vstore${width}(keep ? vload${width}(1, line) + other : other, 1, line);
      }
    }
  }
  for (; from < right; from += 4) {
    const int wide = min(4, right - from);
    for (int row = top; row < bottom; row += ROWS) {
      T sums[ROWS][4];
      for (int r = 0; r < ROWS; r++) for (int j = 0; j < 4; j++) sums[r][j] = 0;
      for (int k = 0; k < inner; k++) {
        T line[4];
        _Pragma("unroll")
        for (int j = 0; j < 4; j++) line[j] = b[k * b_at.row + from + min(j, wide - 1)];
        _Pragma("unroll")
        for (int r = 0; r < ROWS; r++) {
          const T factor = a[min(row + r, bottom - 1) * a_at.row + k * a_at.column];
          _Pragma("unroll")
          for (int j = 0; j < 4; j++) sums[r][j] += factor * line[j];
        }
      }
      for (int r = 0; r < ROWS && row + r < bottom; r++) {
        for (int j = 0; j < wide; j++) {
          __global T *const target = c + (row + r) * c_at.row + from + j;
          *target = (keep ? *target : 0) + (sign > 0 ? sums[r][j] : -sums[r][j]);
        }
      }
    }
  }
}
`;

/** Accumulates row by row, so that adjacent elements are computed together. */
const productOfComplex = `
__kernel void product${parameters}${partOf}
  for (int row = top; row < bottom; row++) {
    __global T *const line = c + row * c_at.row;
    if (!keep) for (int j = left; j < right; j++) line[j] = (T)(0, 0);
    for (int k = 0; k < inner; k++) {
      const T value = conjugate_if(a[row * a_at.row + k * a_at.column], conjugated);
      const T factor = sign > 0 ? value : -value;
      __global const T *const other = b + k * b_at.row;
      _Pragma("clang loop vectorize(assume_safety)")
      for (int j = left; j < right; j++) line[j] = add_product(line[j], factor, other[j]);
    }
  }
}
`;

/**
 * Tiles are staged in local memory; each of 16 x 16 work-items has 4 x 4 elements, 16 apart so that adjacent work-items
 * store adjacent elements.
 */
const productTogether = `
#define SIDE 16
#define TILE ${productPart.tile}
__kernel __attribute__((reqd_work_group_size(SIDE, SIDE, 1)))
void product${parameters}
  __local T a_tile[SIDE][TILE + 1];
  __local T b_tile[SIDE][TILE];
  const int x = get_local_id(0), y = get_local_id(1);
  const int left = (int)get_group_id(0) * TILE, top = (int)get_group_id(1) * TILE;
  const T zero = of_parts((R)0, (R)0);
  T sums[4][4];
  for (int i = 0; i < 4; i++) for (int j = 0; j < 4; j++) sums[i][j] = zero;
  for (int start = 0; start < inner; start += SIDE) {
    for (int i = 0; i < 4; i++) {
      /* Loads along the axis of a that is contiguous. */
      const int down = a_at.column == 1 ? y + SIDE * i : x + SIDE * i, right = a_at.column == 1 ? x : y;
      const bool inside = top + down < rows && start + right < inner;
      a_tile[right][down] = inside
        ? conjugate_if(a[(top + down) * a_at.row + (start + right) * a_at.column], conjugated) : zero;
      const int column = left + x + SIDE * i;
      b_tile[y][x + SIDE * i] = column < columns && start + y < inner ? b[(start + y) * b_at.row + column] : zero;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < SIDE; k++) {
      T down[4], right[4];
      for (int i = 0; i < 4; i++) { down[i] = a_tile[k][y + SIDE * i]; right[i] = b_tile[k][x + SIDE * i]; }
      for (int i = 0; i < 4; i++) for (int j = 0; j < 4; j++) sums[i][j] = add_product(sums[i][j], down[i], right[j]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < 4; j++) {
      const int row = top + y + SIDE * i, column = left + x + SIDE * j;
      if (row >= rows || column >= columns) continue;
      __global T *const target = c + row * c_at.row + column;
      const T value = sign > 0 ? sums[i][j] : -sums[i][j];
      *target = keep ? *target + value : value;
    }
  }
}
`;
