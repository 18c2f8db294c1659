/** The type that holds the values of several arrays. */
import type { DTypeName, TypedDType } from "./dtype-name.js";
import type { Promote } from "./promote.js";

interface Typed<D extends DTypeName> {
  readonly dtype: TypedDType<D>;
}

/** What arrays of a list become together. */
export type Joined<A extends readonly unknown[]> = A extends readonly [Typed<infer D>, ...infer Others]
  ? Others extends readonly []
    ? D
    : Promote<D, Joined<Others>>
  : A extends readonly Typed<infer D>[]
    ? Promote<D, D>
    : DTypeName;
