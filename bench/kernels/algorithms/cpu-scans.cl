/*
 * Cumulative sums. Each group of one work-item processes a chunk: the chunks are reduced, their sums scanned, and then
 * the chunks scanned with vectors in registers.
 */
#define CHUNK \
  const long group = get_group_id(0), groups = get_num_groups(0), blocks = (n + 15) / 16; \
  const long begin = blocks * group / groups * 16, end = min(blocks * (group + 1) / groups * 16, n);

/* Results larger than the caches bypass them. */
#if defined(STREAM) && defined(__clang__)
#define STORE(value, place) __builtin_nontemporal_store(value, place)
#else
#define STORE(value, place) (*(place) = (value))
#endif

__kernel void sums(__global const float* a, __global float* parts, const long n) {
  CHUNK
  float16 s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  long i = begin;
  for (; i + 64 <= end; i += 64) {
    s0 += vload16(0, a + i);
    s1 += vload16(1, a + i);
    s2 += vload16(2, a + i);
    s3 += vload16(3, a + i);
  }
  const float16 sixteen = (s0 + s1) + (s2 + s3);
  const float8 eight = sixteen.lo + sixteen.hi;
  const float4 four = eight.lo + eight.hi;
  float sum = (four.s0 + four.s1) + (four.s2 + four.s3);
  for (; i < end; i++) sum += a[i];
  parts[group] = sum;
}

__kernel void places(__global float* parts, const int groups) {
  float place = 0;
  for (int k = 0; k < groups; k++) {
    const float own = parts[k];
    parts[k] = place;
    place += own;
  }
}

__kernel void scan(__global const float* a, __global const float* parts, __global float* out, const long n) {
  CHUNK
  const float16 zero = 0;
  double sum = parts[group];
  long i = begin;
  for (; i + 16 <= end; i += 16) {
    float16 x = vload16(0, a + i);
    x += (float16)(0, x.s0123, x.s4567, x.s89ab, x.scde);
    x += (float16)(zero.s01, x.s0123, x.s4567, x.s89ab, x.scd);
    x += (float16)(zero.s0123, x.s0123, x.s4567, x.s89ab);
    x += (float16)(zero.lo, x.lo);
    STORE(x + (float)sum, (__global float16*)(out + i));
    sum += x.sf;
  }
  for (; i < end; i++) out[i] = (float)(sum += a[i]);
}
