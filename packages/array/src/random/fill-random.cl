// Draws elements of a distribution with a fixed number of results per block. Depends on random-block.cl, and on the
// function `numbers` of the distribution.
//   T, V, P: the types of elements in memory, of numbers, and of the parameters p to r
//   COUNT: numbers of a block
//   NUMBERS, ADDRESSES: the variables v0 ... of these numbers, and their addresses
//   HAS_WHOLE(out): whether blocks can be stored in one piece in this memory
//   STORE_WHOLE(at): the statement that stores all variables
//   STORE_WANTED(at): the statements that store those that `IS_WANTED(k)`
//   LOOPS: whether a work-item has a part of the blocks, eight at a time; otherwise it has some blocks of its group
//   BLOCKS_OF_ITEM: how many blocks that are
//   TURN_LANES, STORE_LANES(to): the statements that bring vectors of eight blocks into order, and store them

// All numbers of a block, which can be stored in one piece.
void store_whole(__global T* const out, const long at, const uint4 words, const P p, const P q, const P r) {
  V NUMBERS;
  numbers(words.x, words.y, words.z, words.w, p, q, r, ADDRESSES);
  STORE_WHOLE(at)
}

#define IS_WANTED(k) (first + k >= by->skip && first + k < by->end)

// Those numbers of a block that are wanted.
void store_block(__global T* const out, const Stream* const by, const long block, const P p, const P q, const P r) {
  const uint4 words = random_block(by, (ulong)block);
  const long first = block * COUNT;
  const long at = by->base + first;
  if (by->aligned && HAS_WHOLE(out) && first >= by->skip && first + COUNT <= by->end) {
    store_whole(out, at, words, p, q, r);
    return;
  }
  V NUMBERS;
  numbers(words.x, words.y, words.z, words.w, p, q, r, ADDRESSES);
  STORE_WANTED(at)
}

#if LOOPS
__kernel void fill_random(__global T* const out, const Stream by, const P p, const P q, const P r) {
  const long units = (by.blocks + 7) / 8;
  const long start = units * (long)get_global_id(0) / (long)get_global_size(0) * 8;
  const long end = min(units * (long)(get_global_id(0) + 1) / (long)get_global_size(0) * 8, by.blocks);
  // The upper half of the counter stays what it is: what depends on nothing else is computed once.
  const ulong high = by.high;
  const uint key[4] = {by.key[0], by.key[1], by.key[2], by.key[3]};
  const ulong8 steps = (ulong8)(0, 1, 2, 3, 4, 5, 6, 7);
  long block = start;
  // One by one where memory begins and ends.
  if (block < end && by.skip > 0 && block == 0) store_block(out, &by, block++, p, q, r);
  for (const long whole = min(end, by.whole); block + 8 <= whole; block += 8) {
    uint8 words[4];
    random_lanes(words, by.low + (ulong)block + steps, high, key);
    LANES NUMBERS;
    numbers8(words[0], words[1], words[2], words[3], p, q, r, ADDRESSES);
    TURN_LANES
    __global T* const to = out + by.base + block * COUNT;
    STORE_LANES(to)
  }
  for (; block < end; block++) store_block(out, &by, block, p, q, r);
}
#else
__kernel void fill_random(__global T* const out, const Stream by, const P p, const P q, const P r) {
  const long from = (long)get_group_id(0) * (long)get_local_size(0) * BLOCKS_OF_ITEM;
  const long first = from + (long)get_local_id(0);
  const long end = from + (long)get_local_size(0) * BLOCKS_OF_ITEM;
  // All blocks of a work-group together, without a branch for each: takes 0.7 times as long on an H200.
  if (by.aligned && HAS_WHOLE(out) && (by.skip == 0 || from > 0) && end <= by.whole) {
    _Pragma("unroll") for (int k = 0; k < BLOCKS_OF_ITEM; k++) {
      const long block = first + (long)k * (long)get_local_size(0);
      store_whole(out, by.base + block * COUNT, random_block(&by, (ulong)block), p, q, r);
    }
    return;
  }
  for (long block = first; block < min(end, by.blocks); block += (long)get_local_size(0))
    store_block(out, &by, block, p, q, r);
}
#endif
