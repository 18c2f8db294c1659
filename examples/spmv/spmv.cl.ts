/** The kernels of this example: y = A x, where row i of A has the elements starts[i] to starts[i + 1]. */
export const spmvSource = /* opencl */ `
  /* One work-item has one row: good where rows are short. */
  __kernel void row_per_item(
    __global const int *starts, __global const int *columns, __global const float *values,
    __global const float *x, __global float *y)
  {
    const int row = get_global_id(0);
    float sum = 0;
    for (int k = starts[row]; k < starts[row + 1]; k++) sum += values[k] * x[columns[k]];
    y[row] = sum;
  }

  /* One group has one row: good where rows are long, since neighbours read neighbouring elements. */
  __kernel void row_per_group(
    __global const int *starts, __global const int *columns, __global const float *values,
    __global const float *x, __global float *y, __local float *parts)
  {
    const int row = get_group_id(0), item = get_local_id(0), items = get_local_size(0);
    float sum = 0;
    for (int k = starts[row] + item; k < starts[row + 1]; k += items) sum += values[k] * x[columns[k]];
    parts[item] = sum;
    /* Half of the items add what the other half has, until one is left. */
    for (int adding = items / 2; adding > 0; adding /= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      if (item < adding) parts[item] += parts[item + adding];
    }
    if (item == 0) y[row] = parts[0];
  }`;
