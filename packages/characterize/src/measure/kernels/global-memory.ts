/** Kernels that measure global memory, for vectors of every width. */

/** Number of vectors per work-item that the read kernels sum. */
export const readsPerItem = 16;

/** Vector widths in floats. */
export const memoryWidths = [1, 2, 4, 8, 16] as const;

/** Returns the source of the kernels `read_group_N`, `read_range_N`, `write_N` and `copy_N` for each width N. */
export function globalMemorySource(): string {
  return memoryWidths.map(kernelsOf).join("\n");
}

function kernelsOf(width: number): string {
  const type = width === 1 ? "float" : `float${width}`;
  return `
  // Each work-group reads a contiguous block; a work-item's stride is the group size.
  __kernel void read_group_${width}(__global const ${type} *from, __global float *sums) {
    int at = get_group_id(0) * get_local_size(0) * ${readsPerItem} + get_local_id(0);
    ${type} sum = (${type})(0.0f);
    for (int i = 0; i < ${readsPerItem / 4}; i++) {
      ${readsOf("get_local_size(0)")}
    }
    sums[get_global_id(0)] = ${total("sum", width)};
  }

  // A work-item's stride is the global size.
  __kernel void read_range_${width}(__global const ${type} *from, __global float *sums) {
    int at = get_global_id(0);
    ${type} sum = (${type})(0.0f);
    for (int i = 0; i < ${readsPerItem / 4}; i++) {
      ${readsOf("get_global_size(0)")}
    }
    sums[get_global_id(0)] = ${total("sum", width)};
  }

  __kernel void write_${width}(__global ${type} *to, float value) {
    to[get_global_id(0)] = (${type})(value);
  }

  __kernel void copy_${width}(__global ${type} *to, __global const ${type} *from) {
    to[get_global_id(0)] = from[get_global_id(0)];
  }`;
}

/**
 * Returns four reads with a stride, unrolled because some drivers ignore unroll pragmas. The index is an int, as in
 * most kernels and in clpeak: PoCL generates different code for a wider type.
 */
function readsOf(step: string): string {
  return Array.from({ length: 4 }, () => `sum += from[at]; at += ${step};`).join("\n      ");
}

/** Returns the sum of a vector's elements as a tree, since a sequential sum would add a dependent chain. */
export function total(name: string, width: number): string {
  return width === 1 ? name : total(`(${name}.lo + ${name}.hi)`, width / 2);
}
