/** The kernels, on a square with periodic boundaries. */
export const flowSource = /* opencl */ `
  /* Indices of a cell and its four neighbors. */
  typedef struct { size_t here, left, right, up, down; } cells;

  cells around(size_t x, size_t y, size_t n) {
    const size_t row = y * n;
    return (cells){row + x, row + (x > 0 ? x - 1 : n - 1), row + (x + 1 < n ? x + 1 : 0),
                   (y + 1 < n ? row + n : 0) + x, (y > 0 ? row - n : (n - 1) * n) + x};
  }

  /* Advection by the flow, u = dψ/dy and v = -dψ/dx, and diffusion of the vorticity. */
  __kernel void advance(__global const float *omega, __global const float *psi, __global float *next, float h,
                        float nu, float dt) {
    const cells at = around(get_global_id(0), get_global_id(1), get_global_size(0));
    const float u = (psi[at.up] - psi[at.down]) / (2 * h), v = (psi[at.left] - psi[at.right]) / (2 * h);
    const float carried = u * (omega[at.right] - omega[at.left]) + v * (omega[at.up] - omega[at.down]);
    const float others = omega[at.left] + omega[at.right] + omega[at.up] + omega[at.down];
    next[at.here] = omega[at.here] + dt * (nu * (others - 4 * omega[at.here]) / (h * h) - carried / (2 * h));
  }

  /* Half a sweep of red-black successive over-relaxation for -∇²ψ = ω. All neighbors of a cell have the other color, so
     the cells of one color are updated in parallel. */
  __kernel void relax(__global float *psi, __global const float *omega, uint color, float factor, float h) {
    const size_t y = get_global_id(1), x = 2 * get_global_id(0) + (y + color) % 2;
    const cells at = around(x, y, get_global_size(1));
    const float others = psi[at.left] + psi[at.right] + psi[at.up] + psi[at.down];
    psi[at.here] += factor * ((others + h * h * omega[at.here]) / 4 - psi[at.here]);
  }` as const;
