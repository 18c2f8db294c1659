/** Kernels that do little but read or write global memory, for vectors of every width. */

/** Vectors that a work-item of the reading kernels adds up. */
export const readsPerItem = 16;

/** Widths of the vectors, in floats. */
export const memoryWidths = [1, 2, 4, 8, 16] as const;

/** `read_group_N`, `read_range_N`, `write_N` and `copy_N` for each width N. */
export function globalMemorySource(): string {
  return memoryWidths.map(kernelsOf).join("\n");
}

function kernelsOf(width: number): string {
  const type = width === 1 ? "float" : `float${width}`;
  return `
  // The group's block lies together; an item's next vector is a group's size further.
  __kernel void read_group_${width}(__global const ${type} *from, __global float *sums) {
    int at = get_group_id(0) * get_local_size(0) * ${readsPerItem} + get_local_id(0);
    ${type} sum = (${type})(0.0f);
    for (int i = 0; i < ${readsPerItem / 4}; i++) {
      ${readsOf("get_local_size(0)")}
    }
    sums[get_global_id(0)] = ${total("sum", width)};
  }

  // An item's next vector is the whole range further.
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
 * Four reads, each so much further: some drivers do not unroll what they are asked to. The index is an int, as most
 * people write it and as clpeak does: PoCL makes other code of a wider one.
 */
function readsOf(step: string): string {
  return Array.from({ length: 4 }, () => `sum += from[at]; at += ${step};`).join("\n      ");
}

/** All elements of a vector added up, half to half: one after the other would be a chain that is measured with the rest. */
export function total(name: string, width: number): string {
  return width === 1 ? name : total(`(${name}.lo + ${name}.hi)`, width / 2);
}
