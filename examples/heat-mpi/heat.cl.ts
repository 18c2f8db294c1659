/** The kernel: one explicit step. It does not depend on the number of ranks. */
export const source = `
__kernel void diffuse(__global const double *u, __global double *v, const int pitch, const double rate) {
  const int i = get_global_id(1) * pitch + get_global_id(0);
  v[i] = u[i] + rate * (u[i - 1] + u[i + 1] + u[i - pitch] + u[i + pitch] - 4 * u[i]);
}` as const;
