/** Determinants, as numbers or as sign and logarithm. */
import { filled } from "../../storage/filled.js";
import type { RealOf } from "../../types/results.js";
import { realOf } from "../../types/promote.js";
import { LuStack } from "./lu-stack.js";
import { determinants } from "./lu-source.js";
import type { SolverType } from "./number-source.js";
import { runSolver } from "./run-solver.js";
import { releaseOnError, leading, solverType, type SolverTypeOf } from "./stacks.js";
import type { ArrayRef } from "../../storage/array-ref.js";
import type { DTypeName } from "../../types/dtype-name.js";

/** The determinants of square matrices. */
export function determinant<D extends DTypeName>(a: ArrayRef<D>): ArrayRef<SolverTypeOf<D>> {
  const dtype = solverType("det", a);
  return filled(a.xp.ones(leading(a), { dtype }), (results) => run(a, dtype, results, results, false));
}

/** Their signs, or directions of complex ones, and the logarithms of their sizes. */
export function signAndLogarithm<D extends DTypeName>(
  a: ArrayRef<D>,
): [sign: ArrayRef<SolverTypeOf<D>>, logarithm: ArrayRef<RealOf<SolverTypeOf<D>>>] {
  const dtype = solverType("slogdet", a);
  const signs = a.xp.ones(leading(a), { dtype });
  const logarithms = releaseOnError(signs, () =>
    filled(a.xp.zeros(leading(a), { dtype: realOf(dtype) as RealOf<SolverTypeOf<D>> }), (made) => {
      run(a, dtype, signs, made, true);
    }),
  );
  return [signs, logarithms];
}

function run(a: ArrayRef, dtype: SolverType, results: ArrayRef, logarithms: ArrayRef, apart: boolean): void {
  if (a.size === 0) return;
  using lu = LuStack.of(a, dtype);
  const { block, exchanges } = lu;
  const local = 64;
  runSolver(
    a.xp.queue,
    determinants,
    dtype,
    { global: Math.ceil(block.count / local) * local, local },
    [results.operand().storage, logarithms.operand().storage],
    [block.storage, exchanges.storage],
    [block.place, block.rows, block.count, Number(apart)],
  );
}
