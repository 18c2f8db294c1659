/* Four elements per work-item; the last work-items process the remainder. */
#pragma OPENCL FP_CONTRACT OFF

#define QUADS(VECTOR, SCALAR) \
  const long q = get_global_id(0); \
  if (q < n / 4) ((__global float4*)out)[q] = VECTOR; \
  const long i = n / 4 * 4 + q; \
  if (i < n) out[i] = SCALAR;

#define AT(array) ((__global const float4*)array)[q]

__kernel void add(__global const float* a, __global const float* b, __global float* out,
                  const long n){QUADS(AT(a) + AT(b), a[i] + b[i])}

__kernel void fused(__global const float* a, __global const float* b, __global const float* c, __global float* out,
                    const long n){QUADS(2.0f * AT(a) + 3.0f * AT(b) - AT(c), 2.0f * a[i] + 3.0f * b[i] - c[i])}

__kernel void choose(__global const uchar* condition, __global const float* a, __global const float* b,
                     __global float* out, const long n){
    QUADS(convert_int4(((__global const uchar4*)condition)[q]) != 0 ? AT(a) : AT(b), condition[i] ? a[i] : b[i])}

__kernel void every_second(__global const float* a, __global float* out, const long n) {
  QUADS((float4)(((__global const float4*)a)[2 * q].even, ((__global const float4*)a)[2 * q + 1].even), a[2 * i])
}
