/* Transposes 32 by 32 tiles in local memory with groups of 32 by 8. Rows are padded by one element to avoid bank
 * conflicts. */
#define TILE 32

__kernel void transpose(__global const float* a, __global float* out, const int rows, const int columns) {
  __local float tile[TILE][TILE + 1];
  const int x = get_local_id(0), left = get_group_id(0) * TILE, top = get_group_id(1) * TILE;
  for (int y = get_local_id(1); y < TILE; y += get_local_size(1))
    if (top + y < rows && left + x < columns) tile[y][x] = a[(long)(top + y) * columns + left + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int y = get_local_id(1); y < TILE; y += get_local_size(1))
    if (left + y < columns && top + x < rows) out[(long)(left + y) * rows + top + x] = tile[x][y];
}
