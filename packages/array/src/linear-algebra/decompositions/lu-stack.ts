/** LU decompositions with partial pivoting. */
import { filled } from "../../storage/filled.js";
import { decomposeLu, exchangeRows, type Pivots, solveLower, solveUpper } from "./blocked.js";
import { MatrixBlock } from "./matrix-block.js";
import type { SolverType } from "./number-source.js";
import type { Routine } from "../../faults/solver-faults.js";
import { releaseOnError, countOf, stackOf } from "./stacks.js";
import type { ArrayRef } from "../../storage/array-ref.js";

/** A stack of LU decompositions. */
export class LuStack<S extends SolverType = SolverType> {
  /** Both triangles in one array, `[matrices, rows, columns]`. */
  readonly factors: ArrayRef<S>;
  /** The row exchanged with each diagonal position, `[matrices, positions]`. */
  readonly pivots: ArrayRef<"int32">;

  private constructor(factors: ArrayRef<S>, pivots: ArrayRef<"int32">) {
    this.factors = factors;
    this.pivots = pivots;
  }

  /** Decomposes copies of the matrices. */
  static of<S extends SolverType>(array: ArrayRef, dtype: S): LuStack<S> {
    const [rows = 0, columns = 0] = array.shape.slice(-2);
    const pivots = array.xp.empty([countOf(array.shape), Math.min(rows, columns)], { dtype: "int32" });
    return filled(
      new LuStack(
        releaseOnError(pivots, () => stackOf(array, dtype)),
        pivots,
      ),
      (made) => {
        decomposeLu(made.block, made.exchanges);
      },
    );
  }

  get block(): MatrixBlock {
    return MatrixBlock.of(this.factors);
  }

  get exchanges(): Pivots {
    return { storage: this.pivots.operand().storage, count: this.pivots.shape[1] as number };
  }

  /** Solves with square matrices in place; `x` may share a single matrix. */
  solve(x: MatrixBlock, routine: Routine | undefined, stacked: boolean): void {
    const { block, exchanges } = this;
    const triangles = block.repeated(x.count);
    const shared = block.count !== x.count;
    exchangeRows(x, { ...exchanges, shared }, 0, 0, exchanges.count);
    solveLower(triangles, x, { unit: true });
    solveUpper(triangles, x, { routine, stacked: stacked && !shared });
  }

  release(): void {
    this.factors.release();
    this.pivots.release();
  }

  [Symbol.dispose](): void {
    this.release();
  }
}
