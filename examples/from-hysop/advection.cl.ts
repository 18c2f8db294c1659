/**
 * The kernels, for square fields with GHOSTS ghost cells on each side and PITCH cells per row. `along` is the stride in the
 * direction of advection: 1 or PITCH.
 */
export const advectionSource = /* opencl */ `
  int own_cell(void) { return (get_global_id(1) + GHOSTS) * PITCH + get_global_id(0) + GHOSTS; }

  /* Moves a particle from each cell by a midpoint (second-order Runge-Kutta) step. */
  __kernel void advect(__global const float *velocity, __global float *shift, int along, float fraction, float dt,
                       float amplitude) {
    const int cell = own_cell();
    const float scale = fraction * dt * amplitude, middle = 0.5f * scale * velocity[cell], left = floor(middle);
    const int before = cell + (int)left * along;
    shift[cell] = scale * mix(velocity[before], velocity[before + along], middle - left);
  }

  /* Interpolation kernel M'4 (Monaghan), by distance in cells. A particle's weights sum to 1. */
  float weight(float distance) {
    const float x = fabs(distance);
    if (x < 1) return 1 + x * x * (1.5f * x - 2.5f);
    return x < 2 ? 0.5f * (2 - x) * (2 - x) * (1 - x) : 0;
  }

  /* Each cell gathers from the particles around it, so that no two work-items write the same cell. */
  __kernel void remesh(__global const float *from, __global const float *shift, __global float *to, int along) {
    const int cell = own_cell();
    float sum = 0;
    for (int away = -GHOSTS; away <= GHOSTS; away++) {
      const int other = cell + away * along;
      sum += weight(away + shift[other]) * from[other];
    }
    to[cell] = sum;
  }` as const;
