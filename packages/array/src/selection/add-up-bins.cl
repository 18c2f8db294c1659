// Adds up each bin of all parts.
//   WEIGHT, TOTAL: the types of the sums of a part, and of all

/* With `add`, adds to the existing totals. */
__kernel void add_up(__global const WEIGHT* const parts, const int part_count, __global TOTAL* const totals,
                     const int bins, const int add) {
  const int bin = (int)get_global_id(0);
  if (bin >= bins) return;
  TOTAL total = add ? totals[bin] : 0;
  for (int part = 0; part < part_count; part++) total += parts[(long)part * bins + bin];
  totals[bin] = total;
}
