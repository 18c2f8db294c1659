// A step of the kernel `transform` of groups.cl: its loads, its butterflies and its stores. Occurs once for each radix.
//   RADIX, BUTTERFLY: the radix and the transform of RADIX elements
//   COUNT, TURNS: butterflies of a line, and those of each work-item
//   IS_PARTIAL: whether work-items have no butterfly in the last of their turns
//   STRIDE, PLACES: the product of the radices before, and the number of different twiddles of each result
//   TWIDDLES: where the twiddles of the step begin
//   IS_FIRST, IS_LAST: whether it loads from global memory, and stores to it
//   BY_LANES, LANES_OUT: whether consecutive work-items have adjacent lines, and whether the tile has them adjacent
//   IS_TURNED: whether results are turned by roots of the whole length
//   ROOT_POWERS: statements that compute w[2] and above, the powers of the root between one result and the next

#if BY_LANES
#define LINE_OF(u) ((u) % LANES)
#define BUTTERFLY_OF(u) ((u) / LANES)
#else
#define LINE_OF(u) ((u) / COUNT)
#define BUTTERFLY_OF(u) ((u) % COUNT)
#endif
#if LANES_OUT
#define IN_TILE(place) tile[PADDED((place) * LANES + lane)]
#else
#define IN_TILE(place) tile[PADDED(lane * LENGTH + (place))]
#endif
#if IS_PARTIAL
#define HAS_BUTTERFLY(c) if (item + (c) * GROUP < COUNT * LANES)
#else
#define HAS_BUTTERFLY(c)
#endif

{
  Pair x[TURNS][RADIX];
  _Pragma("unroll") for (int c = 0; c < TURNS; c++) HAS_BUTTERFLY(c) {
    const int u = item + c * GROUP;
    const int lane = LINE_OF(u), t = BUTTERFLY_OF(u);
#if IS_FIRST
    const bool whole = lane < valid;
    __global const real2_t* const line = from + lane * pass.lane_in;
    _Pragma("unroll") for (int j = 0; j < RADIX; j++) {
      const real2_t value = whole ? line[(t + COUNT * j) * pass.step_in] : (real2_t)(0, 0);
      x[c][j] = (flags & 1) != 0 ? (Pair){value.y, value.x} : (Pair){value.x, value.y};
    }
#else
    _Pragma("unroll") for (int j = 0; j < RADIX; j++) {
      const real2_t value = IN_TILE(t + COUNT * j);
      x[c][j] = (Pair){value.x, value.y};
    }
#endif
    BUTTERFLY(x[c]);
#if PLACES > 1
    __global const real2_t* const w = twiddles + TWIDDLES + t / STRIDE;
    _Pragma("unroll") for (int j = 1; j < RADIX; j++) {
      const real2_t own = w[(j - 1) * PLACES];
      x[c][j] = product(x[c][j], own.x, own.y);
    }
#endif
#if IS_LAST && IS_TURNED
    if (lane < valid) {
      // The root of the first result, times powers of the root between one result and the next.
      const place_t turn = (lane0 + lane) / pass.shared;
      Pair w[RADIX];
      w[0] = root_of(roots, bits, turn * t);
#if RADIX > 1
      w[1] = root_of(roots, bits, turn * COUNT);
#endif
      ROOT_POWERS
      x[c][0] = product(x[c][0], w[0].re, w[0].im);
      _Pragma("unroll") for (int j = 1; j < RADIX; j++) {
        x[c][j] = product(product(x[c][j], w[j].re, w[j].im), w[0].re, w[0].im);
      }
    }
#endif
  }
#if !IS_FIRST && !IS_LAST
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  _Pragma("unroll") for (int c = 0; c < TURNS; c++) HAS_BUTTERFLY(c) {
    const int u = item + c * GROUP;
    const int lane = LINE_OF(u), t = BUTTERFLY_OF(u);
#if IS_LAST
    if (lane < valid) {
      __global real2_t* const line = to + lane * pass.lane_out;
      _Pragma("unroll") for (int j = 0; j < RADIX; j++) {
        const Pair own = x[c][j];
        line[(t + COUNT * j) * pass.step_out] =
            ((flags & 2) != 0 ? (real2_t)(own.im, own.re) : (real2_t)(own.re, own.im)) * scale;
      }
    }
#else
    _Pragma("unroll") for (int j = 0; j < RADIX; j++) {
      const Pair own = x[c][j];
      IN_TILE(t % STRIDE + STRIDE * (t / STRIDE * RADIX + j)) = (real2_t)(own.re, own.im);
    }
#endif
  }
#if !IS_LAST && IS_FIRST
  // Results may go where the elements were, hence the fence of global memory.
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
#elif !IS_LAST
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
}

#undef LINE_OF
#undef BUTTERFLY_OF
#undef IN_TILE
#undef HAS_BUTTERFLY
#undef RADIX
#undef BUTTERFLY
#undef COUNT
#undef TURNS
#undef IS_PARTIAL
#undef STRIDE
#undef PLACES
#undef TWIDDLES
#undef IS_FIRST
#undef IS_LAST
#undef BY_LANES
#undef LANES_OUT
#undef IS_TURNED
#undef ROOT_POWERS
