// Radix select for CPUs: each line is divided into chunks, and each chunk is a work-item. From the highest digit on,
// chunks count the digits of those keys whose prefix matches the key of the wanted rank, until all of its digits are
// known. Then the number of smaller and of equal keys of each chunk is known, and the chunks write the results to their
// positions. Depends on key.cl.
//   PASSES, BINS, DIGIT_BITS: number of digits of a key, of values of a digit, and of its bits

/* Of one line; chunks share its memory, and ranks are looked for in each line. */
typedef struct {
  uint size;
  uint chunk;
  uint chunks;
  uint ranks;
} Lines;

/* The lowest bit of a pass's digit. That of the last pass may begin with bits of the one before. */
uint shift_of(const int pass) { return (uint)max(8 * DIGITS - (pass + 1) * DIGIT_BITS, 0); }

/* The first pass also counts the keys that are last of all, as NaN is. Others count for the ranks, since these differ.
 */
__kernel void count(__global const item_t* const in, __global const key_t* const all_prefixes,
                    __global uint* const all_counts, __global uint* const nones, const Lines lines, const ulong start,
                    const int pass) {
  const size_t line = get_global_id(0) / lines.chunks;
  const uint chunk = get_global_id(0) % lines.chunks;
  __global uint* const counts = all_counts + get_global_id(0) * lines.ranks * BINS;
  __global const item_t* const source = in + start + line * lines.size;
  const size_t from = (size_t)chunk * lines.chunk;
  const size_t end = min(from + lines.chunk, (size_t)lines.size);
  const key_t shift = shift_of(pass);
  if (pass == 0) {
    // Two histograms, so that adjacent elements with the same digit do not depend on each other.
    uint own[2][BINS];
    for (int d = 0; d < BINS; d++) own[0][d] = own[1][d] = 0;
    uint none = 0;
    size_t i = from;
    for (; i + 2 <= end; i += 2) {
      const key_t one = key_of(source[i]);
      const key_t other = key_of(source[i + 1]);
      own[0][one >> shift]++;
      own[1][other >> shift]++;
      none += (one == LAST_KEY) + (other == LAST_KEY);
    }
    if (i < end) {
      const key_t key = key_of(source[i]);
      own[0][key >> shift]++;
      none += key == LAST_KEY;
    }
    for (int d = 0; d < BINS; d++) counts[d] = own[0][d] + own[1][d];
    nones[get_global_id(0)] = none;
    return;
  }
  const key_t above = shift_of(pass - 1);
  __global const key_t* const prefixes = all_prefixes + line * lines.ranks;
  for (uint d = 0; d < lines.ranks * BINS; d++) counts[d] = 0;
  // Blocks small enough to stay in the L1 cache for all ranks.
  for (size_t block = from; block < end; block += 1024) {
    const size_t stop = min(block + 1024, end);
    for (uint rank = 0; rank < lines.ranks; rank++) {
      const key_t prefix = prefixes[rank];
      if (rank > 0 && prefix == prefixes[rank - 1]) continue;
      __global uint* const own = counts + rank * BINS;
      for (size_t i = block; i < stop; i++) {
        const key_t key = key_of(source[i]);
        if (key >> above == prefix) own[key >> shift & (BINS - 1)]++;
      }
    }
  }
}

/* For each line: the digits of its ranks' keys, and how many keys are before these in each chunk, and the same. */
__kernel void pick(__global const uint* const all_counts, __global uint* const all_left,
                   __global key_t* const all_prefixes, __global uint* const all_less, __global uint* const all_same,
                   const Lines lines, const int pass) {
  const size_t line = get_global_id(0);
  __global key_t* const prefixes = all_prefixes + line * lines.ranks;
  // From the last rank, since ranks with the same prefix share the counts of the first of them.
  for (uint rank = lines.ranks; rank-- > 0;) {
    uint slot = rank;
    while (slot > 0 && (pass == 0 || prefixes[slot - 1] == prefixes[rank])) slot--;
    __global const uint* const counts = all_counts + (line * lines.chunks * lines.ranks + slot) * BINS;
    const size_t step = (size_t)lines.ranks * BINS;
    uint totals[BINS];
    for (int d = 0; d < BINS; d++) totals[d] = 0;
    for (uint k = 0; k < lines.chunks; k++) {
      for (int d = 0; d < BINS; d++) totals[d] += counts[k * step + d];
    }
    uint left = all_left[line * lines.ranks + rank];
    int digit = 0;
    while (digit < BINS - 1 && left >= totals[digit]) left -= totals[digit++];
    all_left[line * lines.ranks + rank] = left;
    const uint width = pass == 0 ? 0 : shift_of(pass - 1) - shift_of(pass);
    prefixes[rank] =
        pass == 0 ? (key_t)digit : prefixes[rank] << (key_t)width | ((key_t)digit & (((key_t)1 << (key_t)width) - 1));
    __global uint* const less = all_less + (line * lines.ranks + rank) * (lines.chunks + 1);
    __global uint* const same = all_same + (line * lines.ranks + rank) * (lines.chunks + 1);
    for (uint k = 0; k < lines.chunks; k++) {
      uint before = 0;
      for (int d = 0; d < digit; d++) before += counts[k * step + d];
      less[k] = pass == 0 ? before : less[k] + before;
      same[k] = counts[k * step + digit];
    }
    if (pass < PASSES - 1) continue;
    // Where chunks begin, and behind them how many there are in all.
    uint less_sum = 0;
    uint same_sum = 0;
    for (uint k = 0; k < lines.chunks; k++) {
      const uint own_less = less[k];
      const uint own_same = same[k];
      less[k] = less_sum;
      same[k] = same_sum;
      less_sum += own_less;
      same_sum += own_same;
    }
    less[lines.chunks] = less_sum;
    same[lines.chunks] = same_sum;
  }
}
