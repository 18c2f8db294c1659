/** Kernels that measure reads of local memory. */
import { total } from "./global-memory.js";

/** Number of reads per work-item. */
export const localReads = 512;

/** Vector widths in floats. */
export const localWidths = [1, 2, 4] as const;

/** Work-group size of the stride kernel, enough for the widest SIMD group. */
export const strideItems = 64;

/**
 * Returns the source of the kernels `read_N` for each width N, in which adjacent work-items read adjacent elements, and
 * `stride`, in which they read words with a stride. `words` is the size of its memory in words, a power of two.
 */
export function localMemorySource(groupSize: number, words: number): string {
  return localWidths.map((width) => readKernel(width, groupSize)).join("\n") + strideKernel(words);
}

function readKernel(width: number, groupSize: number): string {
  const type = width === 1 ? "float" : `float${width}`;
  return `
  __kernel __attribute__((reqd_work_group_size(${groupSize}, 1, 1)))
  void read_${width}(__global float *out, float seed) {
    __local ${type} memory[${groupSize}];
    const int item = (int)get_local_id(0);
    memory[item] = (${type})(seed + item);
    barrier(CLK_LOCAL_MEM_FENCE);
    ${type} sum = (${type})(0.0f);
    #pragma unroll 8
    for (int i = 0; i < ${localReads}; i++) sum += memory[(item + i) & ${groupSize - 1}];
    out[get_global_id(0)] = ${total("sum", width)};
  }`;
}

function strideKernel(words: number): string {
  return `
  __kernel __attribute__((reqd_work_group_size(${strideItems}, 1, 1)))
  void stride(__global int *out, int stride, int seed) {
    __local int memory[${words}];
    const int item = (int)get_local_id(0);
    for (int i = item; i < ${words}; i += ${strideItems}) memory[i] = seed + i;
    barrier(CLK_LOCAL_MEM_FENCE);
    int at = item * stride;
    int sum = 0;
    // All work-items advance together: the words change, the pattern of banks does not.
    #pragma unroll 8
    for (int i = 0; i < ${localReads}; i++) {
      sum += memory[at & ${words - 1}];
      at += 1;
    }
    out[get_global_id(0)] = sum;
  }`;
}
