/*
 * Each group of one work-item computes a chunk of blocks of 256 elements. With STREAM, results bypass the cache: 16
 * vectors are computed and then stored as full cache lines.
 */
#pragma OPENCL FP_CONTRACT OFF

#define BLOCK 256

/* VECTOR computes the float16 at element i, SCALAR a float. The last group processes the partial block. */
#define CHUNKED(VECTOR, SCALAR) \
  const long group = get_group_id(0), groups = get_num_groups(0), blocks = n / BLOCK; \
  const long begin = blocks * group / groups * BLOCK, end = blocks * (group + 1) / groups * BLOCK; \
  STORED(VECTOR) \
  if (group == groups - 1) \
    for (long i = blocks * BLOCK; i < n; i++) out[i] = SCALAR;

#ifdef STREAM
#define STORED(VECTOR) \
  for (long block = begin; block < end; block += BLOCK) { \
    float16 values[BLOCK / 16]; \
    _Pragma("unroll") for (int k = 0; k < BLOCK / 16; k++) { \
      const long i = block + 16 * k; \
      values[k] = VECTOR; \
    } \
    _Pragma("unroll") for (int k = 0; k < BLOCK / 16; k++) \
        __builtin_nontemporal_store(values[k], (__global float16*)(out + block) + k); \
  }
#else
#define STORED(VECTOR) \
  for (long i = begin; i < end; i += 16) vstore16(VECTOR, 0, out + i);
#endif

#define AT(array) vload16(0, array + i)

__kernel void add(__global const float* a, __global const float* b, __global float* out,
                  const long n){CHUNKED(AT(a) + AT(b), a[i] + b[i])}

__kernel void fused(__global const float* a, __global const float* b, __global const float* c, __global float* out,
                    const long n){CHUNKED(2.0f * AT(a) + 3.0f * AT(b) - AT(c), 2.0f * a[i] + 3.0f * b[i] - c[i])}

__kernel
    void choose(__global const uchar* condition, __global const float* a, __global const float* b, __global float* out,
                const long n){CHUNKED(convert_int16(AT(condition)) != 0 ? AT(a) : AT(b), condition[i] ? a[i] : b[i])}

/* Copies every second element. */
__kernel void every_second(__global const float* a, __global float* out, const long n) {
  CHUNKED(((float16)(vload16(0, a + 2 * i).even, vload16(0, a + 2 * i + 15).odd)), a[2 * i])
}
