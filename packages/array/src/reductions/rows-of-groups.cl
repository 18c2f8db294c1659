// Reduces rows on GPUs: a group has some rows, or a part of one; its work-items take turns along each. Depends on
// combine-group.cl.
//   PARAMETERS_: the declarations of the parameters
//   IDENTITY_: the identity element
//   GROUP_, WIDTH_: work-items of a group, and of a row
//   VECTOR_: elements of a work-item that are adjacent
//   TOGETHER_: vectors that a work-item loads together; those of its group are adjacent
//   REDUCED_AXES_: the number of axes that are reduced
//   KEPT_PLACES_(k): the statements that find where result `k` begins
//   REDUCED_PLACES_(i): the statements that find element `i` of those that are reduced
//   ELEMENT_(i), PLACED_ELEMENT_: an element as an accumulator, by the number along one axis or by its place
//   DECLARE_LANES_, COMBINE_VECTORS_(i), ALL_LANES_: an accumulator for each element of a vector, the statements that
//     combine them with the vectors of element `i`, and what all of them come to
//   STORE_(accumulator, k, at): the statement that stores result `k`, or a part of it
//   LAST_: whether the group that finishes last combines the parts of the only result
//   STORE_RESULT_(accumulator, at): the statement that stores a complete result

/* Orders memory for all groups of a device; only NVIDIA's GPUs have groups of which the last combines the parts. */
#define DEVICE_FENCE_() asm volatile("fence.acq_rel.gpu;" ::: "memory")

__kernel __attribute__((reqd_work_group_size(GROUP_, 1, 1))) void reduce(PARAMETERS_) {
  __local Accumulator shared[GROUP_];
  const int item = (int)get_local_id(0);
  const int place = item % WIDTH_;
  const Index part = (Index)get_group_id(0) % places.parts;
  const Index k = (Index)get_group_id(0) / places.parts * (GROUP_ / WIDTH_) + item / WIDTH_;
  Accumulator result = IDENTITY_;
  if (k < places.outputs) {
    KEPT_PLACES_(k)
    // The parts take turns, so that the groups read adjacent memory.
    const Index first = part * WIDTH_ + place;
    const Index step = places.parts * WIDTH_;
#if REDUCED_AXES_ == 1
    REDUCED_PLACES_(0)
    DECLARE_LANES_
    const Index whole = places.count - places.count % VECTOR_;
    const Index adjacent = WIDTH_ * VECTOR_;
    Index next = part * TOGETHER_ * adjacent + place * VECTOR_;
    for (; next < whole - (TOGETHER_ - 1) * adjacent; next += places.parts * TOGETHER_ * adjacent) {
#pragma unroll
      for (int v = 0; v < TOGETHER_; v++) {
        COMBINE_VECTORS_(next + v * adjacent)
      }
    }
    // Those of the last turn, which is not complete.
    for (; next < whole; next += adjacent) {
      COMBINE_VECTORS_(next)
    }
    for (Index i = whole + first; i < places.count; i += step) {
      lane0 = reduction_combine(lane0, ELEMENT_(i));
    }
    result = ALL_LANES_;
#else
    for (Index i = first; i < places.count; i += step) {
      REDUCED_PLACES_(i)
      result = reduction_combine(result, PLACED_ELEMENT_);
    }
#endif
  }
  COMBINE_GROUP_(shared, place, WIDTH_ / 2, 1, result)
#if LAST_
  __local int is_last;
  if (item == 0) {
    partial[part] = result;
    DEVICE_FENCE_();
    is_last = atomic_inc(done) == places.parts - 1;
    DEVICE_FENCE_();
  }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (!is_last) return;
  result = IDENTITY_;
  for (Index other = item; other < places.parts; other += GROUP_) result = reduction_combine(result, partial[other]);
  COMBINE_GROUP_(shared, item, GROUP_ / 2, 1, result)
  if (item != 0) return;
  *done = 0;
  KEPT_PLACES_(0)
  STORE_RESULT_(result, result_at)
#else
  if (place != 0 || k >= places.outputs) return;
  KEPT_PLACES_(k)
  STORE_(result, k, result_at)
#endif
}
