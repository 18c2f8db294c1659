/** Eigenvalues and eigenvectors of Hermitian matrices, by one-sided Jacobi rotations. */
import { kindOf, realOf } from "../../types/promote.js";
import type { RealOf } from "../../types/results.js";
import { addProduct } from "./blocked.js";
import { adjoint } from "./cholesky.js";
import { turnRows } from "./jacobi.js";
import { MatrixBlock } from "./matrix-block.js";
import type { SolverType } from "./number-source.js";
import { Scope } from "./scope.js";
import { scaledBy } from "./singular-values.js";
import { leading, solverType, type SolverTypeOf, stackOf } from "./stacks.js";
import type { ArrayRef } from "../../storage/array-ref.js";
import type { DTypeName } from "../../types/dtype-name.js";
import * as reductions from "../../reductions/reduce.js";
import { operators } from "../../elementwise/operators.js";
import { triangle } from "../../creation/bands.js";
import { fill } from "../../elementwise/assign.js";
import { sortArray } from "../../sorting/sort-array.js";
import { imaginaryParts, realParts } from "../../elementwise/complex-parts.js";

/** Eigenvalues in ascending order, and eigenvectors in columns; of one triangle. */
export function eigen<D extends DTypeName>(
  a: ArrayRef<D>,
  upper: boolean,
): [w: ArrayRef<RealOf<SolverTypeOf<D>>>, v: ArrayRef<SolverTypeOf<D>>] {
  const dtype = solverType("eigh", a);
  const { xp } = a;
  const real = realOf(dtype) as RealOf<SolverTypeOf<D>>;
  if (a.size === 0) {
    using scope = new Scope();
    const w = scope.keep(xp.zeros(a.shape.slice(0, -1), { dtype: real }));
    const v = xp.zeros(a.shape, { dtype });
    return [scope.give(w), v];
  }
  using scope = new Scope();
  const whole = hermitian(scope, scope.keep(stackOf(a, dtype)), upper);
  const { scaled, largest } = scaledBy(scope, whole);
  // With more than its norm on the diagonal a matrix is positive definite: what turns its columns until they are orthogonal
  // leaves them eigenvectors times eigenvalues, of which none is near 0. The fourth power's norm is not much more.
  const powers = squared(scope, squared(scope, scaled));
  const norms = scope.keep(operators.power(scope.keep(reductions.norm(powers, { axis: [1, 2] })), 0.25));
  const shift = scope.keep(scope.keep(operators.maximum(scope.keep(operators.multiply(norms, 1.25)), 1)).expandDims(1));
  const shifted = scope.keep(scaled.copy());
  const line = scope.keep(shifted.diagonal({ axis1: 1, axis2: 2 }));
  line.assign(scope.keep(operators.add(line, shift)));
  const rows = scope.keep(scope.keep(shifted.swapaxes(1, 2)).copy());
  const turned = turnRows(rows, "eigh", a.ndim > 2, false);
  for (const one of [turned.lengths, turned.units, turned.turns]) scope.keep(one);
  const vectors = scope.keep(scope.keep(scope.keep(turned.units.slice(":", "::-1")).swapaxes(1, 2)).copy());
  // Values by way of vectors lose nothing to the shift.
  const images = scope.keep(xp.empty(vectors.shape, { dtype }));
  addProduct(MatrixBlock.of(images), MatrixBlock.of(scaled), MatrixBlock.of(vectors), { keep: false });
  const products = scope.keep(operators.multiply(scope.keep(operators.conj(vectors)), images));
  const values = scope.keep(
    operators.multiply(scope.keep(realParts(scope.keep(reductions.sum(products, { axis: 1 })))), largest),
  );
  const sorted = scope.keep(sortArray(values, { axis: -1 }));
  const w = sorted.reshape([...leading(a), a.shape.at(-1) as number]) as ArrayRef<RealOf<SolverTypeOf<D>>>;
  scope.keep(w);
  const v = vectors.reshape(a.shape) as ArrayRef<SolverTypeOf<D>>;
  return [scope.give(w), v];
}

/** Returns the squares of the matrices. */
function squared(scope: Scope, stack: ArrayRef<SolverType>): ArrayRef<SolverType> {
  const result = scope.keep(stack.xp.empty(stack.shape, { dtype: stack.dtype.name }));
  const block = MatrixBlock.of(stack);
  addProduct(MatrixBlock.of(result), block, block, { keep: false });
  return result;
}

/** The Hermitian matrices whose one triangle is that of others. */
function hermitian(scope: Scope, stack: ArrayRef<SolverType>, upper: boolean): ArrayRef<SolverType> {
  const { xp } = stack;
  const own = scope.keep(triangle(xp, stack, upper ? "upper" : "lower"));
  const strict = scope.keep(
    upper ? triangle(xp, stack, "upper", { diagonal: 1 }) : triangle(xp, stack, "lower", { diagonal: -1 }),
  );
  const whole = scope.keep(operators.add(own, scope.keep(adjoint(strict)))) as unknown as ArrayRef<SolverType>;
  if (kindOf(stack.dtype.name) === 4) {
    // As LAPACK does: the diagonal of a Hermitian matrix is real.
    fill(scope.keep(imaginaryParts(scope.keep(whole.diagonal({ axis1: 1, axis2: 2 })))), 0);
  }
  return whole;
}
