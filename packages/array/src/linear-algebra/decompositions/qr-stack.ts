/** QR decompositions by Householder reflections, in panels whose reflections are applied together. */
import { addProduct } from "./blocked.js";
import { householderPanel, panelColumns, reflectionTriangle } from "./householder-source.js";
import { MatrixBlock } from "./matrix-block.js";
import type { SolverType } from "./number-source.js";
import { groupSize, runSolver } from "./run-solver.js";
import { countOf, stackOf } from "./stacks.js";
import type { ArrayRef } from "../../storage/array-ref.js";

/** A stack of decompositions. */
export class QrStack {
  /** R on and above the diagonal. */
  readonly triangle: ArrayRef<SolverType>;
  /** How many reflections there are. */
  readonly steps: number;
  /** Their vectors, in columns. */
  readonly #vectors: ArrayRef<SolverType>;
  /** What joins those of each panel. */
  readonly #joins: ArrayRef<SolverType>;
  readonly #factors: ArrayRef<SolverType>;

  /** Decomposes copies. */
  constructor(array: ArrayRef, dtype: SolverType) {
    const { xp } = array;
    const [rows = 0, columns = 0] = array.shape.slice(-2);
    const count = countOf(array.shape);
    this.steps = Math.min(rows, columns);
    const panels = Math.ceil(this.steps / panelColumns);
    const parts: ArrayRef<SolverType>[] = [];
    const kept = (part: ArrayRef<SolverType>): ArrayRef<SolverType> => {
      parts.push(part);
      return part;
    };
    try {
      this.triangle = kept(stackOf(array, dtype));
      this.#vectors = kept(xp.empty([count, rows, this.steps], { dtype }));
      this.#joins = kept(xp.empty([count, panels * panelColumns, panelColumns], { dtype }));
      this.#factors = kept(xp.empty([count, this.steps], { dtype }));
      if (this.triangle.size > 0) this.#decompose();
    } catch (error) {
      for (const part of parts) part.release();
      throw error;
    }
  }

  /** Multiplies `x` by Q, or by its adjoint, in place; the rows of `x` are those of the matrices, and contiguous. */
  apply(x: MatrixBlock, adjoint: boolean): void {
    const starts = this.#starts();
    for (const start of adjoint ? starts : starts.toReversed()) this.#reflect(x, start, adjoint);
  }

  /** Makes the columns of Q of those of the identity. Each panel leaves the columns before it as they are. */
  columnsOf(identity: MatrixBlock): void {
    for (const start of this.#starts().toReversed()) {
      this.#reflect(identity.part(0, start, identity.rows, identity.columns - start), start, false);
    }
  }

  release(): void {
    for (const part of [this.triangle, this.#vectors, this.#joins, this.#factors]) part.release();
  }

  [Symbol.dispose](): void {
    this.release();
  }

  #starts(): readonly number[] {
    return Array.from({ length: Math.ceil(this.steps / panelColumns) }, (_, k) => k * panelColumns);
  }

  #decompose(): void {
    const a = MatrixBlock.of(this.triangle);
    const vectors = MatrixBlock.of(this.#vectors);
    const joins = MatrixBlock.of(this.#joins);
    const { queue } = a.xp;
    const local = groupSize(queue);
    const factors = this.#factors.operand().storage;
    using scratch = a.xp.empty([a.count, panelColumns, panelColumns], { dtype: a.dtype });
    for (const start of this.#starts()) {
      const width = Math.min(panelColumns, a.columns - start);
      const steps = Math.min(width, this.steps - start);
      const rows = a.rows - start;
      const panel = a.part(start, start, rows, width);
      const own = vectors.part(start, start, rows, steps);
      runSolver(
        queue,
        householderPanel,
        a.dtype,
        { global: local * a.count, local },
        [a.storage, vectors.storage, factors],
        [],
        [panel.place, own.place, rows, width, start, this.steps],
      );
      const products = MatrixBlock.of(scratch).part(0, 0, steps, steps);
      addProduct(products, own.transposed, own, { conjugated: true, keep: false });
      const join = joins.part(start, 0, steps, steps);
      const rest = [join.place, products.place, steps, start, this.steps];
      const sizes = { global: [steps, a.count] };
      runSolver(queue, reflectionTriangle, a.dtype, sizes, [joins.storage], [products.storage, factors], rest);
      const right = start + width;
      if (right < a.columns) this.#reflect(a.part(0, right, a.rows, a.columns - right), start, true);
    }
  }

  /** Applies the reflections of one panel, or their adjoint, to all rows from it on. */
  #reflect(x: MatrixBlock, start: number, adjoint: boolean): void {
    const steps = Math.min(panelColumns, this.steps - start);
    if (x.columns === 0 || x.count === 0) return;
    const rows = x.rows - start;
    const vectors = MatrixBlock.of(this.#vectors).part(start, start, rows, steps);
    const join = MatrixBlock.of(this.#joins).part(start, 0, steps, steps);
    const below = x.part(start, 0, rows, x.columns);
    const extents = [x.count, steps, x.columns];
    using first = x.xp.empty(extents, { dtype: x.dtype });
    using second = x.xp.empty(extents, { dtype: x.dtype });
    const [one, other] = [MatrixBlock.of(first), MatrixBlock.of(second)];
    addProduct(one, vectors.transposed, below, { conjugated: true, keep: false });
    addProduct(other, adjoint ? join.transposed : join, one, { conjugated: adjoint, keep: false });
    addProduct(below, vectors, other, { sign: -1 });
  }
}
