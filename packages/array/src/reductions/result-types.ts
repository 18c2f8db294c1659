/** Element types that reductions give, as TypeScript types and at run time. */
import type { DTypeName } from "../types/dtype-name.js";
import { type Divided, kindOf } from "../types/promote.js";
import type { RealOf } from "../types/results.js";

/** What sums and products of elements are: integers become as wide as there are, so that few sums overflow. */
export type Summed<D extends DTypeName> = D extends "bool" | "int8" | "int16" | "int32" | "int64"
  ? "int64"
  : D extends "uint8" | "uint16" | "uint32" | "uint64"
    ? "uint64"
    : D;

/** What variances and norms of elements are. */
export type Measured<D extends DTypeName> = RealOf<Divided<D>>;

/** {@link Summed} at run time. */
export function summed(dtype: DTypeName): DTypeName {
  const kind = kindOf(dtype);
  if (kind > 2) return dtype;
  return kind === 1 ? "uint64" : "int64";
}
