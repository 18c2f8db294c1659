/** The kernels of directional advection: REMESH is the remeshing kernel, and REACH the distance in cells that it covers. */
export const advectionSource = /* opencl */ `
  /* Cubic interpolation between b and c (Catmull and Rom). */
  float between(float a, float b, float c, float d, float t) {
    return b + 0.5f * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
  }

  /* Moves a particle from each cell by a midpoint (second-order Runge-Kutta) step. The shift is in cells. */
  __kernel void advect(__global const float *velocity, __global float *shift, int axis, float scale, float dt) {
    velocity += axis * CELLS;
    const int cell = own_cell();
    const float time = scale * dt, middle = 0.5f * time * velocity[cell], left = floor(middle);
    const int before = neighbor(cell, axis, (int)left - 1), b = neighbor(cell, axis, (int)left);
    const int c = neighbor(cell, axis, (int)left + 1), d = neighbor(cell, axis, (int)left + 2);
    shift[cell] = time * between(velocity[before], velocity[b], velocity[c], velocity[d], middle - left);
  }

  /* Each cell gathers from the particles around it, so that no two work-items write the same cell. */
  __kernel void remesh(__global const float *from, __global const float *shift, __global float *to, int axis) {
    const int cell = own_cell();
    float sums[COMPONENTS] = {0};
    for (int away = -REACH; away <= REACH; away++) {
      const int other = neighbor(cell, axis, away);
      const float weight = REMESH(fabs(away + shift[other]));
      for (int i = 0; i < COMPONENTS; i++) sums[i] += weight * from[i * CELLS + other];
    }
    for (int i = 0; i < COMPONENTS; i++) to[i * CELLS + cell] = sums[i];
  }` as const;
