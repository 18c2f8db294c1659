/** QR decompositions, and least squares by them. */
import { outOfRange } from "@cl/base";
import { faultNotes } from "../../faults/device-faults.js";
import type { DTypeName } from "../../types/dtype-name.js";
import type { RealOf } from "../../types/results.js";
import { solveLower, solveUpper } from "./blocked.js";
import { adjoint } from "./cholesky.js";
import { rankCheck } from "./householder-source.js";
import { MatrixBlock } from "./matrix-block.js";
import type { SolverType } from "./number-source.js";
import { QrStack } from "./qr-stack.js";
import { runSolver } from "./run-solver.js";
import { routineNumber } from "../../faults/solver-faults.js";
import {
  releaseOnError,
  type CommonSolverType,
  commonSolverType,
  commonStack,
  countOf,
  identities,
  leading,
  solverType,
  stackOf,
} from "./stacks.js";
import type { ArrayRef } from "../../storage/array-ref.js";
import * as reductions from "../../reductions/reduce.js";
import { operators } from "../../elementwise/operators.js";
import { triangle } from "../../creation/bands.js";

/** Mode of a QR decomposition. */
export type QrMode = "reduced" | "complete" | "r";

/** Q, unless only R is wanted, and R. */
export function qr(a: ArrayRef, mode: QrMode): readonly [q: ArrayRef<SolverType> | undefined, r: ArrayRef<SolverType>] {
  const dtype = solverType("qr", a);
  const [rows = 0, columns = 0] = a.shape.slice(-2);
  using stack = new QrStack(a, dtype);
  const kept = mode === "complete" ? rows : stack.steps;
  using top = stack.triangle.slice(":", [0, kept]);
  using upper = triangle(a.xp, top, "upper");
  const r = upper.reshape([...leading(a), kept, columns]);
  if (mode === "r") return [undefined, r];
  const q = releaseOnError(r, () => {
    using made = identities(a.xp, countOf(a.shape), rows, kept, dtype);
    stack.columnsOf(MatrixBlock.of(made));
    return made.reshape([...leading(a), rows, kept]);
  });
  return [q, r];
}

/** Least squares: the `x` for which `a x` is next to `b`, or the shortest of them, and the sums of squares that are left. */
export function leastSquares<D extends DTypeName, E extends DTypeName>(
  a: ArrayRef<D>,
  b: ArrayRef<E>,
): readonly [x: ArrayRef<CommonSolverType<D, E>>, residuals: ArrayRef<RealOf<CommonSolverType<D, E>>>] {
  const dtype = commonSolverType<D, E>("lstsq", a, b);
  const [rows = 0, columns = 0] = a.shape.slice(-2);
  const isVector = b.ndim === 1;
  using sides = isVector ? b.expandDims(1) : b.slice();
  const right = sides.shape.at(-1) as number;
  if (sides.ndim < 2 || sides.shape.at(-2) !== rows) {
    throw outOfRange(
      `lstsq: b must have ${rows} rows for matrices of the shape [${a.shape.join()}], received shape [${b.shape.join()}]`,
    );
  }
  const stack = commonStack(a, sides, "lstsq");
  using matrices = a.broadcastTo([...stack, rows, columns]);
  using wanted = sides.broadcastTo([...stack, rows, right]);
  const isTall = rows >= columns;
  using source = isTall ? matrices.slice() : adjoint(matrices);
  using factors = new QrStack(source, dtype);
  noteRank(factors, Math.max(rows, columns), stack.length > 0);
  const last = isVector ? [] : [right];
  const triangle = MatrixBlock.of(factors.triangle).part(0, 0, factors.steps, factors.steps);
  using y = stackOf(wanted, dtype);
  const block = MatrixBlock.of(y);
  if (isTall) {
    factors.apply(block, true);
    using rest = y.slice(":", [columns, rows]);
    solveUpper(triangle, block.part(0, 0, columns, right));
    using top = y.slice(":", [0, columns]);
    using x = top.copy();
    return withResiduals(x.reshape([...stack, columns, ...last]), rest, [...stack, ...last]);
  }
  solveLower(triangle.transposed, block, { conjugated: true });
  using x = a.xp.zeros([block.count, columns, right], { dtype });
  using top = x.slice(":", [0, rows]);
  top.assign(y);
  factors.apply(MatrixBlock.of(x), false);
  using none = y.slice(":", [0, 0]);
  return withResiduals(x.reshape([...stack, columns, ...last]), none, [...stack, ...last]);
}

/** The sums of squares of what is left, which are of the real type. */
function withResiduals<S extends SolverType>(
  x: ArrayRef<S>,
  rest: ArrayRef<S>,
  shape: readonly number[],
): readonly [ArrayRef<S>, ArrayRef<RealOf<S>>] {
  return releaseOnError(x, () => {
    using lengths = reductions.norm(rest, { axis: 1 });
    using squares = operators.multiply(lengths, lengths) as unknown as ArrayRef<RealOf<S>>;
    return [x, squares.reshape(shape)];
  });
}

function noteRank({ triangle, steps }: QrStack, larger: number, stacked: boolean): void {
  const block = MatrixBlock.of(triangle);
  if (steps === 0 || block.count === 0) return;
  const notes = faultNotes(triangle.xp);
  const sizes = { global: block.count };
  const rest = [block.place, steps, block.count, larger, routineNumber("lstsq"), Number(stacked)];
  runSolver(triangle.xp.queue, rankCheck, block.dtype, sizes, [], [block.storage, notes], rest);
}
