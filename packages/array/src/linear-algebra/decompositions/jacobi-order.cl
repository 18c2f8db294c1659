// Sorts the vectors by descending norm and normalizes them; negligible ones become zero. The second stack is
// conjugated.
__kernel void jacobi_order(__global R* const ordered, __global T* const units, __global T* const others,
                           __global const R* const lengths, __global const T* const memory,
                           __global const T* const other_memory, const Place at, const Place other_at, const int count,
                           const int length, const int other_length) {
  const int i = (int)get_global_id(0);
  const long matrix = get_global_id(1);
  __global const R* const all = lengths + matrix * count;
  const R own = all[i];
  int rank = 0;
  for (int k = 0; k < count; k++) {
    /* All ranks are distinct, NaN included. */
    const bool before = all[k] > own || (isnan(all[k]) && !isnan(own));
    const bool after = own > all[k] || (isnan(own) && !isnan(all[k]));
    rank += before || (!after && k < i) ? 1 : 0;
  }
  const long place = matrix * count + rank;
  ordered[place] = own;
  __global const T* const line = memory + at.offset + matrix * at.matrix + i * at.row;
  const R inverse = own <= R_EPSILON ? 0 : 1 / own;
  for (int k = 0; k < length; k++) units[place * length + k] = scale(line[k], inverse);
  __global const T* const other = other_memory + other_at.offset + matrix * other_at.matrix + i * other_at.row;
  for (int k = 0; k < other_length; k++) others[place * other_length + k] = conjugate(other[k]);
}
