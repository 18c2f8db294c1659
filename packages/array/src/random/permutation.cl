// Random permutations: a Feistel network over pairs of digits, applied repeatedly until the result is a valid index.
//   LOOPS: whether a work-item has a part of the indices, eight at a time, or one index
//   ROUNDS: rounds of the network, each with a key of 32 bits

// Digits are less than 2^32, in lanes of 64 bits.
#if LOOPS
#define DIGIT ulong8
#define ANY(condition) any(condition)
#else
#define DIGIT ulong
#define ANY(condition) (condition)
#endif

typedef struct {
  // The number of indices, and the number of results.
  ulong length, size;
  uint key[ROUNDS];
  // The bases of both digits: an index is the first digit plus the second one times the first base.
  ulong first, second;
  // Whether the first two change places: networks might be of even permutations only.
  ulong swapped;
} Permutation;

// A function of a digit and a key, from 0 up to a base.
DIGIT mixed(const DIGIT digit, const uint key, const ulong base) {
  DIGIT x = (digit ^ (ulong)key) * (DIGIT)(0x9e3779b1u);
  x = ((x ^ (x >> 32)) & 0xffffffffUL) * (DIGIT)(0xd2511f53u);
  return (((x ^ (x >> 32)) & 0xffffffffUL) * base) >> 32;
}

// The difference is beyond all digits where it is negative.
DIGIT sum_below(const DIGIT a, const DIGIT b, const ulong base) {
  const DIGIT sum = a + b;
  return min(sum, sum - base);
}

DIGIT permuted(const Permutation* const by, DIGIT low, DIGIT high) {
  DIGIT result = by->length;
  do {
    for (int round = 0; round < ROUNDS; round += 2) {
      low = sum_below(low, mixed(high, by->key[round], by->first), by->first);
      high = sum_below(high, mixed(low, by->key[round + 1], by->second), by->second);
    }
    const DIGIT at = high * by->first + low;
    // Lanes that have come to an index keep it.
    result = result < by->length ? result : at;
  } while (ANY(result >= by->length));
  return result <= 1 ? result ^ by->swapped : result;
}

__kernel void permute(__global long* const out, const Permutation by) {
#if LOOPS
  const ulong units = (by.size + 7) / 8;
  const ulong start = units * get_global_id(0) / get_global_size(0) * 8;
  const ulong end = min(units * (get_global_id(0) + 1) / get_global_size(0) * 8, by.size);
  ulong high = start / by.first, low = start % by.first;
  for (ulong i = start; i < end; i += 8) {
    // Within eight adjacent indices the second digit increases at most once, since the first base is larger than 8.
    // Lanes after the end repeat the last index: the walk from an invalid one might never end.
    const ulong8 lows = low + min((ulong8)(0, 1, 2, 3, 4, 5, 6, 7), (ulong8)(end - 1 - i));
    const ulong8 all =
        permuted(&by, lows < by.first ? lows : lows - by.first, lows < by.first ? (ulong8)(high) : (ulong8)(high + 1));
    low += 8;
    if (low >= by.first) {
      low -= by.first;
      high++;
    }
    if (i + 8 <= end) {
      vstore8(as_long8(all), 0, out + i);
      continue;
    }
    long rest[8];
    vstore8(as_long8(all), 0, rest);
    for (ulong k = i; k < end; k++) out[k] = rest[k - i];
  }
#else
  const ulong i = get_global_id(0);
  if (i < by.size) out[i] = (long)permuted(&by, i % by.first, i / by.first);
#endif
}
