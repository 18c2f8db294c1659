// Combines a variable of the work-items of a group, by a tree in local memory. Depends on reduction_combine and `item`.
//   COMBINE_GROUP_(shared, number, half, last, variable): each of the first `half` work-items, by `number`, takes that
//   of
//     the one that is `half` further, and so on, until `last` have it all

#define COMBINE_GROUP_(shared, number, half, last, variable) \
  shared[item] = variable; \
  for (int half_width = half; half_width >= last; half_width /= 2) { \
    barrier(CLK_LOCAL_MEM_FENCE); \
    if (number < half_width) { \
      variable = reduction_combine(variable, shared[item + half_width]); \
      shared[item] = variable; \
    } \
  }
