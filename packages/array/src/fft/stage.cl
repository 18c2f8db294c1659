// A stage of one radix. Occurs in a program once for each radix.
//   RADIX, STAGE, BUTTERFLY: the radix, the name of this function and that of the transform of RADIX elements
//   SPACE: the address space of the rows

// Results stay in the places of what they are made of. Twiddles of a stage: for each place, those of its results but
// the first, which is not turned. All stages have as many as the first less those of the next ones.

void STAGE(SPACE V* const rows, const int length, const int size, __global const real2_t* const twiddles) {
  const int step = size / RADIX;
  for (int start = 0; start < length; start += size) {
    for (int place = 0; place < step; place++) {
      SPACE V* const at = rows + 2 * (start + place);
      Pair x[RADIX];
      _Pragma("unroll") for (int j = 0; j < RADIX; j++) {
        x[j].re = at[2 * (size_t)step * j];
        x[j].im = at[2 * (size_t)step * j + 1];
      }
      BUTTERFLY(x);
      if (step > 1) {
        __global const real2_t* const w = twiddles + place * (RADIX - 1) - 1;
        _Pragma("unroll") for (int j = 1; j < RADIX; j++) {
          const real_t c = w[j].x, s = w[j].y;
          const V re = x[j].re * c - x[j].im * s;
          x[j].im = x[j].re * s + x[j].im * c;
          x[j].re = re;
        }
      }
      _Pragma("unroll") for (int j = 0; j < RADIX; j++) {
        at[2 * (size_t)step * j] = x[j].re;
        at[2 * (size_t)step * j + 1] = x[j].im;
      }
    }
  }
}

#undef RADIX
#undef STAGE
#undef BUTTERFLY
#undef SPACE
