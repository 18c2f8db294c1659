/** The kernel of this example: one work-item has one inner point. */
export const heatSource = /* opencl */ `
  /* The layer around the points is only read: on the plate's rim it is cold for ever, and between two parts it is a copy
     of the neighbour's points. The kernel need not know which. */
  __kernel void diffuse(__global const float *from, __global float *to, float rate) {
    const size_t row = get_global_size(0) + 2;
    const size_t i = (get_global_id(1) + 1) * row + get_global_id(0) + 1;
    to[i] = from[i] + rate * (from[i - 1] + from[i + 1] + from[i - row] + from[i + row] - 4 * from[i]);
  }` as const;
