/*
 * Philox4x32-10 with the counters 0, 1 …: four numbers per counter, stored as a vector, and four counters per
 * work-item. With NORMAL, normally distributed numbers (Box-Muller), otherwise numbers in [0, 1).
 */
#define LOCAL 256
#define EACH 4

__kernel __attribute__((reqd_work_group_size(LOCAL, 1, 1))) void fill_random(__global float* out, const long n,
                                                                             const uint key0, const uint key1) {
  const long blocks = n / 4, begin = get_group_id(0) * (long)(LOCAL * EACH) + get_local_id(0);
#pragma unroll
  for (int k = 0; k < EACH; k++) {
    const long block = begin + k * LOCAL;
    if (block >= blocks) return;
    uint a = (uint)block, b = (uint)(block >> 32), c = 0, d = 0, first = key0, second = key1;
#pragma unroll
    for (int round = 0; round < 10; round++) {
      const uint ph = mul_hi(a, 0xd2511f53u), pl = a * 0xd2511f53u, qh = mul_hi(c, 0xcd9e8d57u), ql = c * 0xcd9e8d57u;
      a = qh ^ b ^ first;
      b = ql;
      c = ph ^ d ^ second;
      d = pl;
      first += 0x9e3779b9u;
      second += 0xbb67ae85u;
    }
#ifdef NORMAL
    const float r = sqrt(-2 * log((convert_float(a) + 0.5f) * 0x1p-32f)),
                s = sqrt(-2 * log((convert_float(c) + 0.5f) * 0x1p-32f));
    const float t = convert_float(b) * 0x1.921fb6p-30f, u = convert_float(d) * 0x1.921fb6p-30f;
    *(__global float4*)(out + 4 * block) = (float4)(r * cos(t), r * sin(t), s * cos(u), s * sin(u));
#else
    *(__global float4*)(out + 4 * block) = convert_float4(as_int4((uint4)(a, b, c, d) >> 8)) * 0x1p-24f;
#endif
  }
}
