/*
 * Each group of one work-item reduces a chunk in blocks of 1024 elements. Four vectors accumulate a block, then another
 * vector the blocks, which limits rounding errors. The last group to finish combines the groups' results.
 */
#pragma OPENCL FP_CONTRACT OFF

#define BLOCK 1024

#define ADD(x, y) ((x) + (y))
/* Propagates NaN, as NumPy does. */
#define MAX(x, y) ((((y) > (x)) | ((y) != (y))) ? (y) : (x))

#define REDUCE(COMBINE, FIRST, VECTOR, SCALAR) \
  const int group = get_group_id(0), groups = get_num_groups(0); \
  const long blocks = n / BLOCK; \
  float16 total = FIRST; \
  for (long block = blocks * group / groups; block < blocks * (group + 1) / groups; block++) { \
    float16 part[4] = {FIRST, FIRST, FIRST, FIRST}; \
    for (int k = 0; k < BLOCK / 64; k++) _Pragma("unroll") for (int p = 0; p < 4; p++) { \
        const long i = block * BLOCK + 64 * k + 16 * p; \
        const float16 value = VECTOR; \
        part[p] = COMBINE(part[p], value); \
      } \
    const float16 one = COMBINE(part[0], part[1]), other = COMBINE(part[2], part[3]); \
    const float16 both = COMBINE(one, other); \
    total = COMBINE(total, both); \
  } \
  if (group == groups - 1) { \
    long i = blocks * BLOCK; \
    for (; i + 16 <= n; i += 16) { \
      const float16 value = VECTOR; \
      total = COMBINE(total, value); \
    } \
    for (; i < n; i++) { \
      const float value = SCALAR; \
      total.s0 = COMBINE(total.s0, value); \
    } \
  } \
  const float8 eight = COMBINE(total.lo, total.hi); \
  const float4 four = COMBINE(eight.lo, eight.hi); \
  const float2 two = COMBINE(four.lo, four.hi); \
  parts[group] = COMBINE(two.lo, two.hi); \
  mem_fence(CLK_GLOBAL_MEM_FENCE); \
  if (atomic_inc(done) < groups - 1) return; \
  *done = 0; \
  float result = parts[0]; \
  for (int k = 1; k < groups; k++) result = COMBINE(result, parts[k]); \
  *out = result;

#define AT(array) vload16(0, array + i)

__kernel void sum(__global const float* a, __global volatile float* parts, __global volatile int* done,
                  __global float* out, const long n){REDUCE(ADD, 0, AT(a), a[i])}

__kernel void maximum(__global const float* a, __global volatile float* parts, __global volatile int* done,
                      __global float* out, const long n){REDUCE(MAX, -INFINITY, AT(a), a[i])}

__kernel void dot_product(__global const float* a, __global const float* b, __global volatile float* parts,
                          __global volatile int* done, __global float* out, const long n) {
  REDUCE(ADD, 0, AT(a) * AT(b), a[i] * b[i])
}
