// The words of one block. Depends on stream.cl and the function random_words of a generator.

uint4 random_block(const Stream* const by, const ulong block) {
  const ulong low = by->low + block;
  const ulong high = by->high + (low < block);
  uint a = (uint)low, b = (uint)(low >> 32), c = (uint)high, d = (uint)(high >> 32);
  random_words(&a, &b, &c, &d, by->key);
  return (uint4)(a, b, c, d);
}
