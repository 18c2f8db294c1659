/** LU decompositions: as three matrices, or as factors to solve with repeatedly. */
import type { DeviceArray } from "../../array/device-array.js";
import { filled } from "../../array/filled.js";
import { numberElement } from "../../creation/number-element.js";
import type { DTypeName, ValueOf } from "../../types/dtype-name.js";
import { type QuotientDType, realOf } from "../../types/promote.js";
import type { RealOf } from "../../types/results.js";
import { exchangeRows } from "./blocked.js";
import { LuStack } from "./lu-stack.js";
import { MatrixBlock } from "./matrix-block.js";
import type { SolverType } from "./number-source.js";
import { solveBy } from "./solve.js";
import { checkArray } from "../../array/check-array.js";
import { releaseOnError, countOf, identities, leading, solverType } from "./stacks.js";

/**
 * LU factors of square matrices, which solve for any number of right-hand sides; `xp.linalg.luFactor()` makes them.
 * They hold memory until released.
 */
export class LuFactors<D extends DTypeName = DTypeName> {
  /** L below the diagonal, without its ones, and U on and above it. Read-only. */
  readonly lu: DeviceArray<QuotientDType<D>>;
  /** The row exchanged with each row, as in SciPy's `lu_factor`. Read-only. */
  readonly pivots: DeviceArray<"int32">;
  readonly #stack: LuStack;

  /** @internal */
  constructor(a: DeviceArray<D>) {
    this.#stack = LuStack.of(a, solverType("luFactor", a));
    const { factors, pivots } = this.#stack;
    using whole = factors.reshape(a.shape);
    using places = pivots.reshape([...leading(a), pivots.shape[1] as number]);
    this.lu = whole.view(whole.dtype, whole.operand().layout, true) as unknown as DeviceArray<QuotientDType<D>>;
    this.pivots = places.view(places.dtype, places.operand().layout, true);
  }

  /**
   * Returns the solutions x of `a x = b`, as `solve` does. The dtype of `b` must be that of the factors or promote to
   * it; a single matrix is broadcast to any stack of `b`.
   */
  solve(b: DeviceArray): DeviceArray<QuotientDType<D>> {
    checkArray(b, this.lu.xp, "b");
    return solveBy(this.#stack, this.lu, b) as unknown as DeviceArray<QuotientDType<D>>;
  }

  /** Releases the factors. */
  release(): void {
    this.#stack.release();
    this.lu.release();
    this.pivots.release();
  }

  /** Alias of {@link release}, for `using`. */
  [Symbol.dispose](): void {
    this.release();
  }
}

/** The permutation, L and U, whose product the matrices are. */
export function lu(
  a: DeviceArray,
): readonly [p: DeviceArray<RealOf<SolverType>>, l: DeviceArray<SolverType>, u: DeviceArray<SolverType>] {
  const dtype = solverType("lu", a);
  const [rows = 0, columns = 0] = a.shape.slice(-2);
  const steps = Math.min(rows, columns);
  const { xp } = a;
  using stack = LuStack.of(a, dtype);
  const p = permutation(stack, rows, realOf(dtype) as RealOf<SolverType>, leading(a));
  return releaseOnError(p, () => {
    using left = stack.factors.slice(":", ":", [0, steps]);
    using lower = filled(xp.tril(left), (made) => {
      using line = made.diagonal({ axis1: 1, axis2: 2 });
      if (line.size > 0) line.assign(numberElement(dtype, 1) as ValueOf<SolverType>);
    });
    const l = lower.reshape([...leading(a), rows, steps]);
    return releaseOnError(l, () => {
      using top = stack.factors.slice(":", [0, steps]);
      using upper = xp.triu(top);
      return [p, l, upper.reshape([...leading(a), steps, columns])] as const;
    });
  });
}

/** Rows are exchanged as those of the matrices were, and then it is turned back. */
function permutation(
  stack: LuStack,
  rows: number,
  dtype: RealOf<SolverType>,
  shape: readonly number[],
): DeviceArray<RealOf<SolverType>> {
  const { exchanges, factors } = stack;
  using exchanged = identities(factors.xp, countOf([...shape, rows, rows]), rows, rows, dtype);
  exchangeRows(MatrixBlock.of(exchanged), exchanges, 0, 0, exchanges.count);
  using whole = exchanged.reshape([...shape, rows, rows]);
  return whole.swapaxes(-1, -2) as DeviceArray<RealOf<SolverType>>;
}
