// Solves with a lower triangle of few rows, for some columns in each work-item. An upper one is passed turned around.
// Faults are noted by `routine` unless it is negative; `first` and `step` say where on the whole diagonal a place is.
//   SINGULAR_FAULT: the fault of a zero on the diagonal

__kernel void substitution(__global T* const memory, __global const T* const triangle_memory,
                           volatile __global int* const fault, const Place at, const Place triangle_at, const int size,
                           const int columns, const int span, const int unit, const int conjugated, const int routine,
                           const int stacked, const int first, const int step) {
  const long matrix = get_global_id(1);
  __global T* const x = memory + at.offset + matrix * at.matrix;
  __global const T* const triangle = triangle_memory + triangle_at.offset + matrix * triangle_at.matrix;
  const int left = (int)get_global_id(0) * span, right = min(left + span, columns);
  if (left >= right) return;
  for (int i = 0; i < size; i++) {
    __global T* const line = x + i * at.row;
    __global const T* const factors = triangle + i * triangle_at.row;
    for (int k = 0; k < i; k++) {
      const T factor = conjugate_if(factors[k * triangle_at.column], conjugated);
      __global const T* const above = x + k * at.row;
      _Pragma("clang loop vectorize(assume_safety) vectorize_width(8)") for (int c = left; c < right; c++) line[c] =
          less_product(line[c], factor, above[c]);
    }
    if (unit) continue;
    const T pivot = conjugate_if(factors[i * triangle_at.column], conjugated);
    if (is_zero(pivot) && routine >= 0 && left == 0) {
      note_fault(fault, SINGULAR_FAULT, routine, stacked ? matrix : -1, first + step * i);
    }
    for (int c = left; c < right; c++) line[c] = quotient(line[c], pivot);
  }
}
