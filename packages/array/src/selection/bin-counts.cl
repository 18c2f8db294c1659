// Counts elements by bin, or sums their weights. Depends on `bin_of`.
//   CHUNKS, GROUPS: whether a work-item has separate bins in memory, as on CPUs, and whether a group has them in local
//     memory; otherwise all groups share bins in memory
//   IS_EDGED, LANES: whether elements are between edges, and how many are searched together then
//   GROUP, MAX_BINS: work-items of a group, and bins of a group
//   WEIGHT, IS_WEIGHTED: the type of sums, and whether elements have weights
//   WEIGHTS: the parameters for weights, or nothing
//   WORD, EXCHANGE, AS_WORD, AS_WEIGHT: an integer as wide as a weight, its atomic exchange, and conversions of the
//   bits

typedef WEIGHT weight_t;

#if GROUPS
#define SPACE __local
#else
#define SPACE __global
#endif
#if IS_WEIGHTED
#define WEIGHT_OF(i) weights[weights_first + i]
#define ADD(target, i) add(target, WEIGHT_OF(i))
#else
#define WEIGHT_OF(i) 1
#define ADD(target, i) atomic_inc((volatile SPACE uint*)target)
#endif

#if IS_WEIGHTED && !CHUNKS
/* Repeats the compare-and-swap until no other work-item changed the value in between. */
void add(SPACE weight_t* const target, const weight_t value) {
  volatile SPACE WORD* const bits = (volatile SPACE WORD*)target;
  WORD seen = EXCHANGE(bits, 0, 0);
  while (true) {
    const WORD found = EXCHANGE(bits, seen, AS_WORD((weight_t)(AS_WEIGHT(seen) + value)));
    if (found == seen) return;
    seen = found;
  }
}
#endif

#if CHUNKS
__kernel void count(PARAMETERS, WEIGHTS __global weight_t* const counts, const int bins, const long size,
                    const long part) {
  __global weight_t* const own = counts + (long)get_global_id(0) * bins;
  const long start = (long)get_global_id(0) * part;
  const long end = min(start + part, size);
  for (int bin = 0; bin < bins; bin++) own[bin] = 0;
  long i = start;
#if IS_EDGED
  for (; i + LANES <= end;) {
    int found[LANES];
    bins_of(ARGUMENTS, bins, i, found);
    for (int j = 0; j < LANES; j++, i++) {
      if (found[j] >= 0) own[found[j]] += WEIGHT_OF(i);
    }
  }
#endif
  for (; i < end; i++) {
    const int bin = bin_of(ARGUMENTS, bins, i);
    if (bin >= 0) own[bin] += WEIGHT_OF(i);
  }
}
#elif GROUPS
/* Adjacent work-items load adjacent elements. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void count(PARAMETERS,
                                                                       WEIGHTS __global weight_t* const counts,
                                                                       const int bins, const long size,
                                                                       const long part) {
  __local weight_t own[MAX_BINS];
  const int item = (int)get_local_id(0);
  for (int bin = item; bin < bins; bin += GROUP) own[bin] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (long i = (long)get_global_id(0); i < size; i += part) {
    const int bin = bin_of(ARGUMENTS, bins, i);
    if (bin >= 0) ADD(own + bin, i);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int bin = item; bin < bins; bin += GROUP) counts[(long)get_group_id(0) * bins + bin] = own[bin];
}
#else
__kernel void count(PARAMETERS, WEIGHTS __global weight_t* const counts, const int bins, const long size,
                    const long part) {
  for (long i = (long)get_global_id(0); i < size; i += part) {
    const int bin = bin_of(ARGUMENTS, bins, i);
    if (bin >= 0) ADD(counts + bin, i);
  }
}
#endif
