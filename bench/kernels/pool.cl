// Kernels of the pool measurements: fill one block, or add two into a third.
__kernel void fill(__global float* a, float value) { a[get_global_id(0)] = value; }

__kernel void add(__global const float* a, __global const float* b, __global float* sum) {
  size_t i = get_global_id(0);
  sum[i] = a[i] + b[i];
}
