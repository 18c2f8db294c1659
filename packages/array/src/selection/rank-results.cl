// Writes what is selected by rank. Depends on rank.cl.

/* All up to the one rank of each line, in any order, but what is equal in its own. */
__kernel void take_first(__global const item_t* const in, __global const uint* const all_left,
                         __global const key_t* const prefixes, __global const uint* const all_less,
                         __global const uint* const all_same, __global item_t* const out, __global uint* const places,
                         const Lines lines, const ulong start) {
  const size_t line = get_global_id(0) / lines.chunks;
  const uint chunk = get_global_id(0) % lines.chunks;
  __global const item_t* const source = in + start + line * lines.size;
  __global const uint* const less = all_less + line * (lines.chunks + 1);
  const key_t last = prefixes[line];
  const uint count = less[lines.chunks] + all_left[line] + 1;
  uint at = less[chunk];
  uint tie = less[lines.chunks] + all_same[line * (lines.chunks + 1) + chunk];
  const size_t from = (size_t)chunk * lines.chunk;
  const size_t end = min(from + lines.chunk, (size_t)lines.size);
  for (size_t i = from; i < end; i++) {
    const item_t item = source[i];
    const key_t key = key_of(item);
    if (key > last || (key == last && tie >= count)) continue;
    const size_t to = line * count + (key == last ? tie++ : at++);
    out[to] = item;
    places[to] = (uint)i;
  }
}

/* The elements before the key of the rank, those equal to it, and those after it, each in their original order. The
   place is found without a branch, which would be guessed wrong. */
#define DIVIDING(name, type, value) \
  __kernel void name(__global const item_t* const in, __global const key_t* const prefixes, \
                     __global const uint* const all_less, __global const uint* const all_same, \
                     __global type* const out, const Lines lines, const ulong start) { \
    const size_t line = get_global_id(0) / lines.chunks; \
    const uint chunk = get_global_id(0) % lines.chunks; \
    __global const item_t* const source = in + start + line * lines.size; \
    __global type* const target = out + line * lines.size; \
    __global const uint* const less = all_less + line * (lines.chunks + 1); \
    __global const uint* const same = all_same + line * (lines.chunks + 1); \
    const key_t middle = prefixes[line]; \
    const size_t from = (size_t)chunk * lines.chunk; \
    const size_t end = min(from + lines.chunk, (size_t)lines.size); \
    uint at[3]; \
    at[0] = less[chunk]; \
    at[1] = less[lines.chunks] + same[chunk]; \
    at[2] = less[lines.chunks] + same[lines.chunks] + (uint)from - less[chunk] - same[chunk]; \
    for (size_t i = from; i < end; i++) { \
      const key_t key = key_of(source[i]); \
      target[at[(key >= middle) + (key > middle)]++] = value; \
    } \
  }
DIVIDING(divide, item_t, source[i])
DIVIDING(divide_places, long, (long)i)

/* The element of each rank: of those whose keys are the same, the one that a sort would put there. */
__kernel void take_each(__global const item_t* const in, __global const uint* const all_left,
                        __global const key_t* const prefixes, __global const uint* const all_same,
                        __global item_t* const out, const Lines lines, const ulong start) {
  const size_t line = get_global_id(0) / lines.ranks;
  __global const item_t* const source = in + start + line * lines.size;
  __global const uint* const same = all_same + get_global_id(0) * (lines.chunks + 1);
  const key_t key = prefixes[get_global_id(0)];
  uint left = all_left[get_global_id(0)];
  uint chunk = 0;
  while (chunk + 1 < lines.chunks && same[chunk + 1] <= left) chunk++;
  left -= same[chunk];
  const size_t end = min((size_t)(chunk + 1) * lines.chunk, (size_t)lines.size);
  for (size_t i = (size_t)chunk * lines.chunk; i < end; i++) {
    if (key_of(source[i]) != key || left-- > 0) continue;
    out[get_global_id(0)] = source[i];
    return;
  }
}
