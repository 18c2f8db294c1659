// How many of each digit a block has, and how many the blocks before it have. Depends on blocks.cl.
//   BLOCK: elements of a block

__kernel GROUP void count(__global const item_t* const in, __global const item_t* const out,
                          __global const item_t* const spare, __global const uint* const steps,
                          __global uint* const counts, const Lines lines, const ulong start, const int pass) {
  __local uint own[256];
  const uint item = get_local_id(0);
  const size_t line = get_group_id(0) / lines.blocks;
  const uint block = get_group_id(0) % lines.blocks;
  const uint step = steps[line * DIGITS + pass];
  if ((step & MOVES) == 0) return;
  __global const item_t* const source = ((step & FIRST) != 0    ? in + start
                                         : (step & TO_OUT) != 0 ? spare
                                                                : out) +
                                        line * lines.size;
  const uint from = block * BLOCK;
  const uint end = min(from + BLOCK, lines.size);
  own[item] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = from + item; i < end; i += 256) atomic_inc(own + digit_of(key_of(source[i]), pass));
  barrier(CLK_LOCAL_MEM_FENCE);
  counts[(line * 256 + item) * lines.blocks + block] = own[item];
}

/* A group for each digit of each line. */
__kernel GROUP void scan(__global const uint* const steps, __global uint* const counts, const Lines lines,
                         const int pass) {
  __local uint sums[256];
  __local uint all;
  const uint item = get_local_id(0);
  if ((steps[get_group_id(0) / 256 * DIGITS + pass] & MOVES) == 0) return;
  __global uint* const own = counts + get_group_id(0) * (size_t)lines.blocks;
  uint before = 0;
  for (uint first = 0; first < lines.blocks; first += 256) {
    const uint at = first + item;
    const uint value = at < lines.blocks ? own[at] : 0;
    const uint offset = before + sum_before(value, sums);
    if (at < lines.blocks) own[at] = offset;
    if (item == 255) all = offset + value;
    barrier(CLK_LOCAL_MEM_FENCE);
    before = all;
  }
}
