// The kernel of the iteration measurements: two changing scalars, one work-group, minimal work.
__kernel void sweep(__global float* table, float s, int n) {
  int i = get_global_id(0);
  if (i < n) table[i] = s + n;
}
