/** Cholesky decompositions. */
import type { DTypeName } from "../../types/dtype-name.js";
import { kindOf } from "../../types/promote.js";
import { decomposeCholesky } from "./blocked.js";
import { MatrixBlock } from "./matrix-block.js";
import { solverType, type SolverTypeOf, stackOf } from "./stacks.js";
import type { ArrayRef } from "../../storage/array-ref.js";
import { operators } from "../../elementwise/operators.js";
import { triangle } from "../../creation/bands.js";

/** The lower triangle, of what is on and below the diagonal; or the upper one, of what is on and above it. */
export function cholesky<D extends DTypeName>(a: ArrayRef<D>, upper: boolean): ArrayRef<SolverTypeOf<D>> {
  const dtype = solverType("cholesky", a);
  using source = upper ? a.slice() : adjoint(a);
  // Computes the upper triangle, whose rows are in the layout of the blocked solvers; the lower one is its adjoint.
  using stack = stackOf(source, dtype);
  decomposeCholesky(MatrixBlock.of(stack), "cholesky", a.ndim > 2);
  using factor = triangle(a.xp, stack, "upper");
  if (upper) return factor.reshape(a.shape);
  using turned = adjoint(factor);
  using result = turned.copy();
  return result.reshape(a.shape);
}

/** Rows for columns, conjugated. */
export function adjoint<D extends ArrayRef>(a: D): D {
  const turned = a.swapaxes(-1, -2) as D;
  if (kindOf(a.dtype.name) !== 4) return turned;
  using view = turned;
  return operators.conj(view) as unknown as D;
}
