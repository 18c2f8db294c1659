/* Cumulative sums: reduces tiles of 4096 elements, scans their sums, then scans the tiles. */
#define LOCAL 256
#define EACH 16
#define TILE (LOCAL * EACH)
/* Pads rows of 16 elements to 17, so that work-items access different banks. */
#define PADDED(i) ((i) + (i) / EACH)

/* Computes exclusive sums over the group and returns the total. */
float exclusive(__local float* sums, const float own, float* const before) {
  const int me = get_local_id(0), local_size = get_local_size(0);
  float sum = own;
  sums[me] = sum;
  for (int distance = 1; distance < local_size; distance *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const float value = me < distance ? 0 : sums[me - distance];
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += value;
    sums[me] = sum;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  *before = me == 0 ? 0 : sums[me - 1];
  const float total = sums[local_size - 1];
  barrier(CLK_LOCAL_MEM_FENCE);
  return total;
}

__kernel __attribute__((reqd_work_group_size(LOCAL, 1, 1))) void sums(__global const float* a, __global float* parts,
                                                                      const long n) {
  __local float all[LOCAL];
  const int me = get_local_id(0);
  const long begin = (long)get_group_id(0) * TILE;
  float own = 0;
  if (begin + TILE <= n) {
    float4 four = 0;
    _Pragma("unroll") for (int k = 0; k < EACH / 4; k++) four += vload4(me + k * LOCAL, a + begin);
    own = (four.s0 + four.s1) + (four.s2 + four.s3);
  } else {
    for (long i = begin + me; i < n; i += LOCAL) own += a[i];
  }
  all[me] = own;
  for (int width = LOCAL / 2; width > 0; width /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me < width) all[me] += all[me + width];
  }
  if (me == 0) parts[get_group_id(0)] = all[0];
}

/* Runs in one group. */
__kernel __attribute__((reqd_work_group_size(1024, 1, 1))) void places(__global float* parts, const int tiles) {
  __local float all[1024];
  float place = 0;
  for (int first = 0; first < tiles; first += 1024) {
    const int i = first + (int)get_local_id(0);
    const float own = i < tiles ? parts[i] : 0;
    float before;
    const float total = exclusive(all, own, &before);
    if (i < tiles) parts[i] = place + before;
    place += total;
  }
}

__kernel __attribute__((reqd_work_group_size(LOCAL, 1, 1))) void scan(__global const float* a,
                                                                      __global const float* parts, __global float* out,
                                                                      const long n) {
  __local float rows[PADDED(TILE)], all[LOCAL];
  const int me = get_local_id(0);
  const long begin = (long)get_group_id(0) * TILE;
  const bool whole = begin + TILE <= n;
  for (int k = 0; k < EACH / 4; k++) {
    const int i = 4 * (me + k * LOCAL);
    float4 four = 0;
    if (whole) {
      four = vload4(0, a + begin + i);
    } else {
      if (begin + i < n) four.s0 = a[begin + i];
      if (begin + i + 1 < n) four.s1 = a[begin + i + 1];
      if (begin + i + 2 < n) four.s2 = a[begin + i + 2];
      if (begin + i + 3 < n) four.s3 = a[begin + i + 3];
    }
    vstore4(four, 0, rows + PADDED(i));
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  float own[EACH], sum = 0;
  _Pragma("unroll") for (int k = 0; k < EACH; k++) own[k] = sum += rows[PADDED(me * EACH) + k];
  float before;
  exclusive(all, sum, &before);
  before += parts[get_group_id(0)];
  _Pragma("unroll") for (int k = 0; k < EACH; k++) rows[PADDED(me * EACH) + k] = own[k] + before;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < EACH / 4; k++) {
    const int i = 4 * (me + k * LOCAL);
    const float4 four = vload4(0, rows + PADDED(i));
    if (whole) {
      vstore4(four, 0, out + begin + i);
    } else {
      if (begin + i < n) out[begin + i] = four.s0;
      if (begin + i + 1 < n) out[begin + i + 1] = four.s1;
      if (begin + i + 2 < n) out[begin + i + 2] = four.s2;
      if (begin + i + 3 < n) out[begin + i + 3] = four.s3;
    }
  }
}
