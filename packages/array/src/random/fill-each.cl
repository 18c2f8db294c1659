// Draws each element from a block of the stream.
//   T: the type of elements in memory
//   WIDE, ATTEMPTS: whether eight blocks are computed together, and how many of their attempts
//   IS_WEIGHTED: whether elements are indices with the weights `p`; otherwise `p` and `q` are parameters with a stride
//     of 0 or 1, and those that are the same for all are arguments, which use no memory
//   IS_TRIED: whether first attempts are computed together, by try_lanes
//   DRAWN(i, ready): the number of element `i`, whose first attempts are in `ready` unless that is 0
//   STORE(i, number): the statement that stores it

#if IS_WEIGHTED
#define PARAMETERS __global const ulong *const p, const long count
#define NEXT(i)
#else
#define PARAMETERS \
  __global const double *const p, const long p_step, const double p_all, __global const double *const q, \
      const long q_step, const double q_all
#define NEXT(i) \
  if (p_step != 0 || q_step != 0) { \
    law = law_of(p_step == 0 ? p_all : p[i], q_step == 0 ? q_all : q[i]); \
  }
#endif

__kernel void fill_each(__global T* const out, const Stream by, PARAMETERS) {
#if WIDE
  const long start = by.end * (long)get_global_id(0) / (long)get_global_size(0);
  const long end = by.end * ((long)get_global_id(0) + 1) / (long)get_global_size(0);
#else
  const long start = (long)get_global_id(0);
  if (start >= by.end) return;
  const long end = start + 1;
#endif
#if !IS_WEIGHTED
  // What depends on parameters only is computed once if they are the same for all.
  Law law = law_of(p_all, q_all);
#endif
  long i = start;
#if WIDE
  for (const long whole = min(end, by.whole); i + 8 <= whole; i += 8) {
    uint8 ready[4 * ATTEMPTS];
    make_ready(ready, &by, i);
#if IS_TRIED
    double8 tried = -1;
    if (p_step == 0 && q_step == 0) tried = try_lanes(ready, &law);
#endif
    for (int lane = 0; lane < 8; lane++) {
      NEXT((i + lane))
#if IS_TRIED
      const double known = ((const double*)&tried)[lane];
      STORE((i + lane), known >= 0 ? known : DRAWN((i + lane), (const uint*)ready + lane))
#else
      STORE((i + lane), DRAWN((i + lane), (const uint*)ready + lane))
#endif
    }
  }
#endif
  for (; i < end; i++) {
    NEXT(i)
    STORE(i, DRAWN(i, 0))
  }
}
