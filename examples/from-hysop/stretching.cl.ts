/** The kernel of directional vortex stretching. */
export const stretchingSource = /* opencl */ `
  /* Along the axis j: dω/dt = ω_j du/dx_j, with differences of fourth order. The velocity does not change during the step, so
     that the equation is linear and a fourth-order Runge-Kutta step is a polynomial. */
  __kernel void stretch(__global const float *velocity, __global const float *from, __global float *to, int axis, float scale,
                        float dt) {
    const int cell = own_cell();
    const int left = neighbor(cell, axis, -1), right = neighbor(cell, axis, 1);
    const int left2 = neighbor(cell, axis, -2), right2 = neighbor(cell, axis, 2);
    float change[3];
    for (int i = 0; i < 3; i++) {
      __global const float *u = velocity + i * CELLS;
      change[i] = scale * dt * (8 * (u[right] - u[left]) - (u[right2] - u[left2])) / 12;
    }
    const float z = change[axis], growth = 1 + z / 2 * (1 + z / 3 * (1 + z / 4));
    const float factor = from[axis * CELLS + cell] * growth;
    for (int i = 0; i < 3; i++) to[i * CELLS + cell] = from[i * CELLS + cell] + factor * change[i];
  }` as const;
