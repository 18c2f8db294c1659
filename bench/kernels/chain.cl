// Twenty steps with one signature, each of which uses the previous one's result, to measure fusing.

__kernel void k00(__global const float* a, __global float* b, float s, int n) {
  int i = get_global_id(0);
  if (i < n) b[i] = b[i] * s + a[i];
}

__kernel void k01(__global const float* a, __global float* b, float s, int n) {
  int i = get_global_id(0);
  if (i < n) b[i] = b[i] - s * a[i];
}

__kernel void k02(__global const float* a, __global float* b, float s, int n) {
  int i = get_global_id(0);
  if (i < n) b[i] = fabs(b[i]) + s;
}

__kernel void k03(__global const float* a, __global float* b, float s, int n) {
  int i = get_global_id(0);
  if (i < n) b[i] = a[i] - b[i] * 0.5f;
}

__kernel void k04(__global const float* a, __global float* b, float s, int n) {
  int i = get_global_id(0);
  if (i < n) b[i] = fmin(b[i] + a[i], s);
}

__kernel void k05(__global const float* a, __global float* b, float s, int n) {
  int i = get_global_id(0);
  if (i < n) b[i] = b[i] * b[i] - s;
}

__kernel void k06(__global const float* a, __global float* b, float s, int n) {
  int i = get_global_id(0);
  if (i < n) b[i] = s - b[i];
}

__kernel void k07(__global const float* a, __global float* b, float s, int n) {
  int i = get_global_id(0);
  if (i < n) b[i] = fmax(b[i], a[i] - s);
}

__kernel void k08(__global const float* a, __global float* b, float s, int n) {
  int i = get_global_id(0);
  if (i < n) b[i] = (b[i] + a[i]) * 0.5f;
}

__kernel void k09(__global const float* a, __global float* b, float s, int n) {
  int i = get_global_id(0);
  if (i < n) b[i] = b[i] * (1.0f - s) + a[i] * s;
}

__kernel void k10(__global const float* a, __global float* b, float s, int n) {
  int i = get_global_id(0);
  if (i < n) b[i] = b[i] * s + a[i] + 0.125f;
}

__kernel void k11(__global const float* a, __global float* b, float s, int n) {
  int i = get_global_id(0);
  if (i < n) b[i] = b[i] - s * a[i] + 0.125f;
}

__kernel void k12(__global const float* a, __global float* b, float s, int n) {
  int i = get_global_id(0);
  if (i < n) b[i] = fabs(b[i]) + s + 0.125f;
}

__kernel void k13(__global const float* a, __global float* b, float s, int n) {
  int i = get_global_id(0);
  if (i < n) b[i] = a[i] - b[i] * 0.5f + 0.125f;
}

__kernel void k14(__global const float* a, __global float* b, float s, int n) {
  int i = get_global_id(0);
  if (i < n) b[i] = fmin(b[i] + a[i], s) + 0.125f;
}

__kernel void k15(__global const float* a, __global float* b, float s, int n) {
  int i = get_global_id(0);
  if (i < n) b[i] = b[i] * b[i] - s + 0.125f;
}

__kernel void k16(__global const float* a, __global float* b, float s, int n) {
  int i = get_global_id(0);
  if (i < n) b[i] = s - b[i] + 0.125f;
}

__kernel void k17(__global const float* a, __global float* b, float s, int n) {
  int i = get_global_id(0);
  if (i < n) b[i] = fmax(b[i], a[i] - s) + 0.125f;
}

__kernel void k18(__global const float* a, __global float* b, float s, int n) {
  int i = get_global_id(0);
  if (i < n) b[i] = (b[i] + a[i]) * 0.5f + 0.125f;
}

__kernel void k19(__global const float* a, __global float* b, float s, int n) {
  int i = get_global_id(0);
  if (i < n) b[i] = b[i] * (1.0f - s) + a[i] * s + 0.125f;
}
