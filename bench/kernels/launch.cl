// The kernel of every launch measurement: four arguments, one work-group, next to nothing to do.
__kernel void scale(__global const float* a, __global float* b, float s, int n) {
  int i = get_global_id(0);
  if (i < n) b[i] = a[i] * s;
}
