// A step of the heat equation on a square of n × n cells whose opposite edges are neighbors.

__kernel void heat(__global const float* u, __global float* v, float dt, int n) {
  const int x = (int)get_global_id(0), y = (int)get_global_id(1);
  const int left = x == 0 ? n - 1 : x - 1, right = x == n - 1 ? 0 : x + 1;
  const int above = y == 0 ? n - 1 : y - 1, below = y == n - 1 ? 0 : y + 1;
  const float around = u[y * n + left] + u[y * n + right] + u[above * n + x] + u[below * n + x];
  v[y * n + x] = u[y * n + x] + dt * (around - 4 * u[y * n + x]);
}
