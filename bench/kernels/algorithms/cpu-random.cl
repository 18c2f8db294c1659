/*
 * Philox4x32-10 with the counters 0, 1 …, eight at a time: 32-bit products in 64-bit lanes, which the compiler
 * vectorizes. With NORMAL, normally distributed numbers (Box-Muller) with vector functions, otherwise numbers in [0,
 * 1).
 */
#define CHUNK \
  const long group = get_group_id(0), groups = get_num_groups(0), units = (n / 4 + 7) / 8; \
  const long begin = units * group / groups, end = units * (group + 1) / groups;

/* Results larger than the caches bypass them. */
#if defined(STREAM) && defined(__clang__)
#define STORE(value, place) __builtin_nontemporal_store(value, place)
#else
#define STORE(value, place) (*(place) = (value))
#endif
#define LOW 0xffffffffUL

float16 in_turn(const float8 a, const float8 b) {
  return (float16)(a.s0, b.s0, a.s1, b.s1, a.s2, b.s2, a.s3, b.s3, a.s4, b.s4, a.s5, b.s5, a.s6, b.s6, a.s7, b.s7);
}

#ifdef NORMAL
void numbers(const uint8 a, const uint8 b, float8* one, float8* other) {
  const float8 radius = sqrt(-2 * log((convert_float8(a) + 0.5f) * 0x1p-32f));
  const float8 angle = convert_float8(b) * 0x1.921fb6p-30f;
  *one = radius * cos(angle);
  *other = radius * sin(angle);
}
#else
void numbers(const uint8 a, const uint8 b, float8* one, float8* other) {
  *one = convert_float8(as_int8(a >> 8)) * 0x1p-24f;
  *other = convert_float8(as_int8(b >> 8)) * 0x1p-24f;
}
#endif

__kernel void fill_random(__global float* out, const long n, const uint key0, const uint key1) {
  CHUNK
  for (long unit = begin; unit < end; unit++) {
    const ulong8 counter = (ulong)(unit * 8) + (ulong8)(0, 1, 2, 3, 4, 5, 6, 7);
    ulong8 a = counter, b = counter >> 32, c = 0, d = 0;
    uint first = key0, second = key1;
#pragma unroll
    for (int round = 0; round < 10; round++) {
      const ulong8 p = (a & LOW) * (ulong8)(0xd2511f53u), q = (c & LOW) * (ulong8)(0xcd9e8d57u);
      a = (q >> 32) ^ b ^ (ulong)first;
      b = q;
      c = (p >> 32) ^ d ^ (ulong)second;
      d = p;
      first += 0x9e3779b9u;
      second += 0xbb67ae85u;
    }
    float8 v0, v1, v2, v3;
    numbers(convert_uint8(a), convert_uint8(b), &v0, &v1);
    numbers(convert_uint8(c), convert_uint8(d), &v2, &v3);
    const float16 even = in_turn(v0, v2), odd = in_turn(v1, v3);
    const float16 low = in_turn(even.lo, odd.lo), high = in_turn(even.hi, odd.hi);
    const long at = unit * 32;
    if (at + 32 <= n) {
      STORE(low, (__global float16*)(out + at));
      STORE(high, (__global float16*)(out + at + 16));
      continue;
    }
    float rest[32];
    vstore16(low, 0, rest);
    vstore16(high, 1, rest);
    for (long i = at; i < n; i++) out[i] = rest[i - at];
  }
}
