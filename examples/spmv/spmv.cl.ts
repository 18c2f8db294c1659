/** The kernels: y = A x, where row i of A has the elements from starts[i] to starts[i + 1]. */
export const spmvSource = /* opencl */ `
  /* Each work-item computes one row: fast for short rows. */
  __kernel void row_per_item(
    __global const int *starts, __global const int *columns, __global const float *values,
    __global const float *x, __global float *y)
  {
    const int row = get_global_id(0);
    float sum = 0;
    for (int k = starts[row]; k < starts[row + 1]; k++) sum += values[k] * x[columns[k]];
    y[row] = sum;
  }

  /* Each group computes one row: fast for long rows, because memory accesses coalesce. */
  __kernel void row_per_group(
    __global const int *starts, __global const int *columns, __global const float *values,
    __global const float *x, __global float *y, __local float *partial_sums)
  {
    const int row = get_group_id(0), item = get_local_id(0), items = get_local_size(0);
    float sum = 0;
    for (int k = starts[row] + item; k < starts[row + 1]; k += items) sum += values[k] * x[columns[k]];
    partial_sums[item] = sum;
    /* Tree reduction. */
    for (int stride = items / 2; stride > 0; stride /= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      if (item < stride) partial_sums[item] += partial_sums[item + stride];
    }
    if (item == 0) y[row] = partial_sums[0];
  }`;
