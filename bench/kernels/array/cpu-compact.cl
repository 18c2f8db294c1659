/*
 * Stream compaction: copies the elements above a limit. Each group of one work-item counts its chunk; the counts are
 * scanned; then each writes its chunk. The writes are branch-free to avoid mispredictions: a rejected element is
 * overwritten by the next one.
 */
#define BLOCK 1024

#define CHUNK \
  const long group = get_group_id(0), groups = get_num_groups(0), blocks = (n + BLOCK - 1) / BLOCK; \
  const long begin = blocks * group / groups * BLOCK; \
  const long end = min(blocks * (group + 1) / groups * BLOCK, n);

__kernel void count(__global const float* a, __global int* counts, const long n, const float limit) {
  CHUNK
  int16 one = 0, other = 0;
  long i = begin;
  for (; i + 32 <= end; i += 32) {
    one -= vload16(0, a + i) > limit;
    other -= vload16(1, a + i) > limit;
  }
  one += other;
  const int8 eight = one.lo + one.hi;
  const int4 four = eight.lo + eight.hi;
  const int2 two = four.lo + four.hi;
  int total = two.lo + two.hi;
  for (; i < end; i++) total += a[i] > limit;
  counts[group] = total;
}

/* The total follows the last offset. */
__kernel void places(__global int* counts, const int groups) {
  int place = 0;
  for (int k = 0; k < groups; k++) {
    const int own = counts[k];
    counts[k] = place;
    place += own;
  }
  counts[groups] = place;
}

__kernel void write(__global const float* a, __global const int* counts, __global float* out, const long n,
                    const float limit) {
  CHUNK
  int place = counts[group];
  if (place == counts[group + 1]) return;
  long last = end - 1;
  while (!(a[last] > limit)) last--;
  for (long i = begin; i < last; i++) {
    const float value = a[i];
    out[place] = value;
    place += value > limit;
  }
  out[place] = a[last];
}
