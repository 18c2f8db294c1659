// Threefry4x32-20: the words of one block, and of eight blocks in vectors for CPUs. Depends on stream.cl.
//   WIDE: whether vectors are needed
//   PARITY: what the words of a key are combined with to one more
//   ROUNDS(WORD): the statements of all rounds on the words a to d of a type, with the keys k0 to k4

#define PREPARE_KEYS \
  const uint k0 = key[0], k1 = key[1], k2 = key[2], k3 = key[3]; \
  const uint k4 = k0 ^ k1 ^ k2 ^ k3 ^ PARITY;

void random_words(uint* const first, uint* const second, uint* const third, uint* const fourth, const uint* const key) {
  PREPARE_KEYS
  uint a = *first + k0, b = *second + k1, c = *third + k2, d = *fourth + k3;
  ROUNDS(uint)
  *first = a;
  *second = b;
  *third = c;
  *fourth = d;
}

#if WIDE
INLINED void random_lanes(uint8* const words, const ulong8 low, const ulong high, const uint* const key) {
  PREPARE_KEYS
  uint8 a = convert_uint8(low) + k0, b = convert_uint8(low >> 32) + k1;
  uint8 c = (uint8)((uint)high + k2), d = (uint8)((uint)(high >> 32) + k3);
  ROUNDS(uint8)
  words[0] = a;
  words[1] = b;
  words[2] = c;
  words[3] = d;
}
#endif
