/** The types of results, for the type checker; expression/signatures.ts has the same rules at run time. */
import type { DTypeName, TypedDType } from "./dtype-name.js";
import type { Divided, Floating, FloatingBeside, Promote, PromoteScalar } from "./promote.js";

/** What an operator gives whose operands promote to `D`, by the rule of the operator. */
export interface Results<D extends DTypeName> {
  /** The type stays. */
  readonly same: D;
  /** The type stays, and booleans have no such operation. */
  readonly number: D;
  /** Booleans count as int8. */
  readonly power: WithoutBool<D>;
  /** Booleans count as int8, and complex numbers have no such operation. */
  readonly integer: WithoutBool<D>;
  /** Integers, and booleans as int8. */
  readonly shift: WithoutBool<D>;
  /** Integers only. */
  readonly integers: D;
  /** Booleans and integers. */
  readonly bits: D;
  /** Booleans and integers; the result is a small number. */
  readonly count: "uint8";
  /** Integers become float64. */
  readonly division: Divided<D>;
  /** All become float64 or complex128. */
  readonly doubles: Promote<D, "float64">;
  /** Integers become the smallest float that holds them. */
  readonly floating: Floating<D>;
  /** The same, and complex numbers have no such operation. */
  readonly real: Floating<D>;
  /** The same for the first operand; the second are integers. */
  readonly scale: Floating<D>;
  /** The same; the result is real. */
  readonly angle: RealOf<Floating<D>>;
  /** The same for real numbers; the result is a 32-bit integer. */
  readonly exponent: "int32";
  /** Integers and booleans stay as they are and nothing happens to them; floats are rounded. */
  readonly rounding: D;
  /** The type stays; complex numbers become real. */
  readonly magnitude: RealOf<D>;
  /** The result is boolean, operands keep their type. */
  readonly comparison: "bool";
  /** The same, of one operand. */
  readonly test: "bool";
  /** The same, and complex numbers have no such operation. */
  readonly realTest: "bool";
  /** Operands and result are boolean. */
  readonly logical: "bool";
  /** The first operand is boolean, and the others keep their type. */
  readonly choice: D;
  /** Integers become float64, and complex numbers have no such operation. */
  readonly special: Divided<D>;
  /** The same, and all become complex. */
  readonly complexSpecial: ComplexOf<Divided<D>>;
  /** Two real numbers become a complex one. */
  readonly complex: ComplexOf<D>;
}

/** How an operator's types come about. */
export type Rule = keyof Results<DTypeName>;

/** The type of a complex number's parts; real types themselves. */
export type RealOf<D extends DTypeName> = D extends "complex64" ? "float32" : D extends "complex128" ? "float64" : D;

type ComplexOf<D extends DTypeName> = D extends "float64" | "complex128" ? "complex128" : "complex64";
type WithoutBool<D extends DTypeName> = D extends "bool" ? "int8" : D;

/** What is typed as an array's elements are. */
interface Typed<D extends DTypeName> {
  readonly dtype: TypedDType<D>;
}

/** What an operator gives for an array with elements `D` and another operand, an array or a value. */
export type ResultWith<R extends Rule, D extends DTypeName, V> =
  V extends Typed<infer E>
    ? R extends "real" | "floating"
      ? Promote<Floating<D>, Floating<E>>
      : R extends "scale"
        ? Floating<D>
        : Results<Promote<D, E>>[R]
    : R extends "scale"
      ? Floating<D>
      : R extends "real" | "floating"
        ? FloatingBeside<D, V>
        : Results<PromoteScalar<D, V>>[R];

/** What an operator gives for two operands, one of which is an array. */
export type ResultOf<R extends Rule, X, Y> =
  X extends Typed<infer D> ? ResultWith<R, D, Y> : Y extends Typed<infer E> ? ResultWith<R, E, X> : never;

/** What an operator gives for three operands, one of which is an array. */
export type ResultOfThree<R extends Rule, X, Y, Z> = [ResultOf<R, X, Y>] extends [never]
  ? ResultOf<R, X, Z>
  : ResultOf<R, Typed<ResultOf<R, X, Y>>, Z>;

/** What one of two operands is chosen as. Two values are what they would be in an array of their own. */
export type Chosen<X, Y> =
  X extends Typed<infer D>
    ? ResultWith<"same", D, Y>
    : Y extends Typed<infer E>
      ? ResultWith<"same", E, X>
      : PromoteScalar<PromoteScalar<"bool", X>, Y>;
