/** The kernels. Each work-item computes eight adjacent cells of a row. */
export const grayScottSource = /* opencl */ `
  /* A row's part of the weighted sum around eight cells, with periodic boundaries. */
  float8 row_sum(__global const float *row, size_t x, size_t nx, float middle, float side) {
    const float8 here = vload8(0, row + x);
    const float8 left = (float8)(row[x > 0 ? x - 1 : nx - 1], here.s0123, here.s45, here.s6);
    const float8 right = (float8)(here.s1234, here.s56, here.s7, row[x + 8 < nx ? x + 8 : 0]);
    return middle * here + side * (left + right);
  }

  /* The Laplacian of eight cells, by an isotropic nine-point stencil. */
  float8 laplacian(__global const float *field, size_t x, size_t y, size_t nx, size_t ny) {
    const size_t above = y > 0 ? y - 1 : ny - 1, below = y + 1 < ny ? y + 1 : 0;
    return row_sum(field + above * nx, x, nx, 0.2f, 0.05f) + row_sum(field + y * nx, x, nx, -1.0f, 0.2f) +
           row_sum(field + below * nx, x, nx, 0.2f, 0.05f);
  }

  /* Diffuses both substances, v half as fast. */
  __kernel void diffuse(__global const float *u, __global const float *v, __global float *spread_u,
                        __global float *spread_v, float dt) {
    const size_t x = 8 * get_global_id(0), y = get_global_id(1);
    const size_t nx = 8 * get_global_size(0), ny = get_global_size(1), cell = y * nx + x;
    vstore8(vload8(0, u + cell) + dt * laplacian(u, x, y, nx, ny), 0, spread_u + cell);
    vstore8(vload8(0, v + cell) + 0.5f * dt * laplacian(v, x, y, nx, ny), 0, spread_v + cell);
  }

  /* The reaction u + 2v -> 3v; u is fed and v is removed. */
  __kernel void react(__global const float *spread_u, __global const float *spread_v, __global float *u,
                      __global float *v, float feed, float kill, float dt) {
    const size_t i = get_global_id(0);
    const float8 a = vload8(i, spread_u), b = vload8(i, spread_v), reaction = a * b * b;
    vstore8(a + dt * (feed * (1 - a) - reaction), i, u);
    vstore8(b + dt * (reaction - (feed + kill) * b), i, v);
  }` as const;
