/** The kernel. Each work-item computes one number. */
export const collatzSource = /* opencl */ `
  /* Number of steps from x to 1: x / 2 if x is even, 3 x + 1 if it is odd. Adjacent numbers can take a few or hundreds of
     steps, so the time of a block is not known in advance. */
  __kernel void collatz(__global uint *steps, uint first) {
    const uint i = (uint)get_global_id(0);
    ulong x = first + i + 1;
    uint n = 0;
    for (; x > 1; n++) x = x & 1 ? 3 * x + 1 : x >> 1;
    steps[i] = n;
  }` as const;
