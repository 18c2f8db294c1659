/**
 * Radix sort for GPUs: each line is divided into blocks, and each block is sorted by a work-group in local memory. One
 * pass over the elements counts all digits of their keys; then for each digit of 8 bits one pass reads and writes the
 * elements once. A work-group first sorts its elements by the digit, so that adjacent elements are written together. It
 * gets the counts of preceding blocks either by look-back or from a separate counting pass.
 */
import { keySource, keyTypeOf, type KeyPlan } from "./key-source.js";
import { type PlacePlan, placeTypes } from "./places.js";

/** How a work-group gets the counts of preceding blocks and the ranks of its work-items. */
export interface BlocksWay {
  /**
   * `look-back`: from blocks before that run at the same time, which needs groups to go on whatever others wait for. `counts`:
   * from a kernel that counted before.
   */
  readonly before: "look-back" | "counts";
  /** `warps`: 32 work-items in lockstep show each other their digits, in NVIDIA's PTX. `masks`: by way of local memory. */
  readonly ranks: "warps" | "masks";
}

/** What the text depends on. */
export interface BlocksPlan extends KeyPlan, BlocksWay {
  readonly places: PlacePlan;
}

/** Work-items of each group: one for each value of a digit. */
export const blocksGroup = 256;

/** Returns the number of elements of a block: as many as fit into 32 KiB of local memory together with the counts. */
export function blockSize({ dtype, places }: Pick<BlocksPlan, "dtype" | "places">): number {
  const width = Math.max(keyTypeOf(dtype).itemSize, places.kind === "none" ? 0 : places.type === "ulong" ? 8 : 4);
  return blocksGroup * (width <= 4 ? 16 : width === 8 ? 10 : 4);
}

/** The program of `histogram`, `plan` and `move`, and of `count` and `scan` where blocks are counted. */
export function blocksSource(given: BlocksPlan): string {
  const { places, before, ranks, ...keys } = given;
  const items = blockSize(given) / blocksGroup;
  return `${keySource(keys)}${placeTypes(places)}
#define ITEMS ${items}
#define BLOCK ${blockSize(given)}
#define GROUP __attribute__((reqd_work_group_size(256, 1, 1)))
${lines}
${histogram}
${plan}
${before === "counts" ? counting : ""}
${ranks === "warps" ? byWarps : byMasks}
${moving(given)}
`;
}

const lines = `
typedef struct {
  uint size;
  /* Number of blocks of a line. */
  uint blocks;
  /* Size and number of a line's parts for the histogram. */
  uint part;
  uint parts;
  int keeps_keys;
} Lines;

/* What is to be done in a pass: bits, and above them how many passes moved something before. */
#define MOVES 1
#define FIRST 2
#define LAST 4
#define TO_OUT 8
#define PASS_SHIFT 4

/* The sum of values of work-items before this one. */
uint sum_before(const uint value, __local uint *const sums) {
  const int item = (int)get_local_id(0);
  uint sum = value;
  sums[item] = sum;
  for (int step = 1; step < 256; step *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint before = item >= step ? sums[item - step] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += before;
    sums[item] = sum;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  return sum - value;
}
`;

/* How often each value of each digit occurs. */
const histogram = `
__kernel GROUP void histogram(__global const item_t *const in, __global uint *const totals, const Lines lines,
                              const ulong start) {
  __local uint own[DIGITS * 256];
  const uint item = get_local_id(0);
  const size_t line = get_group_id(0) / lines.parts;
  const uint from = get_group_id(0) % lines.parts * lines.part;
  const uint end = min(from + lines.part, lines.size);
  __global const item_t *const source = in + start + line * lines.size;
  for (int j = item; j < DIGITS * 256; j += 256) own[j] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  // Four loads are in flight.
  uint i = from + item;
  for (; i + 3 * 256 < end; i += 4 * 256) {
    const key_t keys[4] = {key_of(source[i]), key_of(source[i + 256]), key_of(source[i + 512]), key_of(source[i + 768])};
#pragma unroll
    for (int k = 0; k < 4; k++) {
#pragma unroll
      for (int digit = 0; digit < DIGITS; digit++) atomic_inc(own + digit * 256 + digit_of(keys[k], digit));
    }
  }
  for (; i < end; i += 256) {
    const key_t key = key_of(source[i]);
    for (int digit = 0; digit < DIGITS; digit++) atomic_inc(own + digit * 256 + digit_of(key, digit));
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int j = item; j < DIGITS * 256; j += 256) {
    if (own[j] != 0) atomic_add(totals + line * (DIGITS * 256) + j, own[j]);
  }
}
`;

/*
 * Totals become the places of the first element of each digit, and it is found which passes move anything: elements go from
 * \`in\` by way of \`out\` and \`spare\` such that the last of those ends in \`out\`.
 */
const plan = `
__kernel GROUP void plan(__global uint *const totals, __global uint *const steps, const Lines lines) {
  __local uint sums[256];
  __local int moves[DIGITS];
  const uint item = get_local_id(0);
  const size_t line = get_group_id(0);
  __global uint *const own = totals + line * (DIGITS * 256);
  if (item < DIGITS) moves[item] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int digit = 0; digit < DIGITS; digit++) {
    const uint total = own[digit * 256 + item];
    if (total == lines.size) moves[digit] = 0;
    own[digit * 256 + item] = sum_before(total, sums);
  }
  if (item == 0) {
    int all = 0;
    for (int digit = 0; digit < DIGITS; digit++) all += moves[digit];
    // Keys that are all the same are moved, too.
    if (all == 0) {
      moves[0] = 1;
      all = 1;
    }
    int before = 0;
    for (int digit = 0; digit < DIGITS; digit++) {
      const int to_out = ((all - 1 - before) & 1) == 0;
      steps[line * DIGITS + digit] = (moves[digit] ? MOVES : 0) | (before == 0 ? FIRST : 0) |
                                     (before == all - 1 ? LAST : 0) | (to_out ? TO_OUT : 0) | before << PASS_SHIFT;
      before += moves[digit];
    }
  }
}
`;

/* How many of each digit a block has, and how many the blocks before it have. */
const counting = `
__kernel GROUP void count(__global const item_t *const in, __global const item_t *const out,
                          __global const item_t *const spare, __global const uint *const steps,
                          __global uint *const counts, const Lines lines, const ulong start, const int pass) {
  __local uint own[256];
  const uint item = get_local_id(0);
  const size_t line = get_group_id(0) / lines.blocks;
  const uint block = get_group_id(0) % lines.blocks;
  const uint step = steps[line * DIGITS + pass];
  if ((step & MOVES) == 0) return;
  __global const item_t *const source =
      ((step & FIRST) != 0 ? in + start : (step & TO_OUT) != 0 ? spare : out) + line * lines.size;
  const uint from = block * BLOCK;
  const uint end = min(from + BLOCK, lines.size);
  own[item] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = from + item; i < end; i += 256) atomic_inc(own + digit_of(key_of(source[i]), pass));
  barrier(CLK_LOCAL_MEM_FENCE);
  counts[(line * 256 + item) * lines.blocks + block] = own[item];
}

/* A group for each digit of each line. */
__kernel GROUP void scan(__global const uint *const steps, __global uint *const counts, const Lines lines, const int pass) {
  __local uint sums[256];
  const uint item = get_local_id(0);
  if ((steps[get_group_id(0) / 256 * DIGITS + pass] & MOVES) == 0) return;
  __global uint *const own = counts + get_group_id(0) * (size_t)lines.blocks;
  uint before = 0;
  for (uint first = 0; first < lines.blocks; first += 256) {
    const uint at = first + item;
    const uint value = at < lines.blocks ? own[at] : 0;
    const uint offset = before + sum_before(value, sums);
    if (at < lines.blocks) own[at] = offset;
    before += sums[255];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
`;

/* Each gives how many work-items of the same 32 before this one have its digit, and counts those of all. */
const byWarps = `
#define SYNC_WARP() asm volatile("bar.warp.sync 0xffffffff;" ::: "memory")
uint rank_of(const uint digit, volatile __local uint *const counts, volatile __local uint *const masks) {
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
`;

const byMasks = `
uint rank_of(const uint digit, volatile __local uint *const counts, volatile __local uint *const masks) {
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
`;

/*
 * What a block leaves for those behind it is one word for each digit: 30 bits of a count, and above them what it is. Only
 * blocks that have begun are waited for, since each takes its number when it begins. Two such lists take turns: the one of the
 * pass before is cleared for the next.
 */
const lookBack = `
#define OWN_COUNT 0x40000000u
#define COUNT_TO_HERE 0x80000000u
#define COUNT_BITS 0x3fffffffu
uint look_back(volatile __global uint *const words, const uint block, const uint count) {
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
`;

function moving({ places, before, ranks, dtype }: BlocksPlan): string {
  const withPlaces = places.kind !== "none";
  const looks = before === "look-back";
  const bytes = Math.max(keyTypeOf(dtype).itemSize, withPlaces ? (places.type === "ulong" ? 8 : 4) : 0);
  const parameters = [
    "__global const item_t *const in",
    "__global item_t *const out",
    "__global item_t *const spare",
    ...(places.kind === "given" ? ["__global const place_t *const in_places"] : []),
    ...(withPlaces ? ["__global result_t *const results", "__global place_t *const spare_places"] : []),
    "__global const uint *const bases",
    "__global const uint *const steps",
    ...(looks
      ? ["volatile __global uint *const tickets", "__global uint *const words", "__global uint *const other_words"]
      : ["__global const uint *const counts"]),
    "const Lines lines",
    "const ulong start",
    "const int pass",
    ...(looks ? ["const ulong words_start"] : []),
  ];
  const takeNumber = looks
    ? `  __local uint number;
  if (item == 0) number = atomic_inc(tickets + pass);
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint group = number;`
    : "  const uint group = get_group_id(0);";
  const learn = looks
    ? `  const bool odd = (step >> PASS_SHIFT & 1) != 0;
  volatile __global uint *const own = (odd ? other_words : words + words_start) + line * lines.blocks * 256 + item;
  __global uint *const cleared = (odd ? words + words_start : other_words) + line * lines.blocks * 256 + item;
  cleared[(size_t)block * 256] = 0;
  own[(size_t)block * 256] = (block == 0 ? COUNT_TO_HERE : OWN_COUNT) | counted;
  const uint first = sum_before(total, sums);
  const uint before = look_back(own, block, counted);`
    : `  const uint first = sum_before(total, sums);
  const uint before = counts[(line * 256 + item) * lines.blocks + block];`;
  return `${looks ? lookBack : ""}
__kernel GROUP void move(${parameters.join(",\n                         ")}) {
  __local uint warp_counts[8 * 256];
  __local uint sums[256];
  __local uint to[256];
  __local ${bytes === 16 ? "ulong2" : bytes === 8 ? "ulong" : "uint"} moved[BLOCK];
  const uint item = get_local_id(0);
${takeNumber}
  const size_t line = group / lines.blocks;
  const uint block = group % lines.blocks;
  const uint step = steps[line * DIGITS + pass];
  if ((step & MOVES) == 0) return;
  const size_t base = line * lines.size;
  const uint from = block * BLOCK;
  const uint count = min((uint)BLOCK, lines.size - from);
  __global const item_t *const source =
      ((step & FIRST) != 0 ? in + start : (step & TO_OUT) != 0 ? spare : out) + base + from;
  __global item_t *const target = ((step & TO_OUT) != 0 ? out : spare) + base;
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
    ${ranks === "masks" ? "((__local uint *)moved)[j] = 0;" : ""}
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint warp = item / 32 * 256;
#pragma unroll
  for (int k = 0; k < ITEMS; k++) ranks[k] = rank_of(digits[k], warp_counts + warp, ${ranks === "masks" ? "(__local uint *)moved + warp" : "warp_counts"});
  barrier(CLK_LOCAL_MEM_FENCE);
  // A work-item for each digit: how many the warps before have, and the blocks before.
  uint total = 0;
  for (int k = 0; k < 8; k++) {
    const uint own_count = warp_counts[k * 256 + item];
    warp_counts[k * 256 + item] = total;
    total += own_count;
  }
  const uint counted = item == 255 ? total - (BLOCK - count) : total;
${learn}
  to[item] = bases[(line * DIGITS + pass) * 256 + item] + before - first;
  for (int k = 0; k < 8; k++) warp_counts[k * 256 + item] += first;
  barrier(CLK_LOCAL_MEM_FENCE);
  __local item_t *const moved_items = (__local item_t *)moved;
#pragma unroll
  for (int k = 0; k < ITEMS; k++) {
    ranks[k] += warp_counts[warp + digits[k]];
    moved_items[ranks[k]] = items[k];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
${
  withPlaces
    ? storesWithPlaces(places)
    : `#pragma unroll
  for (int k = 0; k < ITEMS; k++) {
    const uint at = item + 256 * k;
    if (at < count) {
      const item_t one = moved_items[at];
      target[to[digit_of(key_of(one), pass)] + at] = one;
    }
  }`
}
}
`;
}

/*
 * Before the last pass the memory of a line's results is that of places, which are no wider. In the last one the keys are only
 * stored if somebody wants them.
 */
const storesWithPlaces = ({ kind }: PlacePlan): string => `  __global result_t *const to_results = results + base;
  __global place_t *const out_places = (__global place_t *)to_results;
  __global const place_t *const places = ((step & TO_OUT) != 0 ? spare_places + base : out_places) + from;
  __global place_t *const to_places = (step & TO_OUT) != 0 ? out_places : spare_places + base;
  const bool stores = (step & LAST) == 0 || lines.keeps_keys != 0;
  __local place_t *const moved_places = (__local place_t *)moved;
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
      moved_places[ranks[k]] = (step & FIRST) == 0 ? places[at] : ${kind === "given" ? "in_places[base + from + at]" : "(place_t)(from + at)"};
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (int k = 0; k < ITEMS; k++) {
    const uint at = item + 256 * k;
    if (at < count) {
      if ((step & LAST) != 0) to_results[digits[k]] = (result_t)moved_places[at];
      else to_places[digits[k]] = moved_places[at];
    }
  }`;
