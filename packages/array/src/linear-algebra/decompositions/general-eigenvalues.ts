/** Eigenvalues and eigenvectors of general square matrices, by the QR algorithm. */
import { faultNotes } from "../../faults/device-faults.js";
import { routineNumber } from "../../faults/solver-faults.js";
import { realOf } from "../../types/promote.js";
import type { DTypeName } from "../../types/dtype-name.js";
import type { QuotientDType } from "../../types/promote.js";
import type { ComplexOf, RealOf } from "../../types/results.js";
import { addProduct } from "./blocked.js";
import { MatrixBlock } from "./matrix-block.js";
import { groupSize, runSolver } from "./run-solver.js";
import { hessenberg, schur, triangleVectors, vectorLengths } from "./schur-source.js";
import { Scope } from "./scope.js";
import { scaledBy } from "./singular-values.js";
import { identities, leading, solverType, stackOf } from "./stacks.js";
import type { ArrayRef } from "../../storage/array-ref.js";
import { operators } from "../../elementwise/operators.js";

/** The dtypes of eigenvalues: those of real matrices are complex, too, because a dtype cannot depend on values. */
type ComplexType = "complex64" | "complex128";
export type ComplexTypeOf<D extends DTypeName> = Extract<ComplexOf<QuotientDType<D>>, ComplexType>;

/** A stack of Schur decompositions of balanced matrices. */
interface Schur<C extends ComplexType> {
  /** The triangles. */
  readonly triangle: ArrayRef<C>;
  /** The transposed Schur vectors; of no meaning unless they are wanted. */
  readonly vectors: ArrayRef<C>;
  /** The factors by which rows of vectors are multiplied to undo the balancing: `[matrices, rows]`. */
  readonly scales: ArrayRef<RealOf<C>>;
  /** What the matrices were divided by: `[matrices, 1]`. */
  readonly largest: ArrayRef;
}

/** The eigenvalues, in no particular order. */
export function eigenvalues<D extends DTypeName>(a: ArrayRef<D>): ArrayRef<ComplexTypeOf<D>> {
  const dtype = complexType("eigvals", a);
  if (a.size === 0) return a.xp.zeros(a.shape.slice(0, -1), { dtype });
  using scope = new Scope();
  return valuesOf(scope, a, decompose(scope, a, dtype, "eigvals"));
}

/** The eigenvalues, and eigenvectors of length 1 in columns. */
export function generalEigen<D extends DTypeName>(
  a: ArrayRef<D>,
): readonly [w: ArrayRef<ComplexTypeOf<D>>, v: ArrayRef<ComplexTypeOf<D>>] {
  const dtype = complexType("eig", a);
  const { xp } = a;
  using scope = new Scope();
  if (a.size === 0) {
    const none = scope.keep(xp.zeros(a.shape.slice(0, -1), { dtype }));
    const vectors = xp.zeros(a.shape, { dtype });
    return [scope.give(none), vectors];
  }
  const parts = decompose(scope, a, dtype, "eig");
  const w = scope.keep(valuesOf(scope, a, parts));
  const block = MatrixBlock.of(parts.triangle);
  const { count, rows: size } = block;
  const { queue } = xp;
  const sizes = { global: [size, count] };
  const newStack = (): typeof w => scope.keep(xp.empty([count, size, size], { dtype }));
  const [inTriangle, rows, columns] = [newStack(), newStack(), newStack()];
  const storageOf = (array: ArrayRef): ReturnType<typeof faultNotes> => array.operand().storage;
  runSolver(queue, triangleVectors, dtype, sizes, [storageOf(inTriangle)], [block.storage], [block.place, size]);
  addProduct(MatrixBlock.of(rows), MatrixBlock.of(inTriangle), MatrixBlock.of(parts.vectors), { keep: false });
  const reads = [storageOf(rows), storageOf(parts.scales)];
  runSolver(queue, vectorLengths, dtype, sizes, [storageOf(columns)], reads, [size]);
  const v = columns.reshape(a.shape);
  return [scope.give(w), v];
}

/** The complex dtype of the eigenvalues of a matrix. */
export function complexType<D extends DTypeName>(what: string, a: ArrayRef<D>): ComplexTypeOf<D> {
  return (realOf(solverType(what, a)) === "float32" ? "complex64" : "complex128") as ComplexTypeOf<D>;
}

function decompose<C extends ComplexType>(scope: Scope, a: ArrayRef, dtype: C, routine: "eig" | "eigvals"): Schur<C> {
  const { xp } = a;
  const { queue } = xp;
  const { scaled, largest } = scaledBy(scope, scope.keep(stackOf(a, solverType(routine, a))));
  const triangle = scope.keep(scaled.astype(dtype));
  const [count = 0, size = 0] = triangle.shape;
  const hasVectors = routine === "eig";
  const vectors = scope.keep(hasVectors ? identities(xp, count, size, size, dtype) : triangle.slice());
  const scales = scope.keep(xp.empty([count, size], { dtype: realOf(dtype) as RealOf<C> }));
  using scratch = xp.empty([count, 2, size], { dtype });
  const local = groupSize(queue);
  const sizes = { global: local * count, local };
  const [block, others] = [MatrixBlock.of(triangle), MatrixBlock.of(vectors)];
  const places = [block.place, others.place, size, Number(hasVectors)];
  const written = [scales, scratch].map((array) => array.operand().storage);
  runSolver(queue, hessenberg, dtype, sizes, [block.storage, others.storage, ...written], [], places);
  const notes = faultNotes(xp);
  const rest = [...places, routineNumber(routine), Number(a.ndim > 2)];
  runSolver(queue, schur, dtype, sizes, [block.storage, others.storage], [notes], rest);
  return { triangle, vectors, scales, largest };
}

function valuesOf<C extends ComplexType>(scope: Scope, a: ArrayRef, { triangle, largest }: Schur<C>): ArrayRef<C> {
  const diagonal = scope.keep(triangle.diagonal({ axis1: 1, axis2: 2 }));
  const values = scope.keep(operators.multiply(diagonal, largest)) as unknown as ArrayRef<C>;
  return values.reshape([...leading(a), a.shape.at(-1) as number]);
}
