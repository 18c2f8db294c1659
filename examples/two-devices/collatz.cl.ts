/** The kernel of this example: one work-item has one number. */
export const collatzSource = /* opencl */ `
  /* How many steps lead from a number to 1: to the half of an even one, to 3 x + 1 from an odd one. Some numbers take
     hundreds of steps and their neighbours a few, so that nobody can say beforehand how long a block of them takes. */
  __kernel void collatz(__global uint *steps, uint first) {
    const uint i = (uint)get_global_id(0);
    ulong x = first + i + 1;
    uint n = 0;
    for (; x > 1; n++) x = x & 1 ? 3 * x + 1 : x >> 1;
    steps[i] = n;
  }` as const;
