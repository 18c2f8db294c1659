/** LU decompositions: as three matrices, or as factors to solve with repeatedly. */
import { filled } from "../../storage/filled.js";
import { numberElement } from "../../creation/number-element.js";
import type { DTypeName } from "../../types/dtype-name.js";
import { realOf } from "../../types/promote.js";
import type { RealOf } from "../../types/results.js";
import { exchangeRows } from "./blocked.js";
import { LuStack } from "./lu-stack.js";
import { MatrixBlock } from "./matrix-block.js";
import type { SolverType } from "./number-source.js";
import { releaseOnError, countOf, identities, leading, solverType, type SolverTypeOf } from "./stacks.js";
import type { ArrayRef } from "../../storage/array-ref.js";
import { triangle } from "../../creation/bands.js";
import { fill } from "../../elementwise/assign.js";

/** The permutation, L and U, whose product the matrices are. */
export function lu<D extends DTypeName>(
  a: ArrayRef<D>,
): readonly [p: ArrayRef<RealOf<SolverTypeOf<D>>>, l: ArrayRef<SolverTypeOf<D>>, u: ArrayRef<SolverTypeOf<D>>] {
  const dtype = solverType("lu", a);
  const [rows = 0, columns = 0] = a.shape.slice(-2);
  const steps = Math.min(rows, columns);
  const { xp } = a;
  using stack = LuStack.of(a, dtype);
  const p = permutation(stack, rows, realOf(dtype) as RealOf<SolverTypeOf<D>>, leading(a));
  return releaseOnError(p, () => {
    using left = stack.factors.slice(":", ":", [0, steps]);
    using lower = filled(triangle(xp, left, "lower"), (made) => {
      using line = made.diagonal({ axis1: 1, axis2: 2 });
      if (line.size > 0) fill(line, numberElement(dtype, 1));
    });
    const l = lower.reshape([...leading(a), rows, steps]);
    return releaseOnError(l, () => {
      using top = stack.factors.slice(":", [0, steps]);
      using upper = triangle(xp, top, "upper");
      return [p, l, upper.reshape([...leading(a), steps, columns])] as const;
    });
  });
}

/** Rows are exchanged as those of the matrices were, and then it is turned back. */
function permutation<R extends RealOf<SolverType>>(
  stack: LuStack,
  rows: number,
  dtype: R,
  shape: readonly number[],
): ArrayRef<R> {
  const { exchanges, factors } = stack;
  using exchanged = identities(factors.xp, countOf([...shape, rows, rows]), rows, rows, dtype);
  exchangeRows(MatrixBlock.of(exchanged), exchanges, 0, 0, exchanges.count);
  using whole = exchanged.reshape([...shape, rows, rows]);
  return whole.swapaxes(-1, -2);
}
