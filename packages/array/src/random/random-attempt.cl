// The words of an attempt of a block: its counter is larger by that multiple of 2^96. Depends on stream.cl
// and a generator.
//   WIDE: whether the first attempts of eight blocks are computed together
//   ATTEMPTS: how many attempts that are

#if WIDE
// The words of a block are strided by the number of blocks.
void make_ready(uint8* const ready, const Stream* const by, const long block) {
  const ulong8 steps = (ulong8)(0, 1, 2, 3, 4, 5, 6, 7);
  for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
    random_lanes(ready + 4 * attempt, by->low + (ulong)block + steps, by->high + ((ulong)attempt << 32), by->key);
  }
}

uint4 ready_attempt(const uint* const ready, const uint attempt) {
  const uint* const own = ready + 32 * attempt;
  return (uint4)(own[0], own[8], own[16], own[24]);
}
#endif

uint4 random_attempt(const Stream* const by, const ulong block, const uint attempt, const uint* const ready) {
#if WIDE
  if (ready != 0 && attempt < ATTEMPTS) return ready_attempt(ready, attempt);
#endif
  const ulong low = by->low + block;
  const ulong high = by->high + (low < block);
  uint a = (uint)low, b = (uint)(low >> 32), c = (uint)high, d = (uint)(high >> 32) + attempt;
  random_words(&a, &b, &c, &d, by->key);
  return (uint4)(a, b, c, d);
}
