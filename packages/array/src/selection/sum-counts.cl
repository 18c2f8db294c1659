// The sums of parts of the counts of lists, in 64 bits. A count that did not fit is negative.
//   CHUNKS: whether a part is a work-item's, as on CPUs; otherwise it is a group's
//   GROUP: work-items of a group

/* So far below zero that other work-items' counts cannot make it positive. */
#define TOO_MANY -(1L << 46)

#if CHUNKS
__kernel void sum_counts(__global const int* const counts, __global long* const sums, const long size,
                         const long part) {
  const long start = (long)get_global_id(0) * part;
  const long end = min(start + part, size);
  long sum = 0;
  for (long i = start; i < end; i += 1) {
    const int count = counts[i];
    sum = count < 0 || sum < 0 ? TOO_MANY : sum + count;
  }
  sums[get_global_id(0)] = sum;
}
#else
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void sum_counts(__global const int* const counts,
                                                                            __global long* const sums, const long size,
                                                                            const long part) {
  __local long own[GROUP];
  const int item = (int)get_local_id(0);
  const long start = (long)get_group_id(0) * part;
  const long end = min(start + part, size);
  long sum = 0;
  for (long i = start + item; i < end; i += GROUP) {
    const int count = counts[i];
    sum = count < 0 || sum < 0 ? TOO_MANY : sum + count;
  }
  own[item] = sum;
  for (int half_size = GROUP / 2; half_size > 0; half_size /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < half_size) {
      const long other = own[item + half_size];
      own[item] = other < 0 || own[item] < 0 ? TOO_MANY : own[item] + other;
    }
  }
  if (item == 0) sums[get_group_id(0)] = own[0];
}
#endif
