/* Kernels on 64 elements, to measure the launch overhead. */
#pragma OPENCL FP_CONTRACT OFF

__kernel void add(__global const float* a, __global const float* b, __global float* out) {
  const int i = get_global_id(0);
  out[i] = a[i] + b[i];
}

__kernel void fused(__global const float* a, __global const float* b, __global const float* c, __global float* out) {
  const int i = get_global_id(0);
  out[i] = 2.0f * a[i] + 3.0f * b[i] - c[i];
}
