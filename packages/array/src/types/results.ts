/** Dtypes of results, for the type checker; expression/signatures.ts has the same rules at run time. */
import type { DTypeName, TypedDType } from "./dtype-name.js";
import type { ListDType, ListOperand } from "./list-type.js";
import type {
  FloatingDType,
  FloatingDTypeWithScalar,
  Promote,
  PromoteScalar,
  QuotientDType,
  WeakScalar,
} from "./promote.js";

/** Dtypes of the results of operators whose operands promote to `D`, by rule. */
export interface Results<D extends DTypeName> {
  /** The dtype is unchanged. */
  readonly same: D;
  /** The dtype is unchanged; bool is not supported. */
  readonly number: D;
  /** bool is treated as int8. */
  readonly power: WithoutBool<D>;
  /** bool is treated as int8; complex numbers are not supported. */
  readonly integer: WithoutBool<D>;
  /** Integers only, and bool as int8. */
  readonly shift: WithoutBool<D>;
  /** Integers only. */
  readonly integers: D;
  /** bool and integers only. */
  readonly bits: D;
  /** bool and integers only; the result is a small integer. */
  readonly count: "uint8";
  /** Integers become float64. */
  readonly division: QuotientDType<D>;
  /** All dtypes become float64 or complex128. */
  readonly doubles: Promote<D, "float64">;
  /** Integers become the smallest float that holds them. */
  readonly floating: FloatingDType<D>;
  /** As `floating`; complex numbers are not supported. */
  readonly real: FloatingDType<D>;
  /** As `real` for the first operand; the second one is an integer. */
  readonly scale: FloatingDType<D>;
  /** As `floating`; the result is real. */
  readonly angle: RealOf<FloatingDType<D>>;
  /** As `real`; the result is a 32-bit integer. */
  readonly exponent: "int32";
  /** Integers and bool are returned unchanged; floats are rounded. */
  readonly rounding: D;
  /** The dtype is unchanged, but complex numbers become real. */
  readonly magnitude: RealOf<D>;
  /** The result is bool; operands keep their dtype. */
  readonly comparison: "bool";
  /** The result is bool, of one operand. */
  readonly test: "bool";
  /** The result is bool, of one operand; complex numbers are not supported. */
  readonly realTest: "bool";
  /** Operands and result are bool. */
  readonly logical: "bool";
  /** The first operand is bool; the others keep their dtype. */
  readonly choice: D;
  /** Integers become float64; complex numbers are not supported. */
  readonly special: QuotientDType<D>;
  /** Integers become float64, and the result is complex. */
  readonly complexSpecial: ComplexOf<QuotientDType<D>>;
  /** Two real numbers become a complex one. */
  readonly complex: ComplexOf<D>;
}

/** Name of a type rule. */
export type Rule = keyof Results<DTypeName>;

/** Dtype of the parts of a complex dtype; real dtypes themselves. */
export type RealOf<D extends DTypeName> = D extends "complex64" ? "float32" : D extends "complex128" ? "float64" : D;

/** Dtype of complex numbers whose parts have a floating-point dtype. */
export type ComplexOf<D extends DTypeName> = D extends "float64" | "complex128" ? "complex128" : "complex64";
type WithoutBool<D extends DTypeName> = D extends "bool" ? "int8" : D;

/** Anything with an array's dtype. */
interface Typed<D extends DTypeName> {
  readonly dtype: TypedDType<D>;
}

/** Dtype of an operand: an array, a list or a scalar. */
export type OperandDType<X> =
  X extends Typed<infer D> ? D : X extends ListOperand ? ListDType<X> : PromoteScalar<"bool", X>;

/** The operand, with lists as arrays. */
type WithoutList<X> = X extends ListOperand ? Typed<ListDType<X>> : X;

/** Dtype of an operator's result for an array of dtype `D` and another operand: an array, a list or a scalar. */
export type ResultWith<R extends Rule, D extends DTypeName, V> = ResultWithout<R, D, WithoutList<V>>;

type ResultWithout<R extends Rule, D extends DTypeName, V> =
  V extends Typed<infer E>
    ? R extends "real" | "floating"
      ? Promote<FloatingDType<D>, FloatingDType<E>>
      : R extends "scale"
        ? FloatingDType<D>
        : Results<Promote<D, E>>[R]
    : R extends "scale"
      ? FloatingDType<D>
      : R extends "real" | "floating"
        ? FloatingDTypeWithScalar<D, V>
        : Results<PromoteScalar<D, V>>[R];

/** Dtype of an operator's result for two operands. The first of two scalars counts as an array. */
export type ResultOf<R extends Rule, X, Y> =
  WithoutList<X> extends Typed<infer D>
    ? ResultWith<R, D, Y>
    : WithoutList<Y> extends Typed<infer E>
      ? ResultWith<R, E, X>
      : ResultWith<R, OperandDType<X>, Y>;

/** Dtype of an operator's result for three operands. */
export type ResultOfThree<R extends Rule, X, Y, Z> = [X, Y] extends [WeakScalar, WeakScalar]
  ? ResultOf<R, X, Z>
  : ResultOf<R, Typed<ResultOf<R, X, Y>>, Z>;

/** Dtype of a selection from two operands. Two scalars have the dtype of an array of them. */
export type Chosen<X, Y> = ResultOf<"same", X, Y>;
