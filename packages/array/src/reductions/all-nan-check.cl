// Notes the first place that is -1: all elements of its slice are NaN.
//   ALL_NAN_FAULT: the fault of such a slice

__kernel void all_nan_check(__global const long* const places, const long start, const long count,
                            volatile __global int* const fault, const int routine) {
  const long i = get_global_id(0);
  if (i < count && places[start + i] < 0) note_fault(fault, ALL_NAN_FAULT, routine, i, 0);
}
