// Exchanges rows as pivots say, in their order; each work-item has some columns.
// The pivots from `first` on; `origin` is the number of the first row that the place has.
__kernel void row_exchanges(__global T* const memory, __global const int* const pivots, const Place at,
                            const int columns, const int span, const int first, const int count, const int origin,
                            const int pivot_count) {
  const long matrix = get_global_id(1);
  __global T* const a = memory + at.offset + matrix * at.matrix;
  __global const int* const own = pivots + matrix * pivot_count;
  const int left = (int)get_global_id(0) * span, right = min(left + span, columns);
  for (int k = first; k < first + count; k++) {
    if (own[k] == k || left >= right) continue;
    __global T* const one = a + (k - origin) * at.row;
    __global T* const other = a + (own[k] - origin) * at.row;
    for (int c = left; c < right; c++) {
      const T kept = one[c];
      one[c] = other[c];
      other[c] = kept;
    }
  }
}
