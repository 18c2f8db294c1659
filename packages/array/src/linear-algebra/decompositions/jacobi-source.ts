/**
 * OpenCL C of one-sided Jacobi rotations: pairs of vectors are rotated until all are orthogonal. The same rotations are
 * applied to the vectors of a second stack. The pairs of one round are disjoint, so they are rotated in parallel.
 */
import { noteFault } from "../../faults/device-faults.js";
import type { SolverKernel } from "./run-solver.js";
import { convergenceFault } from "../../faults/solver-faults.js";

/**
 * Performs several rounds of several sweeps. Work-groups along the first axis share the pairs of a round; a single
 * work-group may perform several rounds. A sweep without rotations is the last: later sweeps return immediately.
 */
export const jacobiRounds: SolverKernel = {
  name: "jacobi_rounds",
  source: (local) => `
#define LOCAL ${local}
#define TEAM ${Math.min(32, local)}
#define TEAMS ${Math.max(1, local / 32)}
__kernel __attribute__((reqd_work_group_size(LOCAL, 1, 1)))
void jacobi_rounds(
  __global T *const memory, __global T *const other_memory, volatile __global int *const turned,
  const Place at, const Place other_at, const int count, const int length, const int other_length,
  const int first_sweep, const int last_sweep, const int first_round, const int last_round, const int sweeps
) {
  const long matrix = get_group_id(1);
  __global T *const a = memory + at.offset + matrix * at.matrix;
  __global T *const b = other_memory + other_at.offset + matrix * other_at.matrix;
  volatile __global int *const own = turned + matrix * sweeps;
  const int item = get_local_id(0), lane = item % TEAM;
  ${local === 1 ? "" : "__local R parts[4][LOCAL];"}
  /* As players of a tournament: one keeps its seat, the others move on by one each round. */
  const int seats = count + count % 2, pairs = seats / 2, stride = TEAMS * (int)get_num_groups(0);
  const R near = R_EPSILON * fmax((R)2, sqrt((R)length));
  for (int sweep = first_sweep; sweep < last_sweep; sweep++) {
    if (sweep > 0 && own[sweep - 1] == 0) return;
    for (int round = first_round; round < last_round; round++) {
      for (int start = 0; start < pairs; start += stride) {
        const int pair = start + item / TEAM + TEAMS * (int)get_group_id(0);
        int one = (round + pair) % (seats - 1), other = (round + seats - 1 - pair) % (seats - 1);
        if (pair == 0) other = seats - 1;
        const bool active = pair < pairs && one < count && other < count;
        __global T *const p = a + (active ? one : 0) * at.row;
        __global T *const q = a + (active ? other : 0) * at.row;
        R alpha = 0, beta = 0, real = 0, imaginary = 0;
        if (active) {
          _Pragma("clang loop vectorize(assume_safety)")
          for (int i = lane; i < length; i += TEAM) {
            const T x = p[i], y = q[i];
            const T product = multiply(conjugate(x), y);
            alpha += square_of(x);
            beta += square_of(y);
            real += real_of(product);
            imaginary += imaginary_of(product);
          }
        }
${local === 1 ? "" : together}
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
          _Pragma("clang loop vectorize(assume_safety)")
          for (int i = lane; i < length; i += TEAM) {
            const T x = p[i], y = q[i];
            p[i] = x - scale(multiply(phase, y) + scale(x, share), sine);
            q[i] = y + scale(multiply(conjugate(phase), x) - scale(y, share), sine);
          }
          __global T *const v = b + one * other_at.row;
          __global T *const u = b + other * other_at.row;
          _Pragma("clang loop vectorize(assume_safety)")
          for (int i = lane; i < other_length; i += TEAM) {
            const T x = v[i], y = u[i];
            v[i] = x - scale(multiply(phase, y) + scale(x, share), sine);
            u[i] = y + scale(multiply(conjugate(phase), x) - scale(y, share), sine);
          }
        }
      }
      ${local === 1 ? "" : "barrier(CLK_GLOBAL_MEM_FENCE);"}
    }
  }
}
`,
};

/** Sums of a team, which all of it gets. Every work-item comes here equally often. */
const together = `
        parts[0][item] = alpha;
        parts[1][item] = beta;
        parts[2][item] = real;
        parts[3][item] = imaginary;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int apart = TEAM / 2; apart > 0; apart /= 2) {
          if (lane < apart) for (int k = 0; k < 4; k++) parts[k][item] += parts[k][item + apart];
          barrier(CLK_LOCAL_MEM_FENCE);
        }
        alpha = parts[0][item - lane];
        beta = parts[1][item - lane];
        real = parts[2][item - lane];
        imaginary = parts[3][item - lane];
        barrier(CLK_LOCAL_MEM_FENCE);`;

/** The lengths of vectors; notes those that are no numbers, and stacks that were still turned in the last sweep. */
export const jacobiLengths: SolverKernel = {
  name: "jacobi_lengths",
  source: () => `${noteFault}
__kernel void jacobi_lengths(
  __global R *const lengths, __global const T *const memory, __global const int *const turned,
  volatile __global int *const fault,
  const Place at, const int count, const int length, const int sweeps, const int routine, const int stacked
) {
  const int i = (int)get_global_id(0);
  const long matrix = get_global_id(1);
  __global const T *const line = memory + at.offset + matrix * at.matrix + i * at.row;
  R sum = 0;
  for (int k = 0; k < length; k++) sum += square_of(line[k]);
  lengths[matrix * count + i] = sqrt(sum);
  if (turned[matrix * sweeps + sweeps - 1] != 0 || !isfinite(sum)) {
    note_fault(fault, ${convergenceFault}, routine, stacked ? matrix : -1, 0);
  }
}
`,
};

/**
 * Sorts the vectors by descending norm and normalizes them; negligible ones become zero. The second stack is
 * conjugated.
 */
export const jacobiOrder: SolverKernel = {
  name: "jacobi_order",
  source: () => `
__kernel void jacobi_order(
  __global R *const ordered, __global T *const units, __global T *const others,
  __global const R *const lengths, __global const T *const memory, __global const T *const other_memory,
  const Place at, const Place other_at, const int count, const int length, const int other_length
) {
  const int i = (int)get_global_id(0);
  const long matrix = get_global_id(1);
  __global const R *const all = lengths + matrix * count;
  const R own = all[i];
  int rank = 0;
  for (int k = 0; k < count; k++) {
    /* All ranks are distinct, NaN included. */
    const bool before = all[k] > own || (isnan(all[k]) && !isnan(own));
    const bool after = own > all[k] || (isnan(own) && !isnan(all[k]));
    rank += before || (!after && k < i) ? 1 : 0;
  }
  const long place = matrix * count + rank;
  ordered[place] = own;
  __global const T *const line = memory + at.offset + matrix * at.matrix + i * at.row;
  const R inverse = own <= R_EPSILON ? 0 : 1 / own;
  for (int k = 0; k < length; k++) units[place * length + k] = scale(line[k], inverse);
  __global const T *const other = other_memory + other_at.offset + matrix * other_at.matrix + i * other_at.row;
  for (int k = 0; k < other_length; k++) others[place * other_length + k] = conjugate(other[k]);
}
`,
};
