// Makes of counts what is before each, in place, and behind the last what all come to. One work-group does it.
//   T: the type of counts
//   GROUP: its work-items, a power of two

/* Counts that a work-item adds up before the group does. */
#define EACH 4

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void offsets(__global T* const counts, const int count) {
  __local T sums[GROUP];
  const int item = (int)get_local_id(0);
  T before = 0;
  for (int start = 0; start < count; start += GROUP * EACH) {
    const int at = start + item * EACH;
    T own[EACH];
    T sum = 0;
    for (int k = 0; k < EACH; k++) {
      own[k] = at + k < count ? counts[at + k] : 0;
      sum += own[k];
    }
    T next = before - sum;
    sums[item] = sum;
    for (int step = 1; step < GROUP; step *= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      const T other = item >= step ? sums[item - step] : 0;
      barrier(CLK_LOCAL_MEM_FENCE);
      sum += other;
      sums[item] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    next += sum;
    before += sums[GROUP - 1];
    for (int k = 0; k < EACH; k++) {
      if (at + k < count) counts[at + k] = next;
      next += own[k];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (item == 0) counts[count] = before;
}
