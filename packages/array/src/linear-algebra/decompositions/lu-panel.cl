// Decomposes all rows of few columns in place, with the largest element of each column as pivot; a group has one
// matrix.
//   LOCAL, LANES, TEAMS: work-items of a group, of a team, and teams of a group

__kernel __attribute__((reqd_work_group_size(LOCAL, 1, 1))) void lu_panel(__global T* const memory,
                                                                          __global int* const pivots, const Place at,
                                                                          const int rows, const int columns,
                                                                          const int start, const int pivot_count) {
  const long matrix = get_group_id(0);
  __global T* const a = memory + at.offset + matrix * at.matrix;
  __global int* const own = pivots + matrix * pivot_count + start;
  const int steps = min(rows, columns);
#if LOCAL == 1
  // The next pivot is looked for while its column is made.
  R best = -1;
  int place = 0;
  for (int i = 0; i < rows; i++) {
    const R size = size_of(a[i * at.row]);
    if (size > best) {
      best = size;
      place = i;
    }
  }
  for (int j = 0; j < steps; j++) {
    own[j] = start + place;
    __global T* const top = a + j * at.row;
    if (place != j) {
      __global T* const other = a + place * at.row;
      for (int c = 0; c < columns; c++) {
        const T kept = top[c];
        top[c] = other[c];
        other[c] = kept;
      }
    }
    const T pivot = top[j];
    best = -1;
    place = j + 1;
    for (int i = j + 1; i < rows; i++) {
      __global T* const line = a + i * at.row;
      const T factor = is_zero(pivot) ? line[j] : quotient(line[j], pivot);
      line[j] = factor;
      _Pragma("clang loop vectorize(assume_safety) vectorize_width(8)") for (int c = j + 1; c < columns; c++) line[c] =
          less_product(line[c], factor, top[c]);
      if (j + 1 < columns) {
        const R size = size_of(line[j + 1]);
        if (size > best) {
          best = size;
          place = i;
        }
      }
    }
  }
#else
  // Lanes run along rows, so that adjacent work-items read adjacent elements.
  __local R sizes[LOCAL];
  __local int places[LOCAL];
  const int item = get_local_id(0), lane = item % LANES, team = item / LANES;
  for (int j = 0; j < steps; j++) {
    R best = -1;
    int place = j;
    for (int i = j + item; i < rows; i += LOCAL) {
      const R size = size_of(a[i * at.row + j]);
      if (size > best) {
        best = size;
        place = i;
      }
    }
    sizes[item] = best;
    places[item] = place;
    /* Of all memory: what was compared here is exchanged below. */
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (int apart = LOCAL / 2; apart > 0; apart /= 2) {
      if (item < apart) {
        const R size = sizes[item + apart];
        const int other = places[item + apart];
        if (size > sizes[item] || (size == sizes[item] && other < places[item])) {
          sizes[item] = size;
          places[item] = other;
        }
      }
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    place = places[0];
    if (item == 0) own[j] = start + place;
    if (place != j) {
      for (int c = item; c < columns; c += LOCAL) {
        const T kept = a[j * at.row + c];
        a[j * at.row + c] = a[place * at.row + c];
        a[place * at.row + c] = kept;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    const T pivot = a[j * at.row + j];
    if (!is_zero(pivot)) {
      for (int i = j + 1 + item; i < rows; i += LOCAL) a[i * at.row + j] = quotient(a[i * at.row + j], pivot);
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    for (int i = j + 1 + team; i < rows; i += TEAMS) {
      const T factor = a[i * at.row + j];
      for (int c = j + 1 + lane; c < columns; c += LANES) {
        a[i * at.row + c] = less_product(a[i * at.row + c], factor, a[j * at.row + c]);
      }
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
#endif
}
