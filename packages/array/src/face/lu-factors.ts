/** LU factors that solve linear systems. */
import type { Releasable } from "@cl/base";
import { heldArrays } from "../array/array-scope.js";
import { asDeviceArray, type DeviceArray } from "../array/arrays.js";
import { solveBy } from "../linear-algebra/decompositions/solve.js";
import { LuStack } from "../linear-algebra/decompositions/lu-stack.js";
import { leading, solverType, type SolverTypeOf } from "../linear-algebra/decompositions/stacks.js";
import type { ArrayRef } from "../storage/array-ref.js";
import { checkArray } from "../storage/check-array.js";
import type { DTypeName } from "../types/dtype-name.js";
import type { QuotientDType } from "../types/promote.js";

/**
 * LU factors of square matrices, which solve for any number of right-hand sides; `xp.linalg.luFactor()` makes them.
 * They hold memory until released.
 */
export class LuFactors<D extends DTypeName = DTypeName> {
  /** L below the diagonal, without its ones, and U on and above it. Read-only. */
  readonly lu: DeviceArray<QuotientDType<D>>;
  /** The row exchanged with each row, as in SciPy's `lu_factor`. Read-only. */
  readonly pivots: DeviceArray<"int32">;
  readonly #stack: LuStack<SolverTypeOf<D>>;

  /** @internal */
  constructor(a: ArrayRef<D>) {
    this.#stack = LuStack.of(a, solverType("luFactor", a));
    const { factors, pivots } = this.#stack;
    using whole = asDeviceArray(factors.reshape(a.shape));
    using places = asDeviceArray(pivots.reshape([...leading(a), pivots.shape[1] as number]));
    this.lu = whole.view(whole.dtype, whole.operand().layout, true);
    this.pivots = places.view(places.dtype, places.operand().layout, true);
  }

  /**
   * Returns the solutions x of `a x = b`, as `solve` does. The dtype of `b` must be that of the factors or promote to
   * it; a single matrix is broadcast to any stack of `b`.
   */
  solve(b: DeviceArray): DeviceArray<QuotientDType<D>> {
    checkArray(b, this.lu.xp, "b");
    return asDeviceArray(solveBy(this.#stack, this.lu, b));
  }

  /** @internal */
  [heldArrays](): readonly Releasable[] {
    const { factors, pivots } = this.#stack;
    return [factors, pivots, this.lu, this.pivots];
  }

  /** Releases the factors. */
  release(): void {
    for (const one of this[heldArrays]()) one.release();
  }

  /** Alias of {@link release}, for `using`. */
  [Symbol.dispose](): void {
    this.release();
  }
}
