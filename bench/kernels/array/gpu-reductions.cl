/* A grid-stride loop with four vectors per iteration, then a tree reduction in local memory. */
#pragma OPENCL FP_CONTRACT OFF

#define LOCAL 256

#define ADD(x, y) ((x) + (y))
/* Propagates NaN, as NumPy does. */
#define MAX(x, y) ((((y) > (x)) | ((y) != (y))) ? (y) : (x))

#define TREE(COMBINE, value) \
  __local float shared[LOCAL]; \
  const int me = get_local_id(0); \
  shared[me] = value; \
  for (int width = LOCAL / 2; width > 0; width /= 2) { \
    barrier(CLK_LOCAL_MEM_FENCE); \
    if (me < width) shared[me] = COMBINE(shared[me], shared[me + width]); \
  } \
  if (me == 0) out[get_group_id(0)] = shared[0];

#define REDUCE(COMBINE, FIRST, VECTOR, SCALAR) \
  const long step = get_global_size(0), quads = n / 4; \
  float4 part[4] = {FIRST, FIRST, FIRST, FIRST}; \
  long base = get_global_id(0); \
  for (; base + 3 * step < quads; base += 4 * step) _Pragma("unroll") for (int p = 0; p < 4; p++) { \
      const long q = base + p * step; \
      const float4 value = VECTOR; \
      part[p] = COMBINE(part[p], value); \
    } \
  for (long q = base; q < quads; q += step) { \
    const float4 value = VECTOR; \
    part[0] = COMBINE(part[0], value); \
  } \
  const long i = quads * 4 + get_global_id(0); \
  if (i < n) { \
    const float value = SCALAR; \
    part[0].s0 = COMBINE(part[0].s0, value); \
  } \
  const float4 one = COMBINE(part[0], part[1]), other = COMBINE(part[2], part[3]); \
  const float4 four = COMBINE(one, other); \
  const float2 two = COMBINE(four.lo, four.hi); \
  TREE(COMBINE, COMBINE(two.lo, two.hi))

#define AT(array) ((__global const float4*)array)[q]

__kernel __attribute__((reqd_work_group_size(LOCAL, 1, 1))) void sum(__global const float* a, __global float* out,
                                                                     const long n){REDUCE(ADD, 0, AT(a), a[i])}

__kernel
    __attribute__((reqd_work_group_size(LOCAL, 1, 1))) void maximum(__global const float* a, __global float* out,
                                                                    const long n){REDUCE(MAX, -INFINITY, AT(a), a[i])}

__kernel __attribute__((reqd_work_group_size(LOCAL, 1, 1))) void dot_product(__global const float* a,
                                                                             __global const float* b,
                                                                             __global float* out, const long n) {
  REDUCE(ADD, 0, AT(a) * AT(b), a[i] * b[i])
}
