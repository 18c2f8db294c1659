/*
 * Radix sort by 8-bit digits. Each group processes a block of 4096 elements: it counts the digits, the counts are
 * scanned over the blocks, and then it scatters its elements, sorted locally first for coalesced stores. With PLACES,
 * it also sorts the indices.
 */
#define LOCAL 256
#define EACH 16
#define BLOCK (LOCAL * EACH)
#define GROUP __attribute__((reqd_work_group_size(LOCAL, 1, 1)))
#define DIGIT(key) ((key) >> shift & 255)

uint exclusive(__local uint* sums, const uint own) {
  const int me = get_local_id(0);
  uint sum = own;
  sums[me] = sum;
  for (int distance = 1; distance < LOCAL; distance *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint value = me < distance ? 0 : sums[me - distance];
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += value;
    sums[me] = sum;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  return sum - own;
}

__kernel GROUP void count(__global const uint* keys, __global uint* counts, const uint n, const uint shift) {
  __local uint own[256];
  const uint me = get_local_id(0), begin = get_group_id(0) * BLOCK, end = min(begin + BLOCK, n);
  own[me] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = begin + me; i < end; i += LOCAL) atomic_inc(own + DIGIT(keys[i]));
  barrier(CLK_LOCAL_MEM_FENCE);
  counts[me * get_num_groups(0) + get_group_id(0)] = own[me];
}

/* One group per digit. */
__kernel GROUP void scan(__global uint* counts, __global uint* totals, const uint blocks) {
  __local uint sums[LOCAL];
  const uint me = get_local_id(0);
  __global uint* own = counts + get_group_id(0) * blocks;
  uint before = 0;
  for (uint first = 0; first < blocks; first += LOCAL) {
    const uint value = first + me < blocks ? own[first + me] : 0;
    const uint offset = exclusive(sums, value);
    if (first + me < blocks) own[first + me] = before + offset;
    before += sums[LOCAL - 1];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (me == 0) totals[get_group_id(0)] = before;
}

__kernel GROUP void move(__global const uint* keys, __global uint* out,
#ifdef PLACES
                         __global const uint* places, __global uint* out_places, __global long* result,
#endif
                         __global const uint* counts, __global const uint* totals, const uint n, const uint shift) {
  __local uint warps[8 * 256], masks[8 * 256], sums[LOCAL], to[256], moved[BLOCK];
  const uint me = get_local_id(0), warp = me / 32 * 256, begin = get_group_id(0) * BLOCK,
             size = min((uint)BLOCK, n - begin);
  const uint first = me / 32 * 32 * EACH + me % 32;
  uint own[EACH], at[EACH];
  for (int k = 0; k < EACH; k++) own[k] = first + 32 * k < size ? keys[begin + first + 32 * k] : ~0u;
  for (uint j = me; j < 8 * 256; j += LOCAL) warps[j] = masks[j] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < EACH; k++) {
    const uint d = warp + DIGIT(own[k]);
    atomic_or(masks + d, 1u << me % 32);
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint peers = masks[d], before = warps[d], rank = popcount(peers & ((1u << me % 32) - 1));
    barrier(CLK_LOCAL_MEM_FENCE);
    if (rank == 0) {
      warps[d] = before + popcount(peers);
      masks[d] = 0;
    }
    at[k] = before + rank;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  uint total = 0;
  for (int k = 0; k < 8; k++) {
    const uint value = warps[k * 256 + me];
    warps[k * 256 + me] = total;
    total += value;
  }
  const uint start = exclusive(sums, total);
  to[me] = exclusive(sums, totals[me]) + counts[me * get_num_groups(0) + get_group_id(0)] - start;
  for (int k = 0; k < 8; k++) warps[k * 256 + me] += start;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < EACH; k++) {
    at[k] += warps[warp + DIGIT(own[k])];
    moved[at[k]] = own[k];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < EACH; k++) {
    const uint j = me + LOCAL * k;
    if (j >= size) continue;
    own[k] = to[DIGIT(moved[j])] + j;
    out[own[k]] = moved[j];
  }
#ifdef PLACES
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < EACH; k++) {
    const uint j = first + 32 * k;
    if (j < size) moved[at[k]] = shift == 0 ? begin + j : places[begin + j];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < EACH; k++) {
    const uint j = me + LOCAL * k;
    if (j >= size) continue;
    if (shift < 24)
      out_places[own[k]] = moved[j];
    else
      result[own[k]] = moved[j];
  }
#endif
}
