// Notes matrices whose triangle says that columns depend on others: such systems have no single solution.
//   SINGULAR_FAULT: the fault of a singular matrix

__kernel void rank_check(__global const T* const memory, volatile __global int* const fault, const Place at,
                         const int size, const int count, const int larger, const int routine, const int stacked) {
  const long matrix = get_global_id(0);
  if (matrix >= count) return;
  __global const T* const a = memory + at.offset + matrix * at.matrix;
  R largest = 0;
  for (int i = 0; i < size; i++) largest = fmax(largest, size_of(a[i * (at.row + at.column)]));
  for (int i = 0; i < size; i++) {
    if (size_of(a[i * (at.row + at.column)]) > largest * R_EPSILON * larger) continue;
    note_fault(fault, SINGULAR_FAULT, routine, stacked ? matrix : -1, i);
    return;
  }
}
