/** Arrays as stacks of matrices: validated, converted, and copied into contiguous memory. */
import { outOfRange, wrongType } from "@cl/base";
import { broadcastShapes } from "../../shapes/broadcast-shapes.js";
import { checkArray } from "../../storage/check-array.js";
import { checkComputable } from "../../types/capabilities.js";
import { filled } from "../../storage/filled.js";
import { numberElement } from "../../creation/number-element.js";
import type { DTypeName } from "../../types/dtype-name.js";
import { promote, type Promote, type QuotientDType, quotientDType } from "../../types/promote.js";
import type { SolverType } from "./number-source.js";
import type { AnyArray, ArrayRef, ArraySource } from "../../storage/array-ref.js";
import { fill } from "../../elementwise/assign.js";

/** An array of matrices. */
export function checkMatrices(value: unknown, xp: Pick<ArraySource, "queue">, name: string, what: string): ArrayRef {
  const array = checkArray(value, xp, name);
  if (array.ndim >= 2) return array;
  throw outOfRange(`${what}: ${name} must have at least two axes, received shape [${array.shape.join()}]`);
}

/** An array of square matrices. */
export function checkSquare(value: unknown, xp: Pick<ArraySource, "queue">, name: string, what: string): ArrayRef {
  const array = checkMatrices(value, xp, name, what);
  const [rows, columns] = array.shape.slice(-2);
  if (rows === columns) return array;
  throw outOfRange(`${what}: ${name} must be square matrices, received shape [${array.shape.join()}]`);
}

/** The dtype in which arrays of dtype `D` are solved. */
export type SolverTypeOf<D extends DTypeName> = Extract<QuotientDType<D>, SolverType>;

/** The dtype in which arrays of dtypes `D` and `E` are solved together. */
export type CommonSolverType<D extends DTypeName, E extends DTypeName> = Extract<
  Promote<QuotientDType<D>, QuotientDType<E>>,
  SolverType
>;

/** {@link solverType} of arrays of two dtypes. */
export function commonSolverType<D extends DTypeName, E extends DTypeName>(
  what: string,
  ...arrays: readonly ArrayRef<D | E>[]
): CommonSolverType<D, E> {
  return solverType(what, ...arrays) as CommonSolverType<D, E>;
}

/** The type that arrays are solved in: integers as float64, and halves not at all, as NumPy has it. */
export function solverType<D extends DTypeName>(what: string, ...arrays: readonly ArrayRef<D>[]): SolverTypeOf<D> {
  const types = arrays.map(({ dtype }) => quotientDType(dtype.name));
  if (types.includes("float16")) {
    throw wrongType(`${what} does not support float16; convert with astype("float32")`);
  }
  const type = types.reduce((a: DTypeName, b) => promote(a, b)) as SolverTypeOf<D>;
  for (const { xp } of arrays) checkComputable(xp.queue.device, type, what);
  return type;
}

/** Returns contiguous copies of the matrices: `[matrices, rows, columns]`. */
export function stackOf<S extends SolverType>(array: ArrayRef, dtype: S): ArrayRef<S> {
  const [rows = 1, columns = 1] = array.shape.slice(-2);
  using copy = array.dtype.name === dtype ? array.copy() : array.astype(dtype);
  return copy.reshape([countOf(array.shape), rows, columns]) as ArrayRef<S>;
}

/** The extents before the last two. */
export function leading(array: AnyArray): readonly number[] {
  return array.shape.slice(0, -2);
}

/** How many matrices there are. */
export function countOf(shape: readonly number[]): number {
  return shape.slice(0, -2).reduce((product, extent) => product * extent, 1);
}

/** What two stacks are broadcast to. */
export function commonStack(one: AnyArray, other: AnyArray, what: string): readonly number[] {
  try {
    return broadcastShapes([leading(one), leading(other)]);
  } catch {
    throw outOfRange(
      `${what}: stacks of matrices must be broadcastable, received shapes [${one.shape.join()}] and [${other.shape.join()}]`,
    );
  }
}

/** Calls a function, and releases the array if it throws. */
export function releaseOnError<R>(array: AnyArray, make: () => R): R {
  try {
    return make();
  } catch (error) {
    array.release();
    throw error;
  }
}

/** A stack of identities. */
export function identities<S extends SolverType>(
  xp: ArraySource,
  count: number,
  rows: number,
  columns: number,
  dtype: S,
): ArrayRef<S> {
  return filled(xp.zeros([count, rows, columns], { dtype }), (stack) => {
    using line = stack.diagonal({ axis1: 1, axis2: 2 });
    if (line.size > 0) fill(line, numberElement(dtype, 1));
  });
}
