/** The dtype to which several arrays promote. */
import type { DTypeName, TypedDType } from "./dtype-name.js";
import type { Promote } from "./promote.js";

interface Typed<D extends DTypeName> {
  readonly dtype: TypedDType<D>;
}

/** Dtype of a list of joined arrays. */
export type PromotedDType<A extends readonly unknown[]> = A extends readonly [Typed<infer D>, ...infer Others]
  ? Others extends readonly []
    ? D
    : Promote<D, PromotedDType<Others>>
  : A extends readonly Typed<infer D>[]
    ? Promote<D, D>
    : DTypeName;
