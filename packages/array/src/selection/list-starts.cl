// Where each object's list starts, and behind the last where it ends, from counts and the sums before each part.
//   CHUNKS: whether a part is a work-item's, as on CPUs; otherwise it is a group's
//   GROUP, PER_ITEM: work-items of a group, and elements of a work-item
//   START: the type of starts

#if CHUNKS
__kernel void make_starts(__global const int* const counts, __global const long* const sums,
                          __global START* const starts, const long size, const long part) {
  const long start = (long)get_global_id(0) * part;
  const long end = min(start + part, size);
  long at = sums[get_global_id(0)];
  for (long i = start; i < end; i++) {
    starts[i] = (START)at;
    at += counts[i];
  }
  if (end == size) starts[size] = (START)at;
}
#else
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void make_starts(__global const int* const counts,
                                                                             __global const long* const sums,
                                                                             __global START* const starts,
                                                                             const long size, const long part) {
  __local long ends[GROUP];
  const int item = (int)get_local_id(0);
  const long start = (long)get_group_id(0) * part + item * PER_ITEM;
  long sum = 0;
  for (int k = 0; k < PER_ITEM; k++) {
    if (start + k < size) sum += counts[start + k];
  }
  const long own = sum;
  ends[item] = sum;
  for (int step = 1; step < GROUP; step *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const long before = item >= step ? ends[item - step] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += before;
    ends[item] = sum;
  }
  long at = sums[get_group_id(0)] + sum - own;
  for (int k = 0; k < PER_ITEM; k++) {
    if (start + k >= size) break;
    starts[start + k] = (START)at;
    at += counts[start + k];
    if (start + k == size - 1) starts[size] = (START)at;
  }
}
#endif
