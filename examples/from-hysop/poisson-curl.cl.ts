/** The kernel of the operator in Fourier space. SIZE is the number of cells per side. */
export const poissonCurlSource = /* opencl */ `
  int wave_number(int element) { return 2 * element < SIZE ? element : element - SIZE; }

  /* For each wave: removes the divergence of the vorticity, diffuses it exactly, and computes the velocity, whose curl it is.
     The highest waves of an even SIZE have no derivative, and are removed. */
  __kernel void poisson_curl(__global float2 *vorticity, __global float2 *velocity, float diffusion) {
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2), waves = get_global_size(0) * SIZE * SIZE;
    const int i = (z * SIZE + y) * get_global_size(0) + x, j = i + waves, l = j + waves;
    const float kx = wave_number(x), ky = wave_number(y), kz = wave_number(z), k2 = kx * kx + ky * ky + kz * kz;
    float2 a = vorticity[i], b = vorticity[j], c = vorticity[l];
    const bool highest = 2 * x == SIZE || 2 * y == SIZE || 2 * z == SIZE;
    const float inverse = k2 > 0 ? 1 / k2 : 0, remaining = highest ? 0 : exp(-diffusion * k2);
    const float2 potential = (kx * a + ky * b + kz * c) * inverse;
    a = remaining * (a - kx * potential);
    b = remaining * (b - ky * potential);
    c = remaining * (c - kz * potential);
    vorticity[i] = a;
    vorticity[j] = b;
    vorticity[l] = c;
    /* u = i k × ω / k² */
    const float2 u = inverse * (ky * c - kz * b), v = inverse * (kz * a - kx * c), w = inverse * (kx * b - ky * a);
    velocity[i] = (float2)(-u.y, u.x);
    velocity[j] = (float2)(-v.y, v.x);
    velocity[l] = (float2)(-w.y, w.x);
  }` as const;
