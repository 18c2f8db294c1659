// A mask, and the bytes of it that are true.
//   INDEX, AXES: the type of positions, and number of axes, at least 1
//   COMPUTES: whether kernels compute the mask instead of reading it
//   BLOCKS, ALIGNED: whether a part is a block of a group, as on GPUs, and whether it begins at a multiple of 16 bytes

typedef INDEX place_t;

/* Counted in elements. */
typedef struct {
  place_t size;
  place_t part;
  place_t mask;
  place_t limit;
  place_t offset;
  place_t values;
  place_t value_count;
  place_t extent[AXES];
  place_t stride[AXES];
} Parts;

#if BLOCKS
/* One bit for each of 16 bytes that is not 0. */
uint packed(const uint4 bytes) {
  const uint4 bits = (((((bytes & 0x7f7f7f7f) + 0x7f7f7f7f) | bytes) & 0x80808080) >> 7) * 0x01020408 >> 24;
  return bits.x | bits.y << 4 | bits.z << 8 | bits.w << 12;
}

#if !COMPUTES
/* The same for 16 bytes of a mask. */
uint flags_of(__global const uchar* const mask, const place_t i, const place_t size) {
#if ALIGNED
  if (i + 16 <= size && ((size_t)mask & 15) == 0) {
    return packed(*(__global const uint4*)(mask + i));
  }
#endif
  uint flags = 0;
  for (int k = 0; k < 16; k++) {
    if (i + k < size && mask[i + k] != 0) flags |= 1u << k;
  }
  return flags;
}
#endif
#endif
