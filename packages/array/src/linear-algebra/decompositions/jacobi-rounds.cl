// Performs several rounds of several sweeps of one-sided Jacobi rotations. Work-groups along the first axis share the
// pairs of a round; a single work-group may perform several rounds. A sweep without rotations is the last: later sweeps
// return immediately.
//   LOCAL, LANES, TEAMS: work-items of a group, of a team, and teams of a group

__kernel __attribute__((reqd_work_group_size(LOCAL, 1, 1))) void jacobi_rounds(
    __global T* const memory, __global T* const other_memory, volatile __global int* const turned, const Place at,
    const Place other_at, const int count, const int length, const int other_length, const int first_sweep,
    const int last_sweep, const int first_round, const int last_round, const int sweeps) {
  const long matrix = get_group_id(1);
  __global T* const a = memory + at.offset + matrix * at.matrix;
  __global T* const b = other_memory + other_at.offset + matrix * other_at.matrix;
  volatile __global int* const own = turned + matrix * sweeps;
  const int item = get_local_id(0), lane = item % LANES;
#if LOCAL > 1
  __local R parts[4][LOCAL];
#endif
  /* As players of a tournament: one keeps its seat, the others move on by one each round. */
  const int seats = count + count % 2, pairs = seats / 2, stride = TEAMS * (int)get_num_groups(0);
  const R near = R_EPSILON * fmax((R)2, sqrt((R)length));
  for (int sweep = first_sweep; sweep < last_sweep; sweep++) {
    if (sweep > 0 && own[sweep - 1] == 0) return;
    for (int round = first_round; round < last_round; round++) {
      for (int start = 0; start < pairs; start += stride) {
        const int pair = start + item / LANES + TEAMS * (int)get_group_id(0);
        int one = (round + pair) % (seats - 1), other = (round + seats - 1 - pair) % (seats - 1);
        if (pair == 0) other = seats - 1;
        const bool active = pair < pairs && one < count && other < count;
        __global T* const p = a + (active ? one : 0) * at.row;
        __global T* const q = a + (active ? other : 0) * at.row;
        R alpha = 0, beta = 0, real = 0, imaginary = 0;
        if (active) {
          _Pragma("clang loop vectorize(assume_safety)") for (int i = lane; i < length; i += LANES) {
            const T x = p[i], y = q[i];
            const T product = multiply(conjugate(x), y);
            alpha += square_of(x);
            beta += square_of(y);
            real += real_of(product);
            imaginary += imaginary_of(product);
          }
        }
#if LOCAL > 1
        // Sums of a team, which all of it gets. Every work-item comes here equally often.
        parts[0][item] = alpha;
        parts[1][item] = beta;
        parts[2][item] = real;
        parts[3][item] = imaginary;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int apart = LANES / 2; apart > 0; apart /= 2) {
          if (lane < apart)
            for (int k = 0; k < 4; k++) parts[k][item] += parts[k][item + apart];
          barrier(CLK_LOCAL_MEM_FENCE);
        }
        alpha = parts[0][item - lane];
        beta = parts[1][item - lane];
        real = parts[2][item - lane];
        imaginary = parts[3][item - lane];
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
        const R size = IS_COMPLEX ? hypot(real, imaginary) : fabs(real);
        /* Skips vectors that are negligible compared with the largest element, which is 1. */
        const R least = R_EPSILON * R_EPSILON;
        if (active && alpha > least && beta > least && size > near * sqrt(alpha) * sqrt(beta)) {
          if (lane == 0) own[sweep] = 1;
          const R slope = (beta - alpha) / (2 * size);
          const R tangent = copysign((R)1, slope) / (fabs(slope) + sqrt(1 + slope * slope));
          const R cosine = 1 / sqrt(1 + tangent * tangent), sine = cosine * tangent;
          /* By what is added, as Rutishauser does it: small turns round little off, so that lengths do not drift. */
          const R share = sine / (1 + cosine);
          /* The second vector's phase, which makes the product real and positive. */
          const T phase = of_parts(real / size, -imaginary / size);
          _Pragma("clang loop vectorize(assume_safety)") for (int i = lane; i < length; i += LANES) {
            const T x = p[i], y = q[i];
            p[i] = x - scale(multiply(phase, y) + scale(x, share), sine);
            q[i] = y + scale(multiply(conjugate(phase), x) - scale(y, share), sine);
          }
          __global T* const v = b + one * other_at.row;
          __global T* const u = b + other * other_at.row;
          _Pragma("clang loop vectorize(assume_safety)") for (int i = lane; i < other_length; i += LANES) {
            const T x = v[i], y = u[i];
            v[i] = x - scale(multiply(phase, y) + scale(x, share), sine);
            u[i] = y + scale(multiply(conjugate(phase), x) - scale(y, share), sine);
          }
        }
      }
#if LOCAL > 1
      barrier(CLK_GLOBAL_MEM_FENCE);
#endif
    }
  }
}
