/**
 * OpenCL C of multinomial counts: each row is drawn by one work-item, a binomial number after the other, and each count
 * has a block of the stream.
 */
import { macros } from "../kernels/macros.js";
import type { DTypeName } from "../types/dtype-name.js";
import binomial from "./binomial.cl";
import { attemptSource, doubles, realHead, storeMacros } from "./element-source.js";
import type { GeneratorName } from "./generators.js";
import multinomial from "./multinomial.cl";

/** Returns the kernel `fill_rows`; `chances` has the probability of each kind given that no earlier kind was drawn. */
export function multinomialSource(generator: GeneratorName, dtype: DTypeName): string {
  return `${doubles}${attemptSource(generator, false, 1)}${realHead}${binomial}${macros(storeMacros(dtype))}${multinomial}`;
}
