// What groups do with the parts of a scan: each work-item learns what those before it have, and one group makes of the
// totals of tiles what is before each tile. Depends on combined-parts.cl.
//   GROUP_, EACH_: work-items of a group, and adjacent elements of each

#define TILE_ (GROUP_ * EACH_)
/* Adjacent work-items access different banks of local memory. */
#define PADDED_(j) ((j) + (j) / EACH_)

/* What the work-items before this one have, and what all have; the work-items wait for each other. */
Part_ before_me_(__local Part_* const sums, const Part_ own, Part_* const all) {
  const int me = (int)get_local_id(0);
  __local Part_ *from = sums, *to = sums + GROUP_;
  Part_ sum = own;
  from[me] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int step = 1; step < GROUP_; step *= 2) {
    if (me >= step) {
      const Part_ earlier = from[me - step];
      sum = JOIN_(earlier, sum);
    }
    to[me] = sum;
    __local Part_* const other = from;
    from = to;
    to = other;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  *all = from[GROUP_ - 1];
  Part_ before = NOTHING_;
  if (me > 0) before = from[me - 1];
  return before;
}

/* One group makes of the totals what is before each tile; what all come to is behind the last. */
__kernel __attribute__((reqd_work_group_size(GROUP_, 1, 1))) void scan_parts(__global Part_* const parts_,
                                                                             const int tiles_) {
  __local Part_ sums_[2 * GROUP_];
  Part_ running_ = NOTHING_;
  for (int first_ = 0; first_ < tiles_; first_ += GROUP_) {
    const int tile_ = first_ + (int)get_local_id(0);
    Part_ own_ = NOTHING_, all_;
    if (tile_ < tiles_) own_ = parts_[tile_];
    const Part_ before_ = before_me_(sums_, own_, &all_);
    if (tile_ < tiles_) parts_[tile_] = JOIN_(running_, before_);
    running_ = JOIN_(running_, all_);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (get_local_id(0) == 0) parts_[tiles_] = running_;
}
