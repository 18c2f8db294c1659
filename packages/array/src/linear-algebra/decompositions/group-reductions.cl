// Reductions over the work-items of a group. All of them must call the functions, and receive the result.
//   LOCAL: work-items of a group

#if LOCAL > 1
#define group_barrier() barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE)
R largest_of(__local R* const parts, const R own, const int item) {
  parts[item] = own;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int apart = LOCAL / 2; apart > 0; apart /= 2) {
    if (item < apart) parts[item] = fmax(parts[item], parts[item + apart]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  const R result = parts[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  return result;
}
R sum_of(__local R* const parts, const R own, const int item) {
  parts[item] = own;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int apart = LOCAL / 2; apart > 0; apart /= 2) {
    if (item < apart) parts[item] += parts[item + apart];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  const R result = parts[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  return result;
}
#else
#define group_barrier()
#define largest_of(parts, own, item) (own)
#define sum_of(parts, own, item) (own)
#endif
