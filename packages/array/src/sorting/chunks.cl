// Radix sort for CPUs: each line is divided into chunks, and each chunk is a work-item. For each digit of 8 bits,
// chunks count their elements and then write them after those of the preceding chunks. Digits that all keys of a line
// share are skipped; a bit mask of the keys' common bits shows which. Depends on key.cl.
//   HAS_PLACES, HAS_GIVEN_PLACES: whether places are moved with the keys, and whether they are those of an array
//   GIVEN_PLACES, RESULTS, SPARE_PLACES: the parameters for places, their results, and scratch memory; each may be
//   nothing PLACE, RESULT: the types in which places are moved, and in which they come out

typedef PLACE place_t;
typedef RESULT result_t;

/* Of one line; chunks share its memory. */
typedef struct {
  uint size;
  uint chunk;
  uint chunks;
  int keeps_keys;
} Lines;

typedef struct {
  bool moves;
  bool first;
  bool last;
  bool to_out;
} Step;

/* Each chunk noted the bits that any of its keys has, and those that all of them have. */
Step step_of(__global const ulong* const bits, const uint chunks, const int pass) {
  bool moves[DIGITS];
  int all = 0;
  int before = 0;
  for (int word = 0; word < KEY_WORDS; word++) {
    ulong any = 0;
    ulong every = ~0ul;
    for (uint k = 0; k < chunks; k++) {
      any |= bits[(k * KEY_WORDS + word) * 2];
      every &= bits[(k * KEY_WORDS + word) * 2 + 1];
    }
    for (int digit = 0; digit < 8 && word * 8 + digit < DIGITS; digit++) {
      moves[word * 8 + digit] = ((any ^ every) >> (8 * digit) & 255) != 0;
    }
  }
  for (int digit = 0; digit < DIGITS; digit++) all += moves[digit];
  // Keys that are all the same are moved, too.
  if (all == 0) {
    moves[0] = true;
    all = 1;
  }
  for (int digit = 0; digit < pass; digit++) before += moves[digit];
  Step step;
  step.moves = moves[pass];
  step.first = before == 0;
  step.last = before == all - 1;
  step.to_out = ((all - 1 - before) & 1) == 0;
  return step;
}

/* The first pass also notes the bits. */
__kernel void count(__global const item_t* const in, __global item_t* const out, __global item_t* const spare,
                    __global ulong* const all_bits, __global uint* const all_counts, const Lines lines,
                    const ulong start, const int pass) {
  const size_t line = get_global_id(0) / lines.chunks;
  const uint chunk = get_global_id(0) % lines.chunks;
  __global ulong* const bits = all_bits + line * lines.chunks * KEY_WORDS * 2;
  __global uint* const counts = all_counts + get_global_id(0) * 256;
  __global const item_t* source = in + start;
  if (pass > 0) {
    const Step step = step_of(bits, lines.chunks, pass);
    if (!step.moves) return;
    if (!step.first) source = step.to_out ? spare : out;
  }
  const size_t from = (size_t)chunk * lines.chunk;
  const size_t end = min(from + lines.chunk, (size_t)lines.size);
  source += line * lines.size;
  // Four histograms, so that adjacent elements with the same digit do not depend on each other.
  uint own[4][256];
  for (int d = 0; d < 256; d++) own[0][d] = own[1][d] = own[2][d] = own[3][d] = 0;
  key_t any = 0;
  key_t every = LAST_KEY;
  size_t i = from;
  for (; i + 4 <= end; i += 4) {
    const key_t keys[4] = {key_of(source[i]), key_of(source[i + 1]), key_of(source[i + 2]), key_of(source[i + 3])};
    own[0][digit_of(keys[0], pass)]++;
    own[1][digit_of(keys[1], pass)]++;
    own[2][digit_of(keys[2], pass)]++;
    own[3][digit_of(keys[3], pass)]++;
    any |= keys[0] | keys[1] | keys[2] | keys[3];
    every &= keys[0] & keys[1] & keys[2] & keys[3];
  }
  for (; i < end; i++) {
    const key_t key = key_of(source[i]);
    own[0][digit_of(key, pass)]++;
    any |= key;
    every &= key;
  }
  for (int d = 0; d < 256; d++) counts[d] = own[0][d] + own[1][d] + own[2][d] + own[3][d];
  if (pass > 0) return;
  for (int word = 0; word < KEY_WORDS; word++) {
    bits[(chunk * KEY_WORDS + word) * 2] = word_of(any, word);
    bits[(chunk * KEY_WORDS + word) * 2 + 1] = word_of(every, word);
  }
}

#if HAS_GIVEN_PLACES
#define FIRST_PLACE in_places[base + i]
#else
#define FIRST_PLACE (place_t) i
#endif
#define MOVE_EACH(place_of_i, store) \
  for (size_t i = from; i < end; i++) { \
    const item_t item = source[i]; \
    const uint to = at[digit_of(key_of(item), pass)]++; \
    const place_t place = place_of_i; \
    store; \
  }

__kernel void move(__global const item_t* const in, __global item_t* const out, __global item_t* const spare,
                   GIVEN_PLACES RESULTS SPARE_PLACES __global const ulong* const all_bits,
                   __global const uint* const all_counts, const Lines lines, const ulong start, const int pass) {
  const size_t line = get_global_id(0) / lines.chunks;
  const uint chunk = get_global_id(0) % lines.chunks;
  const Step step = step_of(all_bits + line * lines.chunks * KEY_WORDS * 2, lines.chunks, pass);
  if (!step.moves) return;
  const size_t base = line * lines.size;
  __global const item_t* const source = (step.first ? in + start : step.to_out ? spare : out) + base;
  __global item_t* const target = (step.to_out ? out : spare) + base;
  // Behind smaller digits of all chunks, and behind the same digit of those before.
  uint totals[256];
  uint at[256];
  for (int d = 0; d < 256; d++) totals[d] = at[d] = 0;
  for (uint k = 0; k < lines.chunks; k++) {
    __global const uint* const counts = all_counts + (line * lines.chunks + k) * 256;
    if (k == chunk) {
      for (int d = 0; d < 256; d++) at[d] = totals[d];
    }
    for (int d = 0; d < 256; d++) totals[d] += counts[d];
  }
  uint sum = 0;
  for (int d = 0; d < 256; d++) {
    at[d] += sum;
    sum += totals[d];
  }
  const size_t from = (size_t)chunk * lines.chunk;
  const size_t end = min(from + lines.chunk, (size_t)lines.size);
#if HAS_PLACES
  /* Before the last pass the memory of a line's results is that of places, which are no wider. In the last one the keys
     are only stored if somebody wants them. */
  __global result_t* const to_results = results + base;
  __global place_t* const out_places = (__global place_t*)to_results;
  __global const place_t* const places = step.to_out ? spare_places + base : out_places;
  __global place_t* const to_places = step.to_out ? out_places : spare_places + base;
  if (step.first && step.last) {
    if (lines.keeps_keys) {
      MOVE_EACH(FIRST_PLACE, target[to] = item; to_results[to] = (result_t)place)
    } else {
      MOVE_EACH(FIRST_PLACE, to_results[to] = (result_t)place)
    }
  } else if (step.first) {
    MOVE_EACH(FIRST_PLACE, target[to] = item; to_places[to] = place)
  } else if (step.last) {
    if (lines.keeps_keys) {
      MOVE_EACH(places[i], target[to] = item; to_results[to] = (result_t)place)
    } else {
      MOVE_EACH(places[i], to_results[to] = (result_t)place)
    }
  } else {
    MOVE_EACH(places[i], target[to] = item; to_places[to] = place)
  }
#else
  for (size_t i = from; i < end; i++) {
    const item_t item = source[i];
    target[at[digit_of(key_of(item), pass)]++] = item;
  }
#endif
}
