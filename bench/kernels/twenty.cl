// Twenty kernels with one signature, for the build and list measurements. All differ, so that neither a compiler nor a
// cache can merge them.

__kernel void k00(__global const float* a, __global float* b, float s, int n) {
  int i = get_global_id(0);
  if (i < n) b[i] = a[i] * s;
}

__kernel void k01(__global const float* a, __global float* b, float s, int n) {
  int i = get_global_id(0);
  if (i < n) b[i] = a[i] + s;
}

__kernel void k02(__global const float* a, __global float* b, float s, int n) {
  int i = get_global_id(0);
  if (i < n) b[i] = a[i] - s;
}

__kernel void k03(__global const float* a, __global float* b, float s, int n) {
  int i = get_global_id(0);
  if (i < n) b[i] = s - a[i];
}

__kernel void k04(__global const float* a, __global float* b, float s, int n) {
  int i = get_global_id(0);
  if (i < n) b[i] = fabs(a[i]) * s;
}

__kernel void k05(__global const float* a, __global float* b, float s, int n) {
  int i = get_global_id(0);
  if (i < n) b[i] = fmin(a[i], s);
}

__kernel void k06(__global const float* a, __global float* b, float s, int n) {
  int i = get_global_id(0);
  if (i < n) b[i] = fmax(a[i], s);
}

__kernel void k07(__global const float* a, __global float* b, float s, int n) {
  int i = get_global_id(0);
  if (i < n) b[i] = a[i] * a[i] + s;
}

__kernel void k08(__global const float* a, __global float* b, float s, int n) {
  int i = get_global_id(0);
  if (i < n) b[i] = a[i] * s + 1.0f;
}

__kernel void k09(__global const float* a, __global float* b, float s, int n) {
  int i = get_global_id(0);
  if (i < n) b[i] = a[i] * s - 1.0f;
}

__kernel void k10(__global const float* a, __global float* b, float s, int n) {
  int i = get_global_id(0);
  if (i < n) b[i] = a[i] * s + a[i];
}

__kernel void k11(__global const float* a, __global float* b, float s, int n) {
  int i = get_global_id(0);
  if (i < n) b[i] = a[i] * s * s;
}

__kernel void k12(__global const float* a, __global float* b, float s, int n) {
  int i = get_global_id(0);
  if (i < n) b[i] = floor(a[i] * s);
}

__kernel void k13(__global const float* a, __global float* b, float s, int n) {
  int i = get_global_id(0);
  if (i < n) b[i] = ceil(a[i] * s);
}

__kernel void k14(__global const float* a, __global float* b, float s, int n) {
  int i = get_global_id(0);
  if (i < n) b[i] = a[i] / (1.0f + s * s);
}

__kernel void k15(__global const float* a, __global float* b, float s, int n) {
  int i = get_global_id(0);
  if (i < n) b[i] = clamp(a[i], -s, s);
}

__kernel void k16(__global const float* a, __global float* b, float s, int n) {
  int i = get_global_id(0);
  if (i < n) b[i] = mad(a[i], s, s);
}

__kernel void k17(__global const float* a, __global float* b, float s, int n) {
  int i = get_global_id(0);
  if (i < n) b[i] = a[i] * 0.5f + s;
}

__kernel void k18(__global const float* a, __global float* b, float s, int n) {
  int i = get_global_id(0);
  if (i < n) b[i] = a[i] * 2.0f - s;
}

__kernel void k19(__global const float* a, __global float* b, float s, int n) {
  int i = get_global_id(0);
  if (i < n) b[i] = -a[i] * s;
}
