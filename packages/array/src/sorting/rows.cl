// Sorting of lines short enough to be sorted in one kernel. On a CPU each work-item sorts some lines by insertion or by
// digits. On a GPU a work-group sorts as many lines as fit into its local memory by a bitonic network; ties are broken
// by index, so the sort is stable. Depends on key.cl.
//   GROUP, SIZED: work-items of a group, or 1 on CPUs, and the attribute of the kernel
//   MOST: the longest line
//   HAS_PLACES, HAS_GIVEN_PLACES: whether places are moved with the keys, and whether they are those of an array
//   GIVEN_PLACES, RESULTS: the parameters for places and their results; each may be nothing
//   PLACE, RESULT: the types in which places are moved, and in which they come out

typedef PLACE place_t;
typedef RESULT result_t;

#if HAS_GIVEN_PLACES
#define PLACE_OF(place) in_places[base + place]
#else
#define PLACE_OF(place) place
#endif
#if HAS_PLACES
#define STORE(at, place) \
  if (keeps_keys) out[at] = source[place]; \
  results[at] = (result_t)PLACE_OF(place);
#else
#define STORE(at, place) \
  if (keeps_keys) out[at] = source[place];
#endif
#if GROUP == 1

typedef struct {
  key_t key;
  uint place;
} Item;

/* By inserting each behind all that are not behind it. */
void insert_all(Item* const items, const uint size) {
  for (uint i = 1; i < size; i++) {
    const Item item = items[i];
    uint at = i;
    for (; at > 0 && is_less(item.key, items[at - 1].key); at--) items[at] = items[at - 1];
    items[at] = item;
  }
}

/* By digits, from the lowest; those that are all the same are left out. Gives where the items are. */
Item* sort_digits(Item* items, Item* spare, const uint size) {
  for (int digit = 0; digit < DIGITS; digit++) {
    uint at[256];
    for (int d = 0; d < 256; d++) at[d] = 0;
    for (uint i = 0; i < size; i++) at[digit_of(items[i].key, digit)]++;
    if (at[digit_of(items[0].key, digit)] == size) continue;
    uint sum = 0;
    for (int d = 0; d < 256; d++) {
      const uint count = at[d];
      at[d] = sum;
      sum += count;
    }
    for (uint i = 0; i < size; i++) spare[at[digit_of(items[i].key, digit)]++] = items[i];
    Item* const other = items;
    items = spare;
    spare = other;
  }
  return items;
}
#endif

__kernel SIZED void rows(__global const item_t* const in, __global item_t* const out,
                         GIVEN_PLACES RESULTS const ulong start, const ulong lines, const uint size, const uint share,
                         const int keeps_keys) {
#if GROUP > 1
  /* `share` lines of a power of two of items each, all of which fill the local memory. */
  __local key_t keys[MOST];
  __local ushort own[MOST];
  const uint item = get_local_id(0);
  const uint width = MOST / share;
  const ulong first = get_group_id(0) * (ulong)share;
  // Those that there are not come behind all others: their places are larger.
  const uint count = (uint)min((ulong)share, lines - first) * width;
  for (uint j = item; j < count; j += GROUP) {
    const uint place = j & (width - 1);
    own[j] = (ushort)place;
    keys[j] = place < size ? key_of(in[start + (first + j / width) * size + place]) : LAST_KEY;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint span = 2; span <= width; span *= 2) {
    for (uint distance = span / 2; distance > 0; distance /= 2) {
      for (uint pair = item; pair < count / 2; pair += GROUP) {
        // The first step of each span meets from both ends, so that all are ordered the same way.
        const uint low = 2 * (pair - (pair & (distance - 1))) + (pair & (distance - 1));
        const uint high = distance == span / 2 ? low ^ (span - 1) : low + distance;
        const key_t a = keys[low];
        const key_t b = keys[high];
        const ushort place_a = own[low];
        const ushort place_b = own[high];
        if (is_less(b, a) || (is_same(a, b) && place_b < place_a)) {
          keys[low] = b;
          keys[high] = a;
          own[low] = place_b;
          own[high] = place_a;
        }
      }
      barrier(CLK_LOCAL_MEM_FENCE);
    }
  }
  for (uint j = item; j < count; j += GROUP) {
    const uint at = j & (width - 1);
    if (at < size) {
      const ulong base = (first + j / width) * size;
      __global const item_t* const source = in + start + base;
      STORE(base + at, own[j])
    }
  }
#else
  Item items[MOST];
  Item spare[MOST];
  const ulong end = min((get_global_id(0) + 1) * (ulong)share, lines);
  for (ulong line = get_global_id(0) * (ulong)share; line < end; line++) {
    const ulong base = line * size;
    __global const item_t* const source = in + start + base;
    for (uint i = 0; i < size; i++) {
      items[i].key = key_of(source[i]);
      items[i].place = i;
    }
    Item* sorted = items;
    if (size <= 48)
      insert_all(items, size);
    else
      sorted = sort_digits(items, spare, size);
    for (uint i = 0; i < size; i++) {
      STORE(base + i, sorted[i].place)
    }
  }
#endif
}
