/** The OpenCL C source of membrane.py, unchanged. */

/** Kernel of a timestep. */
export const source = /* opencl */ `
__kernel void leapfrog(__global const float *u, __global const float *before, __global const float *density,
                       __global float *after, float tension) {
  const size_t x = get_global_id(0) + 1, y = get_global_id(1) + 1;  // the rim is fixed
  const size_t i = y * SIZE + x;
  const float pull = u[i - 1] + u[i + 1] + u[i - SIZE] + u[i + SIZE] - 4 * u[i];
  after[i] = 2 * u[i] - before[i] + tension / density[i] * pull;
}
` as const;

/** Energy of a point. */
export const energySource = /* opencl */ `
float energy_of(__global const float *u, __global const float *before, float density, float tension, long i, long n) {
  const float moved = u[i] - before[i];
  const float right = i % n + 1 < n ? (u[i + 1] - u[i]) * (before[i + 1] - before[i]) : 0;
  const float down = i / n + 1 < n ? (u[i + n] - u[i]) * (before[i + n] - before[i]) : 0;
  return (density * moved * moved + tension * (right + down)) / 2;
}
`;
