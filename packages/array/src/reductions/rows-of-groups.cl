// Reduces rows on GPUs: a group has some rows, or a part of one; its work-items take turns along each. Depends on
// combine-group.cl.
//   PARAMETERS_: the declarations of the parameters
//   IDENTITY_: the identity element
//   GROUP_, WIDTH_: work-items of a group, and of a row
//   VECTOR_: elements of a work-item that are adjacent
//   REDUCED_AXES_: the number of axes that are reduced
//   KEPT_PLACES_(k): the statements that find where result `k` begins
//   REDUCED_PLACES_(i): the statements that find element `i` of those that are reduced
//   ELEMENT_(i), PLACED_ELEMENT_: an element as an accumulator, by the number along one axis or by its place
//   DECLARE_LANES_, COMBINE_VECTORS_(i), ALL_LANES_: an accumulator for each element of a vector, the statements that
//     combine them with the vectors of element `i`, and what all of them come to
//   STORE_(accumulator, k, at): the statement that stores result `k`, or a part of it

__kernel __attribute__((reqd_work_group_size(GROUP_, 1, 1))) void reduce(PARAMETERS_) {
  __local Accumulator shared[GROUP_];
  const int item = (int)get_local_id(0);
  const int place = item % WIDTH_;
  const Index part = (Index)get_group_id(0) % places.parts;
  const Index k = (Index)get_group_id(0) / places.parts * (GROUP_ / WIDTH_) + item / WIDTH_;
  Accumulator result = IDENTITY_;
  if (k < places.outputs) {
    KEPT_PLACES_(k)
    const Index start = part * places.chunk;
    const Index end = min(start + places.chunk, places.count);
#if REDUCED_AXES_ == 1
    REDUCED_PLACES_(0)
    DECLARE_LANES_
    const Index whole = end - (end - start) % VECTOR_;
#pragma unroll 4
    for (Index i = start + place * VECTOR_; i < whole; i += WIDTH_ * VECTOR_) {
      COMBINE_VECTORS_(i)
    }
    for (Index i = whole + place; i < end; i += WIDTH_) {
      lane0 = reduction_combine(lane0, ELEMENT_(i));
    }
    result = ALL_LANES_;
#else
    for (Index i = start + place; i < end; i += WIDTH_) {
      REDUCED_PLACES_(i)
      result = reduction_combine(result, PLACED_ELEMENT_);
    }
#endif
  }
  COMBINE_GROUP_(shared, place, WIDTH_ / 2, 1, result)
  if (place != 0 || k >= places.outputs) return;
  KEPT_PLACES_(k)
  STORE_(result, k, result_at)
}
