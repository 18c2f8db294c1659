// Writes something for each place where a mask is true. Depends on masked-parts.cl.
//   MASK: the parameters of the mask
//   COMPUTES, IS_TRUE(i): whether kernels compute the mask, and whether it is true at a position
//   HOLDS, IS_TRUE_OF(element, i): whether the mask depends on what is written, and whether it is true for an element
//   T: the type of what is read and written
//   BLOCKS, GROUP, BLOCK: whether a part is a block of a group, and work-items and elements of a group
//   SIZED: the attribute of a kernel of groups, or nothing
//   SOURCE, FAULT: the parameters for an array that is read, and for the fault, or nothing
//   NOTES: whether it is noted that the number of values is wrong
//   COUNTS: whether the only work-item counts what it writes; the number goes to position `part_count` of `offsets`
//   COUNT_FAULT: the fault of a wrong number of values
//   READ(i, at): what is written for the place at position `i`, the `at`-th that is true
//   WRITE(i, at, value): the statements that write it
//   BATCH: how many a work-item of a group reads before it writes them
//   BRANCHLESS: whether a later element may overwrite a wrong one
//   SQUEEZES: whether processors with AVX-512 or AVX2 can move what is kept of a vector to its front
//   VECTOR, LANES, WORD, COMPRESS, VSTORE, FOUND: the vectors, their instructions, and the elements from a position on
//   HALF_LANES, HALF_FOUND: likewise for vectors of half that width
//   WORD_FLAGS: the flags of as many elements, one for each word of 4 bytes

#define EMIT(i, at) WRITE(i, at, READ(i, at))

#if COUNTS
#define OFFSETS __global place_t* const offsets
#else
#define OFFSETS __global const place_t* const offsets
#endif

__kernel SIZED void write(MASK, OFFSETS, SOURCE __global T* const target, FAULT const int part_count,
                          const Parts parts) {
#if NOTES
  /* Work-items of a group must reach the barriers together, so nothing returns here. */
  const place_t limit = offsets[part_count] == parts.value_count ? parts.limit : 0;
  if (get_global_id(0) == 0 && offsets[part_count] != parts.value_count) {
    note_fault(fault, COUNT_FAULT, 0, offsets[part_count], parts.value_count);
  }
#else
  const place_t limit = parts.limit;
#endif
#if BLOCKS
  __local uint words[GROUP];
  __local ushort sums[GROUP];
  const int item = (int)get_local_id(0);
  const place_t start = (place_t)get_group_id(0) * BLOCK;
  const place_t first = offsets[get_group_id(0)];
  const place_t stop = min(offsets[get_group_id(0) + 1], limit);
#if COMPUTES
  /* Adjacent work-items compute adjacent elements, without branches, and then each packs 16 of them. */
  __local uint4 truths[BLOCK / 16];
  __local uchar* const bytes = (__local uchar*)truths;
#if HOLDS
  T found[BATCH];
#pragma unroll
  for (int k = 0; k < BATCH; k++) found[k] = READ(min(start + k * GROUP + item, parts.size - 1), 0);
#define TRUTH(k, i) IS_TRUE_OF(found[k], i)
#else
#define TRUTH(k, i) IS_TRUE(i)
#endif
#pragma unroll
  for (int k = 0; k < BLOCK / GROUP; k++) {
    const place_t i = start + k * GROUP + item;
    bytes[k * GROUP + item] = (uchar)(TRUTH(k, min(i, parts.size - 1)) & (i < parts.size));
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint flags = packed(truths[item]);
#else
  const uint flags = flags_of(mask + parts.mask, start + item * 16, parts.size);
#endif
  const ushort own = (ushort)popcount(flags);
  ushort sum = own;
  sums[item] = sum;
  for (int step = 1; step < GROUP; step *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const ushort before = item >= step ? sums[item - step] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += before;
    sums[item] = sum;
  }
  // 16 flags, and above them how many before these are true.
  words[item] = flags | (uint)(sum - own) << 16;
  barrier(CLK_LOCAL_MEM_FENCE);
  // Negative behind the limit.
  const place_t room = stop - first;
  for (int run = 0; run < BLOCK; run += GROUP * BATCH) {
#if !HOLDS
    T found[BATCH];
#endif
    int at[BATCH];
#pragma unroll
    for (int k = 0; k < BATCH; k++) {
      const int i = run + k * GROUP + item;
      const uint word = words[i / 16];
      const uint flag = 1u << i % 16;
      at[k] = (word & flag) != 0 ? (int)(word >> 16) + popcount(word & (flag - 1)) : BLOCK;
#if !HOLDS
      if (at[k] < room) found[k] = READ(start + i, first + at[k]);
#endif
    }
#pragma unroll
    for (int k = 0; k < BATCH; k++) {
      const place_t i = start + run + k * GROUP + item;
      if (at[k] < room) {
        WRITE(i, first + at[k], found[k])
      }
    }
  }
#else
  __global const uchar* const flags = mask + parts.mask;
  const int part = (int)get_global_id(0);
  const place_t start = part * parts.part;
  const place_t end = min((place_t)(start + parts.part), parts.size);
#if COUNTS
  const place_t stop = limit;
  place_t at = 0;
#else
  const place_t stop = min(offsets[part + 1], limit);
  place_t at = offsets[part];
#endif
  place_t i = start;
#if SQUEEZES && defined(__has_builtin)
#if defined(__AVX512F__)
#if __has_builtin(COMPRESS)
  for (; i + 16 <= end && at + 16 <= stop; i += 16) {
    const uint bits = (ushort)__builtin_ia32_pmovmskb128(vload16(0, flags + i) != (uchar16)0);
    for (int first = 0; first < 16; first += LANES) {
      const uint own = bits >> first & ((1u << LANES) - 1);
      const VECTOR found = FOUND(i + first);
      const VECTOR kept = COMPRESS(found, (VECTOR)0, own);
      VSTORE(kept, 0, (__global WORD*)target + at);
      at += popcount(own);
    }
  }
#endif
#elif defined(__AVX2__) && defined(__BMI2__) && !defined(__znver1__) && !defined(__znver2__)
#if __has_builtin(__builtin_ia32_pext_di) && __has_builtin(__builtin_ia32_permvarsi256)
  /* A mask of the bytes of `places` leaves the places of the words that are kept. The first Zens take long for that. */
  const ulong places = 0x0706050403020100;
  for (; i + HALF_LANES <= end && at + HALF_LANES <= stop; i += HALF_LANES) {
    const ulong own = as_ulong(WORD_FLAGS(flags + i) != (uchar8)0);
    const int8 from = convert_int8(as_uchar8(__builtin_ia32_pext_di(places, own)));
    const int8 kept = __builtin_ia32_permvarsi256(as_int8(HALF_FOUND(i)), from);
    vstore8(kept, 0, (__global int*)((__global WORD*)target + at));
    at += popcount(own) * HALF_LANES / 64;
  }
#endif
#endif
#endif
#if BRANCHLESS
  /* Without branches each element goes where the next one that is kept belongs, and the next overwrites it if it is
     not. This must not reach into the next chunk's share, so the last few are written with branches. */
  for (; i + 64 <= end && at + 64 <= stop; i += 64) {
    for (int k = 0; k < 64; k++) {
      EMIT(i + k, at)
      at += flags[i + k] != 0;
    }
  }
#endif
  while (i < end && at < stop) {
    // Long runs without anything are passed over.
    if (i + 16 <= end && !any(vload16(0, flags + i) != (uchar16)0)) {
      i += 16;
      continue;
    }
    const place_t next = min((place_t)(i + 16), end);
    for (; i < next && at < stop; i++) {
      if (flags[i] == 0) continue;
      EMIT(i, at)
      at++;
    }
  }
#if COUNTS
  offsets[part_count] = at;
#endif
#endif
}
