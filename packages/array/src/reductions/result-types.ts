/** Dtypes of reductions, as TypeScript types and at run time. */
import type { DTypeName } from "../types/dtype-name.js";
import { kindOf, type QuotientDType } from "../types/promote.js";
import type { RealOf } from "../types/results.js";

/** Dtype of sums and products: integers are widened to 64 bits, so that few sums overflow. */
export type SumDType<D extends DTypeName> = D extends "bool" | "int8" | "int16" | "int32" | "int64"
  ? "int64"
  : D extends "uint8" | "uint16" | "uint32" | "uint64"
    ? "uint64"
    : D;

/** Dtype of variances and norms. */
export type VarianceDType<D extends DTypeName> = RealOf<QuotientDType<D>>;

/** {@link SumDType} at run time. */
export function sumDType(dtype: DTypeName): DTypeName {
  const kind = kindOf(dtype);
  if (kind > 2) return dtype;
  return kind === 1 ? "uint64" : "int64";
}
