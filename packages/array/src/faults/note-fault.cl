// Notes what is wrong, if nothing was noted before. `fault` has 8 words: what it is (0 for nothing), an axis or
// routine, and two numbers of 64 bits.
void note_fault(volatile __global int* const fault, const int kind, const int where, const long found,
                const long limit) {
  if (atomic_cmpxchg(fault, 0, kind) != 0) return;
  fault[1] = where;
  *(volatile __global long*)(fault + 2) = found;
  *(volatile __global long*)(fault + 4) = limit;
}
