// Philox4x32-10: the words of one block, and of eight blocks in vectors for CPUs. Compilers do not vectorize the high
// words of products, so those of vectors are products of 64-bit lanes. Depends on stream.cl.
//   WIDE: whether vectors are needed
//   ROUNDS, FACTOR, OTHER_FACTOR, STEP, OTHER_STEP: the generator's constants

void random_words(uint* const a, uint* const b, uint* const c, uint* const d, const uint* const key) {
  uint first = key[0], second = key[1];
  _Pragma("unroll") for (int round = 0; round < ROUNDS; round++) {
    const uint high = mul_hi(*a, FACTOR), low = *a * FACTOR;
    const uint other_high = mul_hi(*c, OTHER_FACTOR), other_low = *c * OTHER_FACTOR;
    *a = other_high ^ *b ^ first;
    *b = other_low;
    *c = high ^ *d ^ second;
    *d = low;
    first += STEP;
    second += OTHER_STEP;
  }
}

#if WIDE
// What is above the 32 bits of a word in its lane stays there: products take the lower half of a lane only.
INLINED void random_lanes(uint8* const words, const ulong8 low, const ulong high, const uint* const key) {
  ulong8 a = low, b = low >> 32, c = (ulong8)(high), d = (ulong8)(high >> 32);
  uint first = key[0], second = key[1];
  _Pragma("unroll") for (int round = 0; round < ROUNDS; round++) {
    const ulong8 one = (a & 0xffffffffUL) * (ulong8)(FACTOR);
    const ulong8 other = (c & 0xffffffffUL) * (ulong8)(OTHER_FACTOR);
    a = (other >> 32) ^ b ^ (ulong)first;
    b = other;
    c = (one >> 32) ^ d ^ (ulong)second;
    d = one;
    first += STEP;
    second += OTHER_STEP;
  }
  words[0] = convert_uint8(a);
  words[1] = convert_uint8(b);
  words[2] = convert_uint8(c);
  words[3] = convert_uint8(d);
}
#endif
