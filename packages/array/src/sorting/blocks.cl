// Radix sort for GPUs: each line is divided into blocks, and each block is sorted by a work-group in local memory. One
// pass over the elements counts all digits of their keys; then for each digit of 8 bits one pass reads and writes the
// elements once. This file has what is done once for each line. Depends on key.cl.
//   WARPS: whether 32 work-items run in lockstep, which NVIDIA's PTX can ask for

#define GROUP __attribute__((reqd_work_group_size(256, 1, 1)))

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

#if WARPS
#define SYNC_WARP() asm volatile("bar.warp.sync 0xffffffff;" ::: "memory")
#else
#define SYNC_WARP() barrier(CLK_LOCAL_MEM_FENCE)
#endif

/* The sum of values of work-items before this one: first among the same 32, then of all 32 before those. After the
   next barrier `sums` may be written again. */
uint sum_before(const uint value, __local uint* const sums) {
  const int item = (int)get_local_id(0);
  const int lane = item & 31;
  uint sum = value;
  sums[item] = sum;
  for (int step = 1; step < 32; step *= 2) {
    SYNC_WARP();
    const uint before = lane >= step ? sums[item - step] : 0;
    SYNC_WARP();
    sum += before;
    sums[item] = sum;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int last = 31; last < item - lane; last += 32) sum += sums[last];
  return sum - value;
}

/* How often each value of each digit occurs. */
__kernel GROUP void histogram(__global const item_t* const in, __global uint* const totals, const Lines lines,
                              const ulong start) {
  __local uint own[DIGITS * 256];
  const uint item = get_local_id(0);
  const size_t line = get_group_id(0) / lines.parts;
  const uint from = get_group_id(0) % lines.parts * lines.part;
  const uint end = min(from + lines.part, lines.size);
  __global const item_t* const source = in + start + line * lines.size;
  for (int j = item; j < DIGITS * 256; j += 256) own[j] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  // Four loads are in flight.
  uint i = from + item;
  for (; i + 3 * 256 < end; i += 4 * 256) {
    const key_t keys[4] = {key_of(source[i]), key_of(source[i + 256]), key_of(source[i + 512]),
                           key_of(source[i + 768])};
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

/*
 * Totals become the places of the first element of each digit, and it is found which passes move anything: elements go
 * from `in` by way of `out` and `spare` such that the last of those ends in `out`.
 */
__kernel GROUP void plan(__global uint* const totals, __global uint* const steps, const Lines lines) {
  __local uint sums[256];
  __local int moves[DIGITS];
  const uint item = get_local_id(0);
  const size_t line = get_group_id(0);
  __global uint* const own = totals + line * (DIGITS * 256);
  if (item < DIGITS) moves[item] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int digit = 0; digit < DIGITS; digit++) {
    const uint total = own[digit * 256 + item];
    if (total == lines.size) moves[digit] = 0;
    own[digit * 256 + item] = sum_before(total, sums);
    barrier(CLK_LOCAL_MEM_FENCE);
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
