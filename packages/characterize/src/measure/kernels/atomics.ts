/** Kernels that measure atomic additions. */

/** Number of atomic additions per work-item. */
export const increments = 64;

/** Returns the source of the kernels `global_one`, `global_own`, `local_one` and `local_own`. */
export function atomicsSource(groupSize: number): string {
  return `
  __kernel void global_one(__global int *counters) {
    for (int i = 0; i < ${increments}; i++) atomic_add(counters, i);
  }

  __kernel void global_own(__global int *counters) {
    for (int i = 0; i < ${increments}; i++) atomic_add(counters + get_global_id(0), i);
  }

  __kernel __attribute__((reqd_work_group_size(${groupSize}, 1, 1)))
  void local_one(__global int *counters) {
    __local int memory[1];
    if (get_local_id(0) == 0) memory[0] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < ${increments}; i++) atomic_add(memory, i);
    barrier(CLK_LOCAL_MEM_FENCE);
    counters[get_global_id(0)] = memory[0];
  }

  __kernel __attribute__((reqd_work_group_size(${groupSize}, 1, 1)))
  void local_own(__global int *counters) {
    __local int memory[${groupSize}];
    memory[get_local_id(0)] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < ${increments}; i++) atomic_add(memory + get_local_id(0), i);
    barrier(CLK_LOCAL_MEM_FENCE);
    counters[get_global_id(0)] = memory[get_local_id(0)];
  }`;
}
