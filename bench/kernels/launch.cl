// The kernel of the launch measurements: four arguments, one work-group, minimal work.
__kernel void scale(__global const float* a, __global float* b, float s, int n) {
  int i = get_global_id(0);
  if (i < n) b[i] = a[i] * s;
}
