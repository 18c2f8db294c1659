// Reduces columns on GPUs: each work-group has adjacent results, and its work-items take turns in the rows. Depends on
// combine-group.cl.
//   PARAMETERS_: the declarations of the parameters
//   GROUP_, WIDTH_: work-items of a group, and of a row
//   VECTOR_: adjacent results of a work-item
//   KEPT_PLACES_(k): the statements that find where results `k` begin
//   REDUCED_PLACES_(i): the statements that find row `i`
//   DECLARE_LANES_, COMBINE_VECTORS_(column), COMBINE_GROUPS_: an accumulator for each result, the statements that
//   combine
//     them with the elements of a row, and with those of other work-items in the local memory `shared`
//   STORE_LANES_(column): the statements that store the results from a column on, or parts of them

__kernel __attribute__((reqd_work_group_size(GROUP_, 1, 1))) void reduce(PARAMETERS_) {
  __local Accumulator shared[VECTOR_][GROUP_];
  const int item = (int)get_local_id(0);
  const int row = item / WIDTH_;
  const Index numbered = (Index)get_group_id(0);
  const Index column = (numbered % places.tiles * WIDTH_ + item % WIDTH_) * VECTOR_;
  const Index part = numbered / places.tiles % places.parts;
  const Index outer = numbered / places.tiles / places.parts;
  DECLARE_LANES_
  KEPT_PLACES_(outer)
  if (column < places.kept_extent[0]) {
    const Index end = min((part + 1) * places.chunk, places.count);
#pragma unroll 4
    for (Index i = part * places.chunk + row; i < end; i += GROUP_ / WIDTH_) {
      REDUCED_PLACES_(i)
      COMBINE_VECTORS_(column)
    }
  }
  COMBINE_GROUPS_
  if (row != 0 || column >= places.kept_extent[0]) return;
  STORE_LANES_(column)
}
