/** The kernel. Each work-item computes one parameter. */
export const logisticSource = /* opencl */ `
  /* The last points of the orbits of x = r x (1 - x) after they have settled, one row per r. */
  __kernel void orbits(__global float *points, float from, float pitch, uint first, uint settle, uint length) {
    const size_t i = get_global_id(0);
    const float r = from + pitch * (first + i);
    float x = 0.5f;
    for (uint n = 0; n < settle; n++) x = r * x * (1 - x);
    for (uint n = 0; n < length; n++) {
      points[i * length + n] = x;
      x = r * x * (1 - x);
    }
  }` as const;
