// Transforms of whole lines, each in local memory as a matrix of its two factors.
//   real_t, real2_t, V, LANES, LOAD, STORE: a real number, a pair of them, a vector of LANES, its loads and stores
//   REVERSED(value): a vector with its lanes in reverse
//   FROM_HALF, TO_HALF: bits of the flags
//   RADICES_ROOM: where the places of results begin in `plan`
//   STAGES(rows, length, size, twiddles): the cases of a switch by radix, which call the functions of stage.cl

/* Loads adjacent elements. */
Pair load_pair(__global const real_t* const from) {
  const V a = LOAD(from), b = LOAD(from + LANES);
  return (Pair){(V)(a.even, b.even), (V)(a.odd, b.odd)};
}

void store_pair(const V re, const V im, __global real_t* const to) {
  V a, b;
  a.even = re.lo;
  a.odd = im.lo;
  b.even = re.hi;
  b.odd = im.hi;
  STORE(a, to);
  STORE(b, to + LANES);
}

/* Where a block begins: the last ones where there are LANES until the end. */
int start_of(const int block, const int length) { return min(block * LANES, length - LANES); }

/* The spectrum of twice as many real numbers, up to its middle, from that of pairs of them. */
void unpack_line(__local real_t* const re, __local real_t* const im, __global real_t* const to, const int length,
                 __global const real_t* const roots, const real_t scale) {
  re[length] = re[0];
  im[length] = im[0];
  for (int block = 0; block < length + 1; block += LANES) {
    const int k = min(block, length + 1 - LANES), other = length + 1 - LANES - k;
    const V x = LOAD(re + k), y = LOAD(im + k), u = REVERSED(LOAD(re + other)), v = REVERSED(LOAD(im + other));
    const V c = LOAD(roots + k), s = LOAD(roots + length + 1 + k);
    const V odd_re = y + v, odd_im = u - x;
    store_pair((x + u + odd_re * c - odd_im * s) * scale, (y - v + odd_re * s + odd_im * c) * scale, to + 2 * k);
  }
}

/* The way back. The first and the last are taken as real numbers, which those of real lines are. */
void pack_line(__global const real_t* const from, __local real_t* const re, __local real_t* const im, const int length,
               __global const real_t* const roots, const real_t scale) {
  for (int block = 0; block < length + 1; block += LANES) {
    const int k = min(block, length + 1 - LANES), other = length + 1 - LANES - k;
    const Pair a = load_pair(from + 2 * k), b = load_pair(from + 2 * other);
    V x = a.re, y = a.im, u = REVERSED(b.re), v = REVERSED(b.im);
    if (k == 0) y.s0 = v.s0 = 0;
    const V c = LOAD(roots + k), s = LOAD(roots + length + 1 + k);
    const V odd_re = x - u, odd_im = y + v;
    const V turned_re = odd_re * c + odd_im * s, turned_im = odd_im * c - odd_re * s;
    STORE((x + u - turned_im) * scale, re + k);
    STORE((y - v + turned_re) * scale, im + k);
  }
}

/*
 * Each work-item has a part of the lines. `plan` has, for each of the two parts, the number of radices, the radices,
 * and behind them the row in which each result is. `table`: the roots between the stages of both; those by which blocks
 * of columns are turned, as vectors; and those of real lines, first all real parts.
 */
__kernel void transform(__global const real_t* const in, __global real_t* const out, __local V* const columns,
                        __global const int* const plan, __global const real_t* const table, const int first,
                        const int second, const int flags, const real_t scale, const long lines, const long start_in,
                        const long start_out) {
  const int length = first * second;
  const int blocks = (second + LANES - 1) / LANES, all = blocks + (first + LANES - 1) / LANES;
  const long length_in = length + ((flags & FROM_HALF) != 0), length_out = length + ((flags & TO_HALF) != 0);
  const bool from_half = (flags & FROM_HALF) != 0, to_half = (flags & TO_HALF) != 0;
  const int change_in = flags & 1, change_out = flags >> 1 & 1;
  __local V* const middle = columns + 2 * first;
  __local real_t *const re = (__local real_t*)(middle + 2 * second * (all - blocks)), *const im = re + length + 1;
  __global const real_t* const turns = table + 2 * (first + second);
  __global const real_t* const roots = turns + 2 * LANES * first * blocks;
  const long end = lines * (long)(get_global_id(0) + 1) / (long)get_global_size(0);
  for (long line = lines * (long)get_global_id(0) / (long)get_global_size(0); line < end; line++) {
    __global const real_t* const from = in + 2 * (start_in + line * length_in);
    __global real_t* const to = out + 2 * (start_out + line * length_out);
    if (from_half) pack_line(from, re, im, length, roots, scale / 2);
    for (int block = 0; block < all; block++) {
      const bool is_first = block < blocks;
      const int at = is_first ? start_of(block, second) : start_of(block - blocks, first);
      const int size = is_first ? first : second;
      __local V* const rows = is_first ? columns : middle + 2 * second * (block - blocks);
      __global const int* const own = is_first ? plan : plan + RADICES_ROOM + first;
      __global const int* const order = own + RADICES_ROOM;
      __global const real2_t* const twiddles = (__global const real2_t*)table + (is_first ? 0 : first);
      if (is_first) {
        for (int k = 0; k < first; k++) {
          const Pair pair = from_half ? (Pair){LOAD(re + at + k * second), LOAD(im + at + k * second)}
                                      : load_pair(from + 2 * (at + k * second));
          rows[2 * k + change_in] = pair.re;
          rows[2 * k + 1 - change_in] = pair.im;
        }
      }
      int rest = size;
      for (int stage = 0; stage < own[0]; stage++) {
        const int radix = own[1 + stage];
        __global const real2_t* const w = twiddles + (size - rest);
        switch (radix) { STAGES(rows, size, rest, w) }
        rest /= radix;
      }
      if (is_first) {
        __global const real_t* const w = turns + 2 * LANES * first * block;
        for (int row = 0; row < all - blocks; row++) {
          const int start = start_of(row, first);
          V turned[2][LANES];
          _Pragma("unroll") for (int l = 0; l < LANES; l++) {
            __local const V* const value = rows + 2 * order[start + l];
            const V c = LOAD(w + 2 * LANES * (start + l)), s = LOAD(w + 2 * LANES * (start + l) + LANES);
            turned[0][l] = value[0] * c - value[1] * s;
            turned[1][l] = value[0] * s + value[1] * c;
          }
          transpose_block(turned[0]);
          transpose_block(turned[1]);
          __local V* const place = middle + 2 * (second * row + at);
          _Pragma("unroll") for (int l = 0; l < LANES; l++) {
            place[2 * l] = turned[0][l];
            place[2 * l + 1] = turned[1][l];
          }
        }
      } else if (to_half) {
        for (int k = 0; k < second; k++) {
          STORE(rows[2 * order[k]], re + at + k * first);
          STORE(rows[2 * order[k] + 1], im + at + k * first);
        }
      } else {
        const real_t own_scale = from_half ? 1 : scale;
        for (int k = 0; k < second; k++) {
          __local const V* const row = rows + 2 * order[k];
          store_pair(row[change_out] * own_scale, row[1 - change_out] * own_scale, to + 2 * (at + k * first));
        }
      }
    }
    if (to_half) unpack_line(re, im, to, length, roots, scale / 2);
  }
}
