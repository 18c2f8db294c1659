// Transforms of tiles of lines: the head of the kernel `transform`. Its steps (step.cl) and its end follow.
//   real_t, real2_t: a real number and a pair of them
//   LENGTH, LANES, GROUP: elements of a line, lines of a tile, work-items of a group
//   HAS_TILE: whether there are several steps, which exchange elements through local memory

Pair product(const Pair x, const real_t c, const real_t s) { return (Pair){x.re * c - x.im * s, x.re * s + x.im * c}; }

/* A root by its number: that of few steps, times that of whole strides. */
Pair root_of(__global const real2_t* const roots, const int bits, const place_t turn) {
  const real2_t near = roots[turn & (((place_t)1 << bits) - 1)];
  const real2_t far = roots[((place_t)1 << bits) + (turn >> bits)];
  return (Pair){near.x * far.x - near.y * far.y, near.x * far.y + near.y * far.x};
}

/* Places in local memory have gaps, so that those a power of two apart are in different banks. */
#define PADDED(i) ((i) + ((i) >> 4))

/* Flags: 1 to change real and imaginary parts on the way in, 2 on the way out, which makes the inverse of a transform.
 */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void transform(
    __global const real2_t* const in, __global real2_t* const out, __global const real2_t* const twiddles,
    __global const real2_t* const roots, const int bits, const int flags, const real_t scale, const Pass pass) {
#if HAS_TILE
  __local real2_t tile[PADDED(LENGTH * LANES) + 1];
#endif
  const int item = (int)get_local_id(0);
  const place_t blocks = (pass.lanes + (LANES - 1)) / LANES;
  const place_t block = (place_t)get_group_id(0);
  const place_t lane0 = block % blocks * LANES;
  const place_t rest = block / blocks;
  const place_t i0 = rest % pass.count[0], i1 = rest / pass.count[0] % pass.count[1];
  const place_t i2 = rest / pass.count[0] / pass.count[1];
  const int valid = (int)min((place_t)LANES, pass.lanes - lane0);
  __global const real2_t* const from =
      in + (pass.start_in + i0 * pass.in[0] + i1 * pass.in[1] + i2 * pass.in[2] + lane0 * pass.lane_in);
  __global real2_t* const to =
      out + (pass.start_out + i0 * pass.out[0] + i1 * pass.out[1] + i2 * pass.out[2] + lane0 * pass.lane_out);
