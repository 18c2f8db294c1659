// Counts where parts of a mask are true. Depends on masked-parts.cl.
//   MASK: the parameters of the mask
//   COMPUTES, IS_TRUE(i): whether kernels compute the mask, and whether it is true at a position
//   BLOCKS, GROUP, BLOCK: whether a part is a block of a group, and work-items and elements of a group

#if BLOCKS
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void count(MASK, __global place_t* const counts,
                                                                       const Parts parts) {
  __local int total;
  if (get_local_id(0) == 0) total = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
#if COMPUTES
  const place_t start = (place_t)get_group_id(0) * BLOCK + (place_t)get_local_id(0);
  int own = 0;
  /* Without branches, so that work-items wait for all elements together. */
#pragma unroll
  for (int k = 0; k < BLOCK; k += GROUP) own += IS_TRUE(min(start + k, parts.size - 1)) & (start + k < parts.size);
#else
  const place_t start = (place_t)get_group_id(0) * BLOCK + (place_t)get_local_id(0) * 16;
  const int own = popcount(flags_of(mask + parts.mask, start, parts.size));
#endif
  if (own != 0) atomic_add(&total, own);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) counts[get_group_id(0)] = total;
}
#else
/* Bytes are added up before they could overflow. */
__kernel void count(MASK, __global place_t* const counts, const Parts parts) {
  __global const uchar* const flags = mask + parts.mask;
  const place_t start = (place_t)get_global_id(0) * parts.part;
  const place_t end = min((place_t)(start + parts.part), parts.size);
  place_t count = 0;
  place_t i = start;
  for (; i + 2048 <= end; i += 2048) {
    uchar16 sums = 0;
    for (int k = 0; k < 128; k++) sums -= as_uchar16(vload16(k, flags + i) != (uchar16)0);
    const ushort8 eight = convert_ushort8(sums.lo) + convert_ushort8(sums.hi);
    const ushort4 four = eight.lo + eight.hi;
    count += four.x + four.y + four.z + four.w;
  }
  for (; i < end; i++) count += flags[i] != 0;
  counts[get_global_id(0)] = count;
}
#endif
