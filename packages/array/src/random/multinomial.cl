// Multinomial counts: each work-item draws a row, a binomial number after the other. Depends on binomial.cl.
//   T: the type of elements in memory
//   STORE(i, number): the statement that stores a number

__kernel void fill_rows(__global T* const out, const Stream by, __global const double* const n, const long n_step,
                        const double n_all, __global const double* const chances, const int kinds) {
  const long row = (long)get_global_id(0);
  if (row >= by.end) return;
  double rest = n_step == 0 ? n_all : n[row];
  for (int kind = 0; kind < kinds; kind++) {
    const long place = row * kinds + kind;
    const Law law = law_of(rest, chances[kind]);
    const double drawn = binomial(&by, (ulong)place, 0, &law);
    rest -= drawn;
    STORE(place, drawn)
  }
}
