// Transforms of as many lines as a vector has lanes.
//   real_t, real2_t, V, LANES, LOAD, STORE: a real number, a pair of them, a vector of LANES, its loads and stores
//   RADICES_ROOM: where the places of results begin in `plan`
//   STAGES(rows, length, size, twiddles): the cases of a switch by radix, which call the functions of stage.cl

// Number of roots of unity per entry of the strided table.
#define STRIDE_LENGTH 32

/* Lines become columns of rows, each the real and then the imaginary parts. Lanes without a line are 0. */
void load_rows(__global V* const rows, __global const real_t* const from, const int length, const int valid,
               const place_t lane_step, const place_t step, const int change) {
  const bool whole = valid == LANES;
  int first = 0;
  if (whole && lane_step == 1) {
    for (; first < length; first++) {
      __global const real_t* const at = from + 2 * first * step;
      const V a = LOAD(at), b = LOAD(at + LANES);
      rows[2 * first + change] = (V)(a.even, b.even);
      rows[2 * first + 1 - change] = (V)(a.odd, b.odd);
    }
  } else if (whole && step == 1) {
    for (; first + LANES / 2 <= length; first += LANES / 2) {
      V block[LANES];
      _Pragma("unroll") for (int l = 0; l < LANES; l++) block[l] = LOAD(from + 2 * (l * lane_step + first));
      transpose_block(block);
      _Pragma("unroll") for (int l = 0; l < LANES; l++) rows[2 * first + (l ^ change)] = block[l];
    }
  }
  for (; first < length; first++) {
    real_t re[LANES], im[LANES];
    for (int l = 0; l < LANES; l++) {
      const place_t at = 2 * (l * lane_step + first * step);
      re[l] = l < valid ? from[at] : 0;
      im[l] = l < valid ? from[at + 1] : 0;
    }
    rows[2 * first + change] = *(__private const V*)re;
    rows[2 * first + 1 - change] = *(__private const V*)im;
  }
}

/* The way back: results in order are in the rows that `order` says. */
void store_rows(__global const V* const rows, __global real_t* const to, const int length, const int valid,
                const place_t lane_step, const place_t step, __global const int* const order, const int change,
                const real_t scale) {
  const bool whole = valid == LANES;
  int first = 0;
  if (whole && lane_step == 1) {
    for (; first < length; first++) {
      __global const V* const row = rows + 2 * order[first];
      __global real_t* const at = to + 2 * first * step;
      const V re = row[change] * scale, im = row[1 - change] * scale;
      V a, b;
      a.even = re.lo;
      a.odd = im.lo;
      b.even = re.hi;
      b.odd = im.hi;
      STORE(a, at);
      STORE(b, at + LANES);
    }
  } else if (whole && step == 1) {
    for (; first + LANES / 2 <= length; first += LANES / 2) {
      V block[LANES];
      _Pragma("unroll") for (int l = 0; l < LANES; l++) block[l] =
          rows[2 * order[first + l / 2] + ((l & 1) ^ change)] * scale;
      transpose_block(block);
      _Pragma("unroll") for (int l = 0; l < LANES; l++) STORE(block[l], to + 2 * (l * lane_step + first));
    }
  }
  for (; first < length; first++) {
    __global const V* const row = rows + 2 * order[first];
    const V re = row[change] * scale, im = row[1 - change] * scale;
    for (int l = 0; l < valid; l++) {
      const place_t at = 2 * (l * lane_step + first * step);
      to[at] = ((__private const real_t*)&re)[l];
      to[at + 1] = ((__private const real_t*)&im)[l];
    }
  }
}

/* Roots of the index of an element times that of each lane. */
Pair roots_of(__global const real2_t* const roots, const int bits, const place_t index, __private const place_t* lane) {
  real_t re[LANES], im[LANES];
  for (int l = 0; l < LANES; l++) {
    const place_t turn = index * lane[l];
    const real2_t near = roots[turn & (((place_t)1 << bits) - 1)];
    const real2_t far = roots[((place_t)1 << bits) + (turn >> bits)];
    re[l] = near.x * far.x - near.y * far.y;
    im[l] = near.x * far.y + near.y * far.x;
  }
  return (Pair){*(__private const V*)re, *(__private const V*)im};
}

/* All results times the roots of their index times the lane's. */
void turn_rows(__global V* const rows, const int length, __global const int* const order,
               __global const real2_t* const roots, const int bits, __private const place_t* const lane) {
  Pair near[STRIDE_LENGTH];
  const int steps = min(length, STRIDE_LENGTH);
  for (int k = 0; k < steps; k++) near[k] = roots_of(roots, bits, k, lane);
  for (int first = 0; first < length; first += STRIDE_LENGTH) {
    const Pair far = roots_of(roots, bits, first, lane);
    const int end = min(length - first, STRIDE_LENGTH);
    for (int k = 0; k < end; k++) {
      __global V* const at = rows + 2 * order[first + k];
      const V c = near[k].re * far.re - near[k].im * far.im, s = near[k].re * far.im + near[k].im * far.re;
      const V re = at[0], im = at[1];
      at[0] = re * c - im * s;
      at[1] = re * s + im * c;
    }
  }
}

/*
 * Each work-item has a part of the blocks of lanes. `plan` has the number of radices, the radices, and behind them the
 * row in which each result is. Flags: 1 to change real and imaginary parts on the way in, 2 on the way out, which is
 * what makes the inverse of a transform.
 */
__kernel void transform(__global const real_t* const in, __global real_t* const out, __global V* const scratch,
                        __global const int* const plan, __global const real2_t* const twiddles,
                        __global const real2_t* const roots, const int bits, const int length, const int flags,
                        const real_t scale, const Pass pass) {
  const place_t blocks = (pass.lanes + LANES - 1) / LANES;
  const place_t all = blocks * pass.count[0] * pass.count[1] * pass.count[2];
  const place_t last = (place_t)((long)all * (long)(get_global_id(0) + 1) / (long)get_global_size(0));
  __global V* const rows = scratch + (size_t)get_global_id(0) * (size_t)(2 * length);
  __global const int* const order = plan + RADICES_ROOM;
  for (place_t block = (place_t)((long)all * (long)get_global_id(0) / (long)get_global_size(0)); block < last;
       block++) {
    const place_t lane = block % blocks * LANES;
    const place_t rest = block / blocks;
    const place_t i = rest % pass.count[0], j = rest / pass.count[0] % pass.count[1];
    const place_t k = rest / pass.count[0] / pass.count[1];
    const int valid = (int)min((place_t)LANES, pass.lanes - lane);
    const place_t from = pass.start_in + i * pass.in[0] + j * pass.in[1] + k * pass.in[2] + lane * pass.lane_in;
    const place_t to = pass.start_out + i * pass.out[0] + j * pass.out[1] + k * pass.out[2] + lane * pass.lane_out;
    load_rows(rows, in + 2 * from, length, valid, pass.lane_in, pass.step_in, flags & 1);
    int size = length;
    for (int stage = 0; stage < plan[0]; stage++) {
      __global const real2_t* const own = twiddles + (length - size);
      switch (plan[1 + stage]) { STAGES(rows, length, size, own) }
      size /= plan[1 + stage];
    }
    if (bits > 0) {
      place_t index[LANES];
      for (int l = 0; l < LANES; l++) index[l] = l < valid ? (lane + l) / pass.shared : 0;
      turn_rows(rows, length, order, roots, bits, index);
    }
    store_rows(rows, out + 2 * to, length, valid, pass.lane_out, pass.step_out, order, flags >> 1 & 1, scale);
  }
}
