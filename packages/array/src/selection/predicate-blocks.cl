// Writes something for each index, by whether a predicate is true there: each work-group has a block of the indices.
//   GROUP_, BLOCK_: work-items and indices of a group
//   count_t_: the type of positions
//   PARAMETERS_, TARGETS_: the declarations of the predicate's parameters, and of those for what is written
//   IS_TRUE_(n): whether the predicate is true at an index
//   ITEM_: the statement that loads the variable `item`, or nothing
//   KEPT_, OTHER_, HAS_OTHER_: the statements for index `n`, before which it is true `at` times: where it is true, and
//     where it is not, if that has statements

#define PER_ITEM_ (BLOCK_ / GROUP_)

__kernel __attribute__((reqd_work_group_size(GROUP_, 1, 1))) void write_true_(PARAMETERS_,
                                                                              __global const count_t_* const offsets_,
                                                                              const count_t_ part_,
                                                                              const count_t_ limit_ TARGETS_) {
  __local uchar truths[BLOCK_];
  __local ushort bits[GROUP_];
  __local ushort sums[GROUP_];
  const int own = (int)get_local_id(0);
  const count_t_ start = (count_t_)get_group_id(0) * BLOCK_;
  for (int j = own; j < BLOCK_; j += GROUP_) {
    const count_t_ n = start + j;
    truths[j] = n < places_.size ? (uchar)IS_TRUE_(n) : (uchar)0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  // Each work-item packs the truth values of some adjacent elements, and computes how many true ones precede them.
  uint flags = 0;
  for (int k = 0; k < PER_ITEM_; k++) flags |= (uint)truths[own * PER_ITEM_ + k] << k;
  const ushort mine = (ushort)popcount(flags);
  ushort sum = mine;
  bits[own] = (ushort)flags;
  sums[own] = sum;
  for (int step = 1; step < GROUP_; step *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const ushort before = own >= step ? sums[own - step] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += before;
    sums[own] = sum;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  sums[own] = sum - mine;
  barrier(CLK_LOCAL_MEM_FENCE);
  const count_t_ first = offsets_[get_group_id(0)];
  const count_t_ stop = min(offsets_[get_group_id(0) + 1], limit_);
  const int length = (int)min((count_t_)BLOCK_, (count_t_)(places_.size - start));
  for (int j = own; j < length; j += GROUP_) {
    const count_t_ n = start + j;
    const uint flag_bits = bits[j / PER_ITEM_];
    const count_t_ at = first + sums[j / PER_ITEM_] + popcount(flag_bits & ((1u << j % PER_ITEM_) - 1));
    if (flag_bits >> j % PER_ITEM_ & 1) {
      if (at >= stop) continue;
      ITEM_
      KEPT_
    } else {
#if HAS_OTHER_
      ITEM_
      OTHER_
#endif
    }
  }
}
