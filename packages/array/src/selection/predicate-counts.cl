// Counts where a predicate is true.
//   BLOCKS_, GROUP_, BLOCK_: whether a part is a block of a group, and work-items and elements of a group
//   count_t_: the type of positions
//   PARAMETERS_: the declarations of the predicate's parameters
//   IS_TRUE_(n): whether it is true at an index

#if BLOCKS_
__kernel __attribute__((reqd_work_group_size(GROUP_, 1, 1))) void count_true_(PARAMETERS_,
                                                                              __global count_t_* const counts_,
                                                                              const count_t_ part_) {
  __local int total;
  if (get_local_id(0) == 0) total = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  const count_t_ first = (count_t_)get_group_id(0) * BLOCK_ + (count_t_)get_local_id(0);
  int own = 0;
  for (int k = 0; k < BLOCK_ / GROUP_; k++) {
    const count_t_ n = first + k * GROUP_;
    if (n < places_.size) own += IS_TRUE_(n);
  }
  if (own != 0) atomic_add(&total, own);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) counts_[get_group_id(0)] = total;
}
#else
__kernel void count_true_(PARAMETERS_, __global count_t_* const counts_, const count_t_ part_) {
  const count_t_ start = (count_t_)get_global_id(0) * part_;
  const count_t_ end = min((count_t_)(start + part_), places_.size);
  count_t_ count = 0;
  for (count_t_ n = start; n < end; n++) count += IS_TRUE_(n);
  counts_[get_global_id(0)] = count;
}
#endif
