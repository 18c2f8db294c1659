/** Adds the values that have arrived for a box of cells to those of a field. */
export const source = `
__kernel void add(__global ELEMENT *field, const ulong first, const ulong row, const ulong slice,
                  __global const ELEMENT *arrived, const ulong start) {
  const ulong x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  field[first + x + y * row + z * slice] += arrived[start + x + get_global_size(0) * (y + get_global_size(1) * z)];
}` as const;
