// The lengths of vectors; notes those that are no numbers, and stacks that were still turned in the last sweep.
//   CONVERGENCE_FAULT: the fault of such a stack

__kernel void jacobi_lengths(__global R* const lengths, __global const T* const memory,
                             __global const int* const turned, volatile __global int* const fault, const Place at,
                             const int count, const int length, const int sweeps, const int routine,
                             const int stacked) {
  const int i = (int)get_global_id(0);
  const long matrix = get_global_id(1);
  __global const T* const line = memory + at.offset + matrix * at.matrix + i * at.row;
  R sum = 0;
  for (int k = 0; k < length; k++) sum += square_of(line[k]);
  lengths[matrix * count + i] = sqrt(sum);
  if (turned[matrix * sweeps + sweeps - 1] != 0 || !isfinite(sum)) {
    note_fault(fault, CONVERGENCE_FAULT, routine, stacked ? matrix : -1, 0);
  }
}
