/** Linear equations: by LU, by an existing triangle, and the inverse. */
import { outOfRange, wrongType } from "@cl/base";
import { solveLower, solveUpper } from "./blocked.js";
import { LuStack } from "./lu-stack.js";
import { MatrixBlock } from "./matrix-block.js";
import type { SolverType } from "./number-source.js";
import {
  type CommonSolverType,
  commonSolverType,
  commonStack,
  countOf,
  identities,
  solverType,
  type SolverTypeOf,
  stackOf,
} from "./stacks.js";
import type { ArrayRef } from "../../storage/array-ref.js";
import type { DTypeName } from "../../types/dtype-name.js";

/** Solves `a x = b`; `b` of one axis is one column. */
export function solve<D extends DTypeName, E extends DTypeName>(
  a: ArrayRef<D>,
  b: ArrayRef<E>,
): ArrayRef<CommonSolverType<D, E>> {
  const dtype = commonSolverType<D, E>("solve", a, b);
  using sides = rightSides(a, b, dtype, "solve");
  using matrices = sides.broadcast(a);
  using lu = LuStack.of(matrices, dtype);
  lu.solve(MatrixBlock.of(sides.x), "solve", a.ndim > 2);
  return sides.x.reshape(sides.shape);
}

/** Solves with an existing decomposition of `a`. */
export function solveBy<S extends SolverType>(lu: LuStack<S>, a: ArrayRef, b: ArrayRef): ArrayRef<S> {
  const dtype = lu.factors.dtype.name;
  const own = solverType("solve", a, b);
  if (own !== dtype) {
    throw wrongType(
      `solve: the factors must be ${own} for a b of ${b.dtype.name}, received ${dtype}; convert one of them`,
    );
  }
  using sides = rightSides(a, b, dtype, "solve");
  const count = sides.x.shape[0] as number;
  if (count !== lu.factors.shape[0] && lu.factors.shape[0] !== 1) {
    throw outOfRange(
      `solve: factors of the shape [${a.shape.join()}] cannot be broadcast to b of the shape [${b.shape.join()}]`,
    );
  }
  lu.solve(MatrixBlock.of(sides.x), "solve", a.ndim > 2);
  return sides.x.reshape(sides.shape);
}

/** Returns the inverse. Without `notes`, a singular matrix is not reported, and its inverse is not finite. */
export function inverse<D extends DTypeName>(a: ArrayRef<D>, notes = true): ArrayRef<SolverTypeOf<D>> {
  const dtype = solverType("inv", a);
  using lu = LuStack.of(a, dtype);
  const size = a.shape.at(-1) as number;
  using x = identities(a.xp, countOf(a.shape), size, size, dtype);
  lu.solve(MatrixBlock.of(x), notes ? "inv" : undefined, a.ndim > 2);
  return x.reshape(a.shape);
}

/** Options of `solveTriangular`. */
export interface TriangularOptions {
  /**
   * Whether to use the lower triangle of the matrix, instead of the upper one. The other one is not read.
   * @defaultValue false
   */
  readonly lower?: boolean;
  /**
   * Solves with the transposed matrix (`"T"`) or the adjoint (`"C"`).
   * @defaultValue "N"
   */
  readonly trans?: "N" | "T" | "C";
  /**
   * If true, the diagonal is taken to be 1 and not read.
   * @defaultValue false
   */
  readonly unitDiagonal?: boolean;
}

/** Solves with one triangle of `a`. */
export function solveTriangular<D extends DTypeName, E extends DTypeName>(
  a: ArrayRef<D>,
  b: ArrayRef<E>,
  { lower = false, trans = "N", unitDiagonal = false }: TriangularOptions,
): ArrayRef<CommonSolverType<D, E>> {
  const dtype = commonSolverType<D, E>("solveTriangular", a, b);
  using sides = rightSides(a, b, dtype, "solveTriangular");
  using matrices = sides.broadcast(a);
  using stack = stackOf(matrices, dtype);
  const x = MatrixBlock.of(sides.x);
  const own = MatrixBlock.of(stack).repeated(x.count);
  const triangle = trans === "N" ? own : own.transposed;
  const solveWith = lower === (trans === "N") ? solveLower : solveUpper;
  solveWith(triangle, x, {
    unit: unitDiagonal,
    conjugated: trans === "C",
    routine: "solveTriangular",
    stacked: stack.shape[0] !== 1,
  });
  return sides.x.reshape(sides.shape);
}

/** What is solved for. */
interface Sides<S extends SolverType> {
  /** Copies of the right-hand sides, `[matrices, rows, columns]`. */
  readonly x: ArrayRef<S>;
  /** That of the result. */
  readonly shape: readonly number[];
  /** As many matrices as right-hand sides, or one for all. */
  broadcast(a: ArrayRef): ArrayRef;
  [Symbol.dispose](): void;
}

/** Checks that shapes fit, and copies the right-hand sides. */
function rightSides<S extends SolverType>(a: ArrayRef, b: ArrayRef, dtype: S, what: string): Sides<S> {
  const size = a.shape.at(-1) as number;
  const isVector = b.ndim === 1;
  using columns = isVector ? b.expandDims(1) : b.slice();
  if (columns.ndim < 2 || columns.shape.at(-2) !== size) {
    throw outOfRange(
      `${what}: b must have ${size} rows for matrices of the shape [${a.shape.join()}], received shape [${b.shape.join()}]`,
    );
  }
  const stack = commonStack(a, columns, what);
  using all = columns.broadcastTo([...stack, size, columns.shape.at(-1) as number]);
  const x = stackOf(all, dtype);
  return {
    x,
    shape: [...stack, size, ...(isVector ? [] : columns.shape.slice(-1))],
    // One matrix is decomposed once, however many right-hand sides there are.
    broadcast: (one) => (countOf(one.shape) === 1 ? one.slice() : one.broadcastTo([...stack, size, size])),
    [Symbol.dispose]: () => x.release(),
  };
}
