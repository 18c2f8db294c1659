/**
 * OpenCL C of multinomial counts: each row is drawn by one work-item, a binomial number after the other, and each count
 * has a block of the stream.
 */
import { storedType } from "../kernels/compute-type.js";
import type { DTypeName } from "../types/dtype-name.js";
import { attemptSource, binomial, doubles, realHead, storedNumber } from "./element-source.js";
import type { GeneratorName } from "./generators.js";

/** Returns the kernel; `chances` has the probability of each kind given that no earlier kind was drawn. */
export function multinomialSource(generator: GeneratorName, dtype: DTypeName): string {
  return `${doubles}${attemptSource(generator, false, 1)}
${realHead}${binomial}
__kernel void fill_rows(__global ${storedType(dtype)} *const out, const Stream by, __global const double *const n, const long n_step, const double n_all, __global const double *const chances, const int kinds) {
  const long row = (long)get_global_id(0);
  if (row >= by.end) return;
  double rest = n_step == 0 ? n_all : n[row];
  for (int kind = 0; kind < kinds; kind++) {
    const long place = row * kinds + kind;
    const Law law = law_of(rest, chances[kind]);
    const double drawn = binomial(&by, (ulong)place, 0, &law);
    rest -= drawn;
    ${storedNumber(dtype, "place", "drawn")}
  }
}
`;
}
