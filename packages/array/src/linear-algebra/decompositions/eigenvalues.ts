/** Eigenvalues and eigenvectors of Hermitian matrices, by one-sided Jacobi rotations. */
import type { DeviceArray } from "../../array/device-array.js";
import { kindOf, realOf } from "../../types/promote.js";
import type { RealOf } from "../../types/results.js";
import { addProduct } from "./blocked.js";
import { adjoint } from "./cholesky.js";
import { turnRows } from "./jacobi.js";
import { MatrixBlock } from "./matrix-block.js";
import type { SolverType } from "./number-source.js";
import { Scope } from "./scope.js";
import { scaledBy } from "./singular-values.js";
import { leading, solverType, stackOf } from "./stacks.js";

/** Eigenvalues in ascending order, and eigenvectors in columns; of one triangle. */
export function eigen(
  a: DeviceArray,
  upper: boolean,
): readonly [w: DeviceArray<RealOf<SolverType>>, v: DeviceArray<SolverType>] {
  const dtype = solverType("eigh", a);
  const { xp } = a;
  const real = realOf(dtype) as RealOf<SolverType>;
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
  const norms = scope.keep(scope.keep(powers.norm({ axis: [1, 2] })).power(0.25));
  const shift = scope.keep(scope.keep(xp.maximum(scope.keep(norms.mul(1.25)), 1)).expandDims(1));
  const shifted = scope.keep(scaled.copy());
  const line = scope.keep(shifted.diagonal({ axis1: 1, axis2: 2 }));
  line.assign(scope.keep(line.add(shift)));
  const rows = scope.keep(scope.keep(shifted.swapaxes(1, 2)).copy());
  const turned = turnRows(rows, "eigh", a.ndim > 2, false);
  for (const one of [turned.lengths, turned.units, turned.turns]) scope.keep(one);
  const vectors = scope.keep(scope.keep(scope.keep(turned.units.slice(":", "::-1")).swapaxes(1, 2)).copy());
  // Values by way of vectors lose nothing to the shift.
  const images = scope.keep(xp.empty(vectors.shape, { dtype }));
  addProduct(MatrixBlock.of(images), MatrixBlock.of(scaled), MatrixBlock.of(vectors), { keep: false });
  const products = scope.keep(scope.keep(vectors.conj()).mul(images));
  const values = scope.keep(scope.keep(scope.keep(products.sum({ axis: 1 })).real).mul(largest));
  const sorted = scope.keep(values.sort({ axis: -1 })) as unknown as DeviceArray<RealOf<SolverType>>;
  const w = scope.keep(sorted.reshape([...leading(a), a.shape.at(-1) as number]));
  const v = vectors.reshape(a.shape);
  return [scope.give(w), v];
}

/** Returns the squares of the matrices. */
function squared(scope: Scope, stack: DeviceArray<SolverType>): DeviceArray<SolverType> {
  const result = scope.keep(stack.xp.empty(stack.shape, { dtype: stack.dtype.name }));
  const block = MatrixBlock.of(stack);
  addProduct(MatrixBlock.of(result), block, block, { keep: false });
  return result;
}

/** The Hermitian matrices whose one triangle is that of others. */
function hermitian(scope: Scope, stack: DeviceArray<SolverType>, upper: boolean): DeviceArray<SolverType> {
  const { xp } = stack;
  const own = scope.keep(upper ? xp.triu(stack) : xp.tril(stack));
  const strict = scope.keep(upper ? xp.triu(stack, { diagonal: 1 }) : xp.tril(stack, { diagonal: -1 }));
  const whole = scope.keep(own.add(scope.keep(adjoint(strict)))) as unknown as DeviceArray<SolverType>;
  if (kindOf(stack.dtype.name) === 4) {
    // As LAPACK does: the diagonal of a Hermitian matrix is real.
    scope.keep(scope.keep(whole.diagonal({ axis1: 1, axis2: 2 })).imag).assign(0);
  }
  return whole;
}
