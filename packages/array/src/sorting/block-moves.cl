// Moves the elements of a block: a work-group first sorts them by the digit, so that adjacent elements are written
// together. Depends on blocks.cl.
//   ITEMS, BLOCK: elements of a work-item and of a block
//   WARPS: whether 32 work-items in lockstep show each other their digits, in NVIDIA's PTX; otherwise in local memory
//   LOOKS_BACK: whether counts of preceding blocks come from blocks that run at the same time; otherwise from `count`
//   COUNTS, WORDS_START: the parameters for these counts
//   WIDEST: an integer as wide as the widest of what is moved
//   HAS_PLACES, HAS_GIVEN_PLACES: whether places are moved with the keys, and whether they are those of an array
//   GIVEN_PLACES, RESULTS, SPARE_PLACES: the parameters for places, their results, and scratch memory; each may be
//   nothing PLACE, RESULT: the types in which places are moved, and in which they come out

typedef PLACE place_t;
typedef RESULT result_t;

/* Each gives how many work-items of the same 32 before this one have its digit, and adds those of all to the count. */
#if WARPS
#define MASKS warp_counts
uint rank_of(const uint digit, volatile __local uint* const counts, volatile __local uint* const masks) {
  const uint lane = get_local_id(0) & 31;
  uint peers = ~0u;
#pragma unroll
  for (int bit = 0; bit < 8; bit++) {
    uint same;
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, 0xffffffff; @!p not.b32 %0, %0; }"
                 : "=r"(same)
                 : "r"(digit >> bit & 1u));
    peers &= same;
  }
  const uint before = counts[digit];
  SYNC_WARP();
  const uint rank = popcount(peers & ((1u << lane) - 1));
  if (rank == 0) counts[digit] = before + popcount(peers);
  SYNC_WARP();
  return before + rank;
}
#else
#define MASKS (__local uint*)moved + warp
uint rank_of(const uint digit, volatile __local uint* const counts, volatile __local uint* const masks) {
  const uint lane = get_local_id(0) & 31;
  atomic_or(masks + digit, 1u << lane);
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint peers = masks[digit];
  const uint before = counts[digit];
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint rank = popcount(peers & ((1u << lane) - 1));
  if (rank == 0) {
    counts[digit] = before + popcount(peers);
    masks[digit] = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  return before + rank;
}
#endif

#if LOOKS_BACK
/*
 * What a block leaves for those behind it is one word for each digit: 30 bits of a count, and above them what it is.
 * Only blocks that have begun are waited for, since each takes its number when it begins. Two such lists take turns:
 * the one of the pass before is cleared for the next.
 */
#define OWN_COUNT 0x40000000u
#define COUNT_TO_HERE 0x80000000u
#define COUNT_BITS 0x3fffffffu
uint look_back(volatile __global uint* const words, const uint block, const uint count) {
  uint before = 0;
  for (size_t at = block; at > 0;) {
    const uint word = words[(at - 1) * 256];
    if (word == 0) continue;
    before += word & COUNT_BITS;
    if ((word & COUNT_TO_HERE) != 0) break;
    at--;
  }
  if (block > 0) words[(size_t)block * 256] = COUNT_TO_HERE | (before + count);
  return before;
}
#endif

#if HAS_GIVEN_PLACES
#define FIRST_PLACE in_places[base + from + at]
#else
#define FIRST_PLACE (place_t)(from + at)
#endif

__kernel GROUP void move(__global const item_t* const in, __global item_t* const out, __global item_t* const spare,
                         GIVEN_PLACES RESULTS SPARE_PLACES __global const uint* const bases,
                         __global const uint* const steps, COUNTS const Lines lines, const ulong start,
                         const int pass WORDS_START) {
  __local uint warp_counts[8 * 256];
  __local uint sums[256];
  __local uint to[256];
  __local WIDEST moved[BLOCK];
  const uint item = get_local_id(0);
#if LOOKS_BACK
  __local uint number;
  if (item == 0) number = atomic_inc(tickets + pass);
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint group = number;
#else
  const uint group = get_group_id(0);
#endif
  const size_t line = group / lines.blocks;
  const uint block = group % lines.blocks;
  const uint step = steps[line * DIGITS + pass];
  if ((step & MOVES) == 0) return;
  const size_t base = line * lines.size;
  const uint from = block * BLOCK;
  const uint count = min((uint)BLOCK, lines.size - from);
  __global const item_t* const source = ((step & FIRST) != 0    ? in + start
                                         : (step & TO_OUT) != 0 ? spare
                                                                : out) +
                                        base + from;
  __global item_t* const target = ((step & TO_OUT) != 0 ? out : spare) + base;
  // Each warp has a contiguous range, of which each work-item has every 32nd element.
  const uint mine = item / 32 * (32 * ITEMS) + item % 32;
  item_t items[ITEMS];
  uint digits[ITEMS];
  uint ranks[ITEMS];
#pragma unroll
  for (int k = 0; k < ITEMS; k++) {
    const uint at = mine + 32 * k;
    // What is beyond the end comes behind all others.
    items[k] = at < count ? source[at] : (item_t)(0);
    digits[k] = at < count ? digit_of(key_of(items[k]), pass) : 255;
  }
  for (uint j = item; j < 8 * 256; j += 256) {
    warp_counts[j] = 0;
#if !WARPS
    ((__local uint*)moved)[j] = 0;
#endif
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint warp = item / 32 * 256;
  // Digits are counted before ranks are found, so that the blocks behind this one learn the counts early.
#pragma unroll
  for (int k = 0; k < ITEMS; k++) atomic_inc(warp_counts + warp + digits[k]);
  barrier(CLK_LOCAL_MEM_FENCE);
  // A work-item for each digit from here on.
  uint total = 0;
  for (int k = 0; k < 8; k++) total += warp_counts[k * 256 + item];
  const uint counted = item == 255 ? total - (BLOCK - count) : total;
#if LOOKS_BACK
  const bool odd = (step >> PASS_SHIFT & 1) != 0;
  volatile __global uint* const own = (odd ? other_words : words + words_start) + line * lines.blocks * 256 + item;
  __global uint* const cleared = (odd ? words + words_start : other_words) + line * lines.blocks * 256 + item;
  cleared[(size_t)block * 256] = 0;
  own[(size_t)block * 256] = (block == 0 ? COUNT_TO_HERE : OWN_COUNT) | counted;
#endif
  const uint first = sum_before(total, sums);
  uint next = first;
  for (int k = 0; k < 8; k++) {
    const uint own_count = warp_counts[k * 256 + item];
    warp_counts[k * 256 + item] = next;
    next += own_count;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (int k = 0; k < ITEMS; k++) ranks[k] = rank_of(digits[k], warp_counts + warp, MASKS);
#if LOOKS_BACK
  const uint before = look_back(own, block, counted);
#else
  const uint before = counts[(line * 256 + item) * lines.blocks + block];
#endif
  to[item] = bases[(line * DIGITS + pass) * 256 + item] + before - first;
  __local item_t* const moved_items = (__local item_t*)moved;
#pragma unroll
  for (int k = 0; k < ITEMS; k++) moved_items[ranks[k]] = items[k];
  barrier(CLK_LOCAL_MEM_FENCE);
#if HAS_PLACES
  /* Before the last pass the memory of a line's results is that of places, which are no wider. In the last one the keys
     are only stored if somebody wants them. */
  __global result_t* const to_results = results + base;
  __global place_t* const out_places = (__global place_t*)to_results;
  __global const place_t* const places = ((step & TO_OUT) != 0 ? spare_places + base : out_places) + from;
  __global place_t* const to_places = (step & TO_OUT) != 0 ? out_places : spare_places + base;
  const bool stores = (step & LAST) == 0 || lines.keeps_keys != 0;
  __local place_t* const moved_places = (__local place_t*)moved;
#pragma unroll
  for (int k = 0; k < ITEMS; k++) {
    const uint at = item + 256 * k;
    if (at < count) {
      const item_t one = moved_items[at];
      digits[k] = to[digit_of(key_of(one), pass)] + at;
      if (stores) target[digits[k]] = one;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (int k = 0; k < ITEMS; k++) {
    const uint at = mine + 32 * k;
    if (at < count) {
      moved_places[ranks[k]] = (step & FIRST) == 0 ? places[at] : FIRST_PLACE;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (int k = 0; k < ITEMS; k++) {
    const uint at = item + 256 * k;
    if (at < count) {
      if ((step & LAST) != 0)
        to_results[digits[k]] = (result_t)moved_places[at];
      else
        to_places[digits[k]] = moved_places[at];
    }
  }
#else
#pragma unroll
  for (int k = 0; k < ITEMS; k++) {
    const uint at = item + 256 * k;
    if (at < count) {
      const item_t one = moved_items[at];
      target[to[digit_of(key_of(one), pass)] + at] = one;
    }
  }
#endif
}
