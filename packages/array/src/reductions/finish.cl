// Combines the parts of each result, by one work-item or by a group. Depends on combine-group.cl.
//   FINISH_PARAMETERS_: the declarations of the parameters
//   IDENTITY_: the identity element
//   GROUP_: work-items of a group, or 1 without groups
//   FINISHED_PLACE_(k): the statement that declares `result_at`, where result `k` is
//   STORE_RESULT_(accumulator, at): the statement that stores a result

__kernel void finish(FINISH_PARAMETERS_) {
  const Index k = (Index)get_global_id(0);
  if (k >= places.outputs) return;
  Accumulator result = IDENTITY_;
  for (Index part = 0; part < places.parts; part += 1) {
    result = reduction_combine(result, partial[part * places.outputs + k]);
  }
  FINISHED_PLACE_(k)
  STORE_RESULT_(result, result_at)
}

#if GROUP_ > 1
__kernel void finish_by_groups(FINISH_PARAMETERS_) {
  __local Accumulator shared[GROUP_];
  const int item = (int)get_local_id(0);
  const Index k = (Index)get_group_id(0);
  Accumulator result = IDENTITY_;
  for (Index part = item; part < places.parts; part += GROUP_) {
    result = reduction_combine(result, partial[part * places.outputs + k]);
  }
  COMBINE_GROUP_(shared, item, GROUP_ / 2, 1, result)
  if (item != 0) return;
  FINISHED_PLACE_(k)
  STORE_RESULT_(result, result_at)
}
#endif
