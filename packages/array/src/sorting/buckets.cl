// Sample sort for CPUs. Splitters from a sample of each line divide its keys into buckets of similar size, so that a
// bucket fits into a core's cache: chunks of the line count and then move their elements to buckets, and each bucket is
// sorted by a radix sort. Short lines are one bucket each. Depends on key.cl.
//   HAS_PLACES, HAS_GIVEN_PLACES: whether places are moved with the keys, and whether they are those of an array
//   GIVEN_PLACES, RESULTS, SPARE_PLACES: the parameters for places, their results, and scratch memory, or nothing
//   PLACE, RESULT: the types in which places are moved, and in which they come out
//   WIDENS: 1 if results are twice as wide as places, otherwise 0
//   SAMPLES: elements of the sample for each bucket

/* Results are in memory in which places were before. */
typedef PLACE __attribute__((may_alias)) place_t;
typedef RESULT __attribute__((may_alias)) result_t;

/* Of one line. Buckets and chunks share its memory. */
typedef struct {
  uint size;
  uint chunk;
  uint chunks;
  uint buckets;
  int keeps_keys;
} Lines;

#if KEY_WORDS == 2
typedef ulong head_t;
#define HEAD(key) ((key).x)
#define NEXT_KEY(key) ((ulong2)((key).x + ((key).y == ~0ul), (key).y + 1))
#define LAST_BEFORE(key) ((ulong2)((key).x - ((key).y == 0), (key).y - 1))
#else
typedef KEY head_t;
#define HEAD(key) (key)
#define NEXT_KEY(key) ((key) + 1)
#define LAST_BEFORE(key) ((key) - 1)
#endif

/* Number of the lowest bits of keys that contain all bits in which two keys differ. */
uint width_between(const key_t a, const key_t b) {
#if KEY_WORDS == 2
  if (a.x != b.x) return 128 - (uint)clz(a.x ^ b.x);
  return 64 - (uint)clz(a.y ^ b.y);
#else
  return 8 * sizeof(key_t) - (uint)clz(a ^ b);
#endif
}

/* The lower bits of a key that is shifted to the right. */
uint bits_of(const key_t key, const uint shift, const uint mask) {
#if KEY_WORDS == 2
  const ulong low = shift >= 64 ? key.x >> (shift - 64) : shift == 0 ? key.y : key.y >> shift | key.x << (64 - shift);
  return (uint)low & mask;
#else
  return (uint)(key >> shift) & mask;
#endif
}

/*
 * The keys between the first and the last splitter are divided into intervals. An entry for each has the number of
 * splitters below it, and above 8 bits the number of those in it. The last entry is the number of all.
 */
#define INTERVALS (1 << INTERVAL_BITS)

typedef struct {
  __global const key_t* splitters;
  __global const ushort* entries;
  head_t low;
  uint shift;
} Plan;

Plan plan_of(__global const key_t* const splitters, __global const ushort* const entries) {
  const head_t low = HEAD(splitters[0]);
  const head_t range = HEAD(splitters[entries[INTERVALS] - 1]) - low;
  const uint width = 8 * sizeof(head_t) - (uint)clz(range);
  const Plan plan = {splitters, entries, low, width <= INTERVAL_BITS ? 0 : width - INTERVAL_BITS};
  return plan;
}

uint interval_of(const key_t key, const head_t low, const uint shift) {
  const head_t head = HEAD(key);
  return head <= low ? 0 : (uint)min((head - low) >> shift, (head_t)(INTERVALS - 1));
}

/* The number of splitters that are not above a key in an interval. */
uint bucket_within(const uint interval, const key_t key, const Plan plan) {
#if DIGITS == 1
  return (uint)key;
#endif
  const uint entry = plan.entries[interval];
  uint from = entry & 255;
  const uint count = entry >> 8;
  // Without a branch that would be guessed wrong.
  if (count <= 1) return from + (count & (uint)!is_less(key, plan.splitters[from]));
  uint to = from + count;
  while (from < to) {
    const uint middle = (from + to) / 2;
    if (is_less(key, plan.splitters[middle]))
      to = middle;
    else
      from = middle + 1;
  }
  return from;
}

/* Number of elements whose keys are computed together, in vectors. */
#define BLOCK 16
#define EACH _Pragma("clang loop vectorize(assume_safety)")

/* One work-item for each line. A key that several samples have gets a separate bucket, which is in order. */
__kernel void plan(__global const item_t* const in, __global key_t* const all_samples,
                   __global key_t* const all_splitters, __global ushort* const all_entries, const Lines lines,
                   const ulong start) {
  const size_t line = get_global_id(0);
  const uint count = lines.buckets * SAMPLES;
  __global const item_t* const source = in + start + line * lines.size;
  __global key_t* from = all_samples + line * 2 * count;
  __global key_t* to = from + count;
  // Evenly spaced, but at places that no period of the elements has.
  const uint step = lines.size / count;
  for (uint i = 0; i < count; i++) from[i] = key_of(source[i * step + (uint)(i * 2654435769u >> 8) % step]);
  for (uint run = 1; run < count; run *= 2) {
    for (uint first = 0; first < count; first += 2 * run) {
      const uint middle = min(first + run, count);
      const uint end = min(middle + run, count);
      uint a = first;
      uint b = middle;
      for (uint i = first; i < end; i++)
        to[i] = b == end || (a < middle && !is_less(from[b], from[a])) ? from[a++] : from[b++];
    }
    __global key_t* const sorted = to;
    to = from;
    from = sorted;
  }
  __global key_t* const splitters = all_splitters + line * 256;
  uint own = 0;
#if DIGITS == 1
  while (own < 255) splitters[own++] = own + 1;
#endif
  for (uint i = SAMPLES; i < count && own < 255; i += SAMPLES) {
    const key_t key = from[i];
    if (own == 0 || is_less(splitters[own - 1], key)) {
      splitters[own++] = key;
    } else if (is_same(splitters[own - 1], key) && is_less(key, LAST_KEY)) {
      splitters[own++] = NEXT_KEY(key);
    }
  }
  __global ushort* const entries = all_entries + line * (INTERVALS + 1);
  entries[INTERVALS] = (ushort)own;
  const Plan plan = plan_of(splitters, entries);
  uint below = 0;
  for (uint interval = 0; interval < INTERVALS; interval++) {
    uint next = below;
    while (next < own && interval_of(splitters[next], plan.low, plan.shift) == interval) next++;
    entries[interval] = (ushort)(below | (next - below) << 8);
    below = next;
  }
}

/* Also notes the bucket of each element. */
__kernel void count(__global const item_t* const in, __global const key_t* const splitters,
                    __global const ushort* const entries, __global uchar* const all_numbers,
                    __global uint* const all_counts, const Lines lines, const ulong start) {
  const size_t line = get_global_id(0) / lines.chunks;
  const uint chunk = get_global_id(0) % lines.chunks;
  const Plan plan = plan_of(splitters + line * 256, entries + line * (INTERVALS + 1));
  __global const item_t* const source = in + start + line * lines.size;
  __global uchar* const numbers = all_numbers + line * lines.size;
  __global uint* const counts = all_counts + get_global_id(0) * 256;
  const uint from = chunk * lines.chunk;
  const uint end = min(from + lines.chunk, lines.size);
  // Two histograms, so that adjacent elements in the same bucket do not depend on each other.
  uint own[2][256];
  for (int b = 0; b < 256; b++) own[0][b] = own[1][b] = 0;
  uint i = from;
  for (; i + BLOCK <= end; i += BLOCK) {
    key_t keys[BLOCK];
    uint intervals[BLOCK];
    EACH for (int k = 0; k < BLOCK; k++) {
      keys[k] = key_of(source[i + k]);
      intervals[k] = interval_of(keys[k], plan.low, plan.shift);
    }
    for (int k = 0; k < BLOCK; k += 2) {
      const uint first = bucket_within(intervals[k], keys[k], plan);
      const uint second = bucket_within(intervals[k + 1], keys[k + 1], plan);
      numbers[i + k] = (uchar)first;
      numbers[i + k + 1] = (uchar)second;
      own[0][first]++;
      own[1][second]++;
    }
  }
  for (; i < end; i++) {
    const key_t key = key_of(source[i]);
    const uint first = bucket_within(interval_of(key, plan.low, plan.shift), key, plan);
    numbers[i] = (uchar)first;
    own[0][first]++;
  }
  for (int b = 0; b < 256; b++) counts[b] = own[0][b] + own[1][b];
}

#if HAS_GIVEN_PLACES
#define FIRST_PLACE(i) in_places[base + (i)]
#else
#define FIRST_PLACE(i) (place_t)(i)
#endif

/* Moves elements to their buckets in `out`, in the order of the line. Places of a bucket begin where its results will.
 */
__kernel void move(__global const item_t* const in, __global item_t* const out,
                   GIVEN_PLACES RESULTS __global const uchar* const all_numbers, __global const uint* const all_counts,
                   __global uint* const all_starts, const Lines lines, const ulong start) {
  const size_t line = get_global_id(0) / lines.chunks;
  const uint chunk = get_global_id(0) % lines.chunks;
  const size_t base = line * lines.size;
  __global const item_t* const source = in + start + base;
  __global item_t* const target = out + base;
  __global const uchar* const numbers = all_numbers + base;
  __global uint* const starts = all_starts + line * 257;
  // After lower buckets of all chunks, and after the same bucket of those before.
  uint at[256];
  uint first[256];
  for (int b = 0; b < 256; b++) first[b] = at[b] = 0;
  for (uint k = 0; k < lines.chunks; k++) {
    __global const uint* const counts = all_counts + (line * lines.chunks + k) * 256;
    if (k == chunk) {
      for (int b = 0; b < 256; b++) at[b] = first[b];
    }
    for (int b = 0; b < 256; b++) first[b] += counts[b];
  }
  uint sum = 0;
  for (int b = 0; b < 256; b++) {
    const uint total = first[b];
    first[b] = sum;
    at[b] += sum;
    if (chunk == 0) starts[b] = sum;
    sum += total;
  }
  if (chunk == 0) starts[256] = sum;
  const uint from = chunk * lines.chunk;
  const uint end = min(from + lines.chunk, lines.size);
#if HAS_PLACES
  __global place_t* const places = (__global place_t*)(results + base);
  for (uint i = from; i < end; i++) {
    const uint bucket = numbers[i];
    const uint to = at[bucket]++;
    target[to] = source[i];
    places[to + WIDENS * first[bucket]] = FIRST_PLACE(i);
  }
#else
  for (uint i = from; i < end; i++) target[at[numbers[i]]++] = source[i];
#endif
}

/* Digits of a radix sort have this many bits at most. */
#define DIGIT_BITS 11

/* Where a radix sort finds its elements: in the line, in their buckets, or where an earlier sort left them and their
 * results. */
#define IN_LINE 0
#define IN_BUCKET 1
#define IN_RESULTS 2

#if HAS_PLACES
#define OWN_RESULTS , __global result_t* const results
#define SORTED_RESULTS , to_results
#else
#define OWN_RESULTS
#define SORTED_RESULTS
#endif

/* Puts elements that are almost in order in order. Returns false if there are too many others: some are then still out
 * of order. */
bool insert_few(__global item_t* const items, const uint size OWN_RESULTS) {
  uint moves = 0;
  key_t before = key_of(items[0]);
  for (uint i = 1; i < size; i++) {
    const item_t item = items[i];
    const key_t key = key_of(item);
    if (!is_less(key, before)) {
      before = key;
      continue;
    }
#if HAS_PLACES
    const result_t result = results[i];
#endif
    uint at = i;
    do {
      items[at] = items[at - 1];
#if HAS_PLACES
      results[at] = results[at - 1];
#endif
      at--;
      moves++;
    } while (at > 0 && is_less(key, key_of(items[at - 1])));
    items[at] = item;
#if HAS_PLACES
    results[at] = result;
#endif
    if (moves > 2 * size) return false;
  }
  return true;
}

/*
 * One work-item for each bucket, which is in `out` if lines are divided into buckets; otherwise for each line. Two
 * passes sort by the upper bits, which leaves few elements out of order, if any.
 */
__kernel void sort(__global const item_t* const in, __global item_t* const out, __global item_t* const spare,
                   GIVEN_PLACES RESULTS SPARE_PLACES __global const key_t* const all_splitters,
                   __global const ushort* const all_entries, __global const uint* const all_starts, const Lines lines,
                   const ulong start) {
  int origin = lines.buckets > 1 ? IN_BUCKET : IN_LINE;
  const size_t line = origin == IN_BUCKET ? get_global_id(0) / 256 : get_global_id(0);
  const uint bucket = get_global_id(0) % 256;
  __global const uint* const starts = all_starts + line * 257 + bucket;
  const uint from = origin == IN_BUCKET ? starts[0] : 0;
  const uint size = origin == IN_BUCKET ? starts[1] - from : lines.size;
  if (size == 0) return;
  const size_t base = line * lines.size + from;
  __global item_t* const to_out = out + base;
  __global item_t* const to_spare = spare + base;
  __global const item_t* source = origin == IN_BUCKET ? to_out : in + start + base;
#if HAS_PLACES
  __global result_t* const to_results = (__global result_t*)results + base;
  __global place_t* const places_out = (__global place_t*)to_results;
  __global place_t* const places_spare = spare_places + base;
  __global const place_t* places = places_out;
#endif
  key_t low = LAST_KEY;
  key_t high = 0;
  if (origin == IN_BUCKET && bucket > 0 && bucket < all_entries[line * (INTERVALS + 1) + INTERVALS]) {
    __global const key_t* const splitters = all_splitters + line * 256 + bucket;
    low = splitters[-1];
    high = LAST_BEFORE(splitters[0]);
  } else {
    for (uint i = 0; i < size; i++) {
      const key_t key = key_of(source[i]);
      low = is_less(key, low) ? key : low;
      high = is_less(high, key) ? key : high;
    }
  }
  const uint width = is_same(low, high) ? 0 : width_between(low, high);
  // No more values of a digit than there are elements.
  const uint most = clamp(32u - (uint)clz(size), 4u, (uint)DIGIT_BITS);
  uint skipped = max((int)width - 2 * (int)most, 0);
  uint both[2][1 << DIGIT_BITS];
  for (;;) {
    uint passes = (width - skipped + most - 1) / most;
    // The last pass ends in `out`.
    if (origin != IN_LINE) passes += passes % 2;
    if (passes == 0) break;
    const uint bits = (width - skipped + passes - 1) / passes;
    const uint mask = (1u << bits) - 1;
    for (uint pass = 0; pass < passes; pass++) {
      const uint shift = skipped + pass * bits;
      const bool last = pass == passes - 1;
      const bool is_out = (passes - 1 - pass) % 2 == 0;
      __global item_t* const target = is_out ? to_out : to_spare;
      if (pass % 2 == 0) {
        for (uint d = 0; d <= mask; d++) both[0][d] = both[1][d] = 0;
        uint i = 0;
        for (; i + BLOCK <= size; i += BLOCK) {
          uint digits[2][BLOCK];
          EACH for (int k = 0; k < BLOCK; k++) {
            const key_t key = key_of(source[i + k]);
            digits[0][k] = bits_of(key, shift, mask);
            digits[1][k] = last ? 0 : bits_of(key, shift + bits, mask);
          }
          for (int k = 0; k < BLOCK; k++) {
            both[0][digits[0][k]]++;
            both[1][digits[1][k]]++;
          }
        }
        for (; i < size; i++) {
          const key_t key = key_of(source[i]);
          both[0][bits_of(key, shift, mask)]++;
          both[1][last ? 0 : bits_of(key, shift + bits, mask)]++;
        }
      }
      uint* const at = both[pass % 2];
      uint sum = 0;
      for (uint d = 0; d <= mask; d++) {
        const uint total = at[d];
        at[d] = sum;
        sum += total;
      }
#if HAS_PLACES
      __global place_t* const to_places = is_out ? places_out : places_spare;
      const bool stores = !last || lines.keeps_keys || skipped > 0;
      const bool numbered = pass == 0 && origin == IN_LINE;
      const bool found = pass == 0 && origin == IN_RESULTS;
      for (uint i = 0; i < size; i++) {
        const item_t item = source[i];
        const uint to = at[bits_of(key_of(item), shift, mask)]++;
        const place_t place = numbered ? FIRST_PLACE(i) : found ? (place_t)to_results[i] : places[i];
        if (stores) target[to] = item;
        if (last)
          to_results[to] = (result_t)place;
        else
          to_places[to] = place;
      }
      places = to_places;
#else
      for (uint i = 0; i < size; i++) {
        const item_t item = source[i];
        target[at[bits_of(key_of(item), shift, mask)]++] = item;
      }
#endif
      source = target;
    }
    if (skipped == 0 || insert_few(to_out, size SORTED_RESULTS)) return;
    skipped = 0;
    origin = IN_RESULTS;
  }
  // All keys are the same.
#if HAS_PLACES
  for (uint i = size; i-- > 0;) to_results[i] = (result_t)(origin == IN_LINE ? FIRST_PLACE(i) : places[i]);
#endif
  if (origin == IN_LINE) {
    for (uint i = 0; i < size; i++) to_out[i] = source[i];
  }
}
