/* Stream compaction of the elements above a limit: counts tiles of 4096 elements, scans the counts, writes the tiles.
 */
#define LOCAL 256
#define EACH 16
#define TILE (LOCAL * EACH)
/* Pads rows of 16 elements to 17, so that work-items access different banks. */
#define PADDED(i) ((i) + (i) / EACH)

/* Computes exclusive sums over the group and returns the total. */
int exclusive(__local int* sums, const int own, int* const before) {
  const int me = get_local_id(0);
  sums[me] = own;
  for (int distance = 1; distance < LOCAL; distance *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const int value = me < distance ? 0 : sums[me - distance];
    barrier(CLK_LOCAL_MEM_FENCE);
    sums[me] += value;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  *before = sums[me] - own;
  return sums[LOCAL - 1];
}

__kernel __attribute__((reqd_work_group_size(LOCAL, 1, 1))) void count(__global const float* a, __global int* counts,
                                                                       const long n, const float limit) {
  __local int sums[LOCAL];
  const int me = get_local_id(0);
  const long begin = (long)get_group_id(0) * TILE;
  int own = 0;
  if (begin + TILE <= n) {
    __global const float4* const from = (__global const float4*)(a + begin);
    int4 four = 0;
    _Pragma("unroll") for (int k = 0; k < EACH / 4; k++) four -= from[me + k * LOCAL] > limit;
    own = (four.s0 + four.s1) + (four.s2 + four.s3);
  } else {
    for (long i = begin + me; i < n; i += LOCAL) own += a[i] > limit;
  }
  sums[me] = own;
  for (int width = LOCAL / 2; width > 0; width /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me < width) sums[me] += sums[me + width];
  }
  if (me == 0) counts[get_group_id(0)] = sums[0];
}

/* Runs in one group. The total follows the last offset. */
__kernel __attribute__((reqd_work_group_size(LOCAL, 1, 1))) void places(__global int* counts, const int tiles) {
  __local int sums[LOCAL];
  const int me = get_local_id(0);
  int place = 0;
  for (int base = 0; base < tiles; base += TILE) {
    int own[EACH];
    int mine = 0;
    for (int k = 0; k < EACH; k++) {
      const int tile = base + me * EACH + k;
      own[k] = tile < tiles ? counts[tile] : 0;
      mine += own[k];
    }
    int before;
    const int total = exclusive(sums, mine, &before);
    before += place;
    for (int k = 0; k < EACH; k++) {
      const int tile = base + me * EACH + k;
      if (tile < tiles) counts[tile] = before;
      before += own[k];
    }
    place += total;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (me == 0) counts[tiles] = place;
}

__kernel __attribute__((reqd_work_group_size(LOCAL, 1, 1))) void write(__global const float* a,
                                                                       __global const int* counts, __global float* out,
                                                                       const long n, const float limit) {
  __local float tile[TILE + TILE / EACH];
  __local int sums[LOCAL];
  const int me = get_local_id(0);
  const long begin = (long)get_group_id(0) * TILE;
  const int size = (int)min((long)TILE, n - begin);
  for (int i = me; i < size; i += LOCAL) tile[PADDED(i)] = a[begin + i];
  barrier(CLK_LOCAL_MEM_FENCE);
  float own[EACH];
  int kept = 0;
  _Pragma("unroll") for (int k = 0; k < EACH; k++) {
    const int i = me * EACH + k;
    own[k] = i < size ? tile[PADDED(i)] : limit;
    kept += own[k] > limit;
  }
  int place;
  const int total = exclusive(sums, kept, &place);
  /* All work-items have read the tile, so it is reused for the selected elements. */
  _Pragma("unroll") for (int k = 0; k < EACH; k++) {
    if (own[k] > limit) tile[place++] = own[k];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  __global float* const to = out + counts[get_group_id(0)];
  for (int i = me; i < total; i += LOCAL) to[i] = tile[i];
}
