// Quantiles, from sorted lines with NaN last, or from the two elements adjacent to each quantile, found by rank.
//   T, RESULT, REAL: the types of elements, of results, and of fractions and places
//   IS_FLOATING: whether elements may be NaN
//   IS_SORTED: whether lines are sorted; otherwise elements are picked
//   NONES: the parameters for the numbers of NaN of picked elements, or nothing
//   MEDIAN: the number of the method of medians, which need no interpolation

#pragma OPENCL FP_CONTRACT OFF
typedef struct {
  long below;
  long above;
  REAL place;
  REAL fraction;
} Ranks;

/* The elements on both sides of a place among those that are numbers. */
Ranks ranks_of(const REAL part, const long valid, const int method) {
  Ranks ranks;
  ranks.place = part * (valid - 1);
  ranks.fraction = ranks.place - floor(ranks.place);
  ranks.below = clamp((long)floor(ranks.place), 0L, valid - 1);
  ranks.above = min(ranks.below + 1, valid - 1);
  if (method == MEDIAN) {
    ranks.below = (valid - 1) / 2;
    ranks.above = valid / 2;
  }
  return ranks;
}

#if !IS_SORTED
long numbers_in(__global const uint* const nones, const uint chunks, const long line, const long length) {
#if IS_FLOATING
  long valid = length;
  for (uint k = 0; k < chunks; k++) valid -= nones[line * chunks + k];
  return valid;
#else
  return length;
#endif
}

__kernel void set_ranks(const long lines, const long length, __global const REAL* const fractions, const long count,
                        const int method, __global const uint* const nones, const uint chunks,
                        __global uint* const all_ranks) {
  const long pair = get_global_id(0);
  if (pair >= lines * count) return;
  // Where there are no numbers, it does not matter which element is taken.
  const long valid = max(numbers_in(nones, chunks, pair / count, length), 1L);
  const Ranks ranks = ranks_of(fractions[pair % count], valid, method);
  all_ranks[2 * pair] = (uint)ranks.below;
  all_ranks[2 * pair + 1] = (uint)ranks.above;
}
#endif

__kernel void quantiles(__global const T* const elements, const long lines, const long length,
                        __global const REAL* const fractions, const long count, const int method, NONES const int omit,
                        __global RESULT* const results) {
  const long at = get_global_id(0);
  if (at >= lines * count) return;
  const long line_number = at % lines;
#if IS_SORTED
  __global const T* const line = elements + line_number * length;
  long valid = length;
#if IS_FLOATING
  if (line[length - 1] != line[length - 1]) {
    if (!omit) {
      results[at] = NAN;
      return;
    }
    // Behind the last number.
    long first = 0;
    for (long left = length; left > 0;) {
      const long half_left = left / 2;
      const int is_number = line[first + half_left] == line[first + half_left];
      first = is_number ? first + half_left + 1 : first;
      left = is_number ? left - half_left - 1 : half_left;
    }
    valid = first;
    if (valid == 0) {
      results[at] = NAN;
      return;
    }
  }
#endif
  const Ranks ranks = ranks_of(fractions[at / lines], valid, method);
  const T below = line[ranks.below];
  const T above = line[ranks.above];
#else
  const long valid = numbers_in(nones, chunks, line_number, length);
#if IS_FLOATING
  if (valid == 0 || (valid < length && !omit)) {
    results[at] = NAN;
    return;
  }
#endif
  const Ranks ranks = ranks_of(fractions[at / lines], valid, method);
  const long pair = line_number * count + at / lines;
  const T below = elements[2 * pair];
  const T above = elements[2 * pair + 1];
#endif
  if (method == MEDIAN) {
    results[at] = valid % 2 == 1 ? (RESULT)below : (RESULT)(((RESULT)below + (RESULT)above) / 2);
  } else if (method == 1 || ranks.fraction == 0) {
    results[at] = (RESULT)below;
  } else if (method == 2) {
    results[at] = (RESULT)above;
  } else if (method == 4) {
    results[at] = (RESULT)((long)rint(ranks.place) <= ranks.below ? below : above);
  } else {
    const RESULT low = (RESULT)below;
    const RESULT high = (RESULT)above;
    const RESULT part = method == 3 ? (RESULT)0.5f : (RESULT)ranks.fraction;
    const RESULT distance = high - low;
    // From the nearer of both, so that the ends are exact.
    const RESULT value = part >= 0.5f ? high - distance * (1 - part) : low + distance * part;
    results[at] = low == high ? low : value;
  }
}
