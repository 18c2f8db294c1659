// The first of the sums of weights, in parts of 2^64, that is more than a number of 64 bits. Depends on
// random-attempt.cl.

long weighted(const Stream* const by, const ulong block, const uint* const ready, __global const ulong* const sums,
              const long count) {
  const uint4 words = random_attempt(by, block, 0, ready);
  const ulong number = (ulong)words.y << 32 | words.x;
  long first = 0, last = count - 1;
  while (first < last) {
    const long middle = (first + last) / 2;
    if (number < sums[middle])
      last = middle;
    else
      first = middle + 1;
  }
  return first;
}
