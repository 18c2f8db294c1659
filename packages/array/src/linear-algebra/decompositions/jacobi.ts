/** One-sided Jacobi orthogonalization of a stack of vectors, for singular values and eigenvalues. */
import { hasParallelWorkItems } from "@cl/characterize";
import { faultNotes } from "../../faults/device-faults.js";
import { realOf } from "../../types/promote.js";
import type { RealOf } from "../../types/results.js";
import { jacobiLengths, jacobiOrder, jacobiRounds } from "./jacobi-source.js";
import { MatrixBlock } from "./matrix-block.js";
import type { SolverType } from "./number-source.js";
import { groupSize, runSolver } from "./run-solver.js";
import { Scope } from "./scope.js";
import { type Routine, routineNumber } from "../../faults/solver-faults.js";
import { identities } from "./stacks.js";
import type { ArrayRef } from "../../storage/array-ref.js";

/** The result of turning the rows of a stack. */
export interface Turned {
  /** The lengths of rows, the longest first: `[matrices, rows]`. */
  readonly lengths: ArrayRef<RealOf<SolverType>>;
  /** The rows in this order, of length 1. */
  readonly units: ArrayRef<SolverType>;
  /** The adjoint of what turned them, in the same order; nothing without it. */
  readonly turns: ArrayRef<SolverType>;
  [Symbol.dispose](): void;
}

/** Turns the rows of a stack `[matrices, rows, columns]` in place, and gives them in order. */
export function turnRows(stack: ArrayRef<SolverType>, routine: Routine, stacked: boolean, withTurns: boolean): Turned {
  const { xp } = stack;
  const { queue } = xp;
  const dtype = stack.dtype.name;
  const [matrices = 0, count = 0, length = 0] = stack.shape;
  const width = withTurns ? count : 0;
  // Where nothing is to be turned along, there still is memory to point to.
  using others = withTurns ? identities(xp, matrices, count, count, dtype) : stack.slice();
  const rows = MatrixBlock.of(stack);
  const turns = MatrixBlock.of(others);
  const sweeps = realOf(dtype) === "float64" ? 24 : 18;
  using turned = xp.zeros([matrices, sweeps], { dtype: "int32" });
  const local = groupSize(queue);
  const seats = count + (count % 2);
  const run = (slices: number, sweep: readonly [number, number], round: readonly [number, number]): void => {
    const rest = [rows.place, turns.place, count, length, width, ...sweep, ...round, sweeps];
    const writes = [rows.storage, turns.storage, turned.operand().storage];
    runSolver(queue, jacobiRounds, dtype, { global: [local * slices, matrices], local: [local, 1] }, writes, [], rest);
  };
  if (isAlone(stack)) {
    run(1, [0, sweeps], [0, seats - 1]);
  } else {
    const slices = hasParallelWorkItems(queue.device) ? Math.ceil(seats / 2 / Math.max(1, local / 32)) : 16;
    for (let sweep = 0; sweep < sweeps; sweep++) {
      for (let round = 0; round < seats - 1; round++) run(slices, [sweep, sweep + 1], [round, round + 1]);
    }
  }
  const real = realOf(dtype) as RealOf<SolverType>;
  using unordered = xp.empty([matrices, count], { dtype: real });
  const sizes = { global: [count, matrices] };
  runSolver(
    queue,
    jacobiLengths,
    dtype,
    sizes,
    [unordered.operand().storage],
    [rows.storage, turned.operand().storage, faultNotes(xp)],
    [rows.place, count, length, sweeps, routineNumber(routine), Number(stacked)],
  );
  using scope = new Scope();
  const lengths = scope.keep(xp.empty([matrices, count], { dtype: real }));
  const units = scope.keep(xp.empty([matrices, count, length], { dtype }));
  const ordered = scope.keep(withTurns ? xp.empty([matrices, count, count], { dtype }) : units.slice());
  runSolver(
    queue,
    jacobiOrder,
    dtype,
    sizes,
    [lengths, units, ordered].map((array) => array.operand().storage),
    [unordered.operand().storage, rows.storage, turns.storage],
    [rows.place, turns.place, count, length, width],
  );
  for (const one of [lengths, units, ordered]) scope.give(one);
  return {
    lengths,
    units,
    turns: ordered,
    [Symbol.dispose](): void {
      for (const one of [lengths, units, ordered]) one.release();
    },
  };
}

/** True if one group had better turn all rows of a matrix than many one round each. */
function isAlone({ shape, xp }: ArrayRef): boolean {
  const [matrices = 0, count = 0] = shape;
  return hasParallelWorkItems(xp.queue.device) ? matrices >= 64 || count <= 64 : matrices >= 4 || count <= 96;
}
