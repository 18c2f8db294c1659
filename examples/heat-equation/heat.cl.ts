/** The kernel. Each work-item computes one inner point. */
export const heatSource = /* opencl */ `
  /* The layer around the inner points is only read: it is the plate's cold rim or a copy of the adjacent part's points. */
  __kernel void diffuse(__global const float *from, __global float *to, float rate) {
    const size_t row = get_global_size(0) + 2;
    const size_t i = (get_global_id(1) + 1) * row + get_global_id(0) + 1;
    to[i] = from[i] + rate * (from[i - 1] + from[i + 1] + from[i - row] + from[i + row] - 4 * from[i]);
  }` as const;
