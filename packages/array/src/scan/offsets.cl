// Makes of counts what is before each, in place, and behind the last what all come to. One work-group does it.
//   T: the type of counts
//   GROUP: its work-items, a power of two

/* Each work-item has a part of the counts, whose sum goes through local memory. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void offsets(__global T* const counts, const int count,
                                                                         const int part) {
  __local T sums[GROUP];
  const int item = (int)get_local_id(0);
  const int start = min(item * part, count);
  const int end = min(start + part, count);
  T own = 0;
  for (int i = start; i < end; i++) own += counts[i];
  T sum = own;
  sums[item] = sum;
  for (int step = 1; step < GROUP; step *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const T before = item >= step ? sums[item - step] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += before;
    sums[item] = sum;
  }
  T at = sum - own;
  for (int i = start; i < end; i++) {
    const T next = counts[i];
    counts[i] = at;
    at += next;
  }
  if (item == GROUP - 1) counts[count] = at;
}
