/*
 * Radix sort by 8-bit digits. Each group of one work-item processes a chunk: it counts the digits, and then scatters
 * its elements after those of smaller digits and those of the same digit in earlier chunks. With PLACES, it also sorts
 * the indices.
 */
#define CHUNK \
  const uint group = get_group_id(0), groups = get_num_groups(0); \
  const uint begin = (ulong)n * group / groups, end = (ulong)n * (group + 1) / groups;
#define DIGIT(key) ((key) >> shift & 255)

__kernel void count(__global const uint* keys, __global uint* counts, const uint n, const uint shift) {
  CHUNK
  uint own[4][256];
  for (int d = 0; d < 256; d++) own[0][d] = own[1][d] = own[2][d] = own[3][d] = 0;
  uint i = begin;
  for (; i + 4 <= end; i += 4) {
    own[0][DIGIT(keys[i])]++;
    own[1][DIGIT(keys[i + 1])]++;
    own[2][DIGIT(keys[i + 2])]++;
    own[3][DIGIT(keys[i + 3])]++;
  }
  for (; i < end; i++) own[0][DIGIT(keys[i])]++;
  for (int d = 0; d < 256; d++) counts[group * 256 + d] = own[0][d] + own[1][d] + own[2][d] + own[3][d];
}

__kernel void move(__global const uint* keys, __global uint* out,
#ifdef PLACES
                   __global const uint* places, __global uint* out_places, __global long* result,
#endif
                   __global const uint* counts, const uint n, const uint shift) {
  CHUNK
  uint totals[256], at[256];
  for (int d = 0; d < 256; d++) totals[d] = at[d] = 0;
  for (uint k = 0; k < groups; k++) {
    if (k == group)
      for (int d = 0; d < 256; d++) at[d] = totals[d];
    for (int d = 0; d < 256; d++) totals[d] += counts[k * 256 + d];
  }
  uint sum = 0;
  for (int d = 0; d < 256; d++) {
    at[d] += sum;
    sum += totals[d];
  }
#ifndef PLACES
  for (uint i = begin; i < end; i++) {
    const uint key = keys[i];
    out[at[DIGIT(key)]++] = key;
  }
#else
  if (shift == 0) {
    for (uint i = begin; i < end; i++) {
      const uint key = keys[i], to = at[DIGIT(key)]++;
      out[to] = key;
      out_places[to] = i;
    }
  } else if (shift < 24) {
    for (uint i = begin; i < end; i++) {
      const uint key = keys[i], to = at[DIGIT(key)]++;
      out[to] = key;
      out_places[to] = places[i];
    }
  } else {
    for (uint i = begin; i < end; i++) result[at[DIGIT(keys[i])]++] = places[i];
  }
#endif
}
