// What happens to pooled memory in the measurements: it is written, or three pieces of it meet in one kernel.
__kernel void fill(__global float* a, float value) { a[get_global_id(0)] = value; }

__kernel void add(__global const float* a, __global const float* b, __global float* sum) {
  size_t i = get_global_id(0);
  sum[i] = a[i] + b[i];
}
