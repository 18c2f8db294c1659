// Conversion between indices of the flattened array and indices along one axis.
//   INDEX_FAULT: the fault of an index that is out of range

__kernel void unravel_axis(__global const long* const indices, const long first, const long count,
                           __global long* const result, const long start, const long stride, const long extent,
                           const long size, volatile __global int* const fault) {
  const long i = get_global_id(0);
  if (i >= count) return;
  long index = indices[first + i];
  if (index < 0 || index >= size) {
    note_fault(fault, INDEX_FAULT, 0, index, size);
    index = 0;
  }
  result[start + i] = index / stride % extent;
}

// `mode` is 0 to note indices that are out of range, 1 to wrap them around, 2 to clip them.
__kernel void ravel_axis(__global const long* const indices, const long first, const long count,
                         __global long* const result, const long start, const long stride, const long extent,
                         const int mode, const int axis, volatile __global int* const fault) {
  const long i = get_global_id(0);
  if (i >= count) return;
  long index = indices[first + i];
  if (index < 0 || index >= extent) {
    if (mode == 1) {
      index = (index % extent + extent) % extent;
    } else if (mode == 2) {
      index = index < 0 ? 0 : extent - 1;
    } else {
      note_fault(fault, INDEX_FAULT, axis, index, extent);
      index = 0;
    }
  }
  result[start + i] = (axis == 0 ? 0 : result[start + i]) + index * stride;
}
