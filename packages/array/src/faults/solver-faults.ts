/** Faults of matrices that kernels record, and their errors. */
import type { FaultError } from "./fault-error.js";

/** Error codes of {@link LinAlgError}. */
export type LinAlgErrorCode = "ERR_CL_SINGULAR" | "ERR_CL_NOT_POSITIVE_DEFINITE" | "ERR_CL_NO_CONVERGENCE";

/**
 * The error of a matrix that has no such decomposition or inverse. Only the device can detect this, so the next operation that
 * waits throws it: `await a.data()`, `await xp.check()`.
 */
export class LinAlgError extends Error {
  /** The error code. */
  readonly code: LinAlgErrorCode;

  /** @internal */
  constructor(code: LinAlgErrorCode, message: string) {
    super(message);
    this.name = "LinAlgError";
    this.code = code;
  }
}

/** A zero on the diagonal of a triangle that is solved with. */
export const singularFault = 10;
/** A leading minor that is not positive. */
export const indefiniteFault = 11;
/** Rotations that did not come to an end. */
export const convergenceFault = 12;

/** Who notes, by the number that kernels know. */
const routines = ["solve", "inv", "solveTriangular", "lstsq", "cholesky", "svd", "eigh", "eig", "eigvals"] as const;

/** A function that can fail for a matrix. */
export type Routine = (typeof routines)[number];

/** The number that kernels know a routine by. */
export function routineNumber(routine: Routine): number {
  return routines.indexOf(routine);
}

/** The errors. `found` is which matrix of a stack it is, or -1 for a single one; `limit` the place on its diagonal. */
export const solverErrors: Readonly<Record<number, FaultError>> = {
  [singularFault]: (where, matrix, place) =>
    new LinAlgError(
      "ERR_CL_SINGULAR",
      `${routines[where]}: ${named(matrix)} is singular: its triangular factor has a zero at index ${place} of the diagonal`,
    ),
  [indefiniteFault]: (where, matrix, place) =>
    new LinAlgError(
      "ERR_CL_NOT_POSITIVE_DEFINITE",
      `${routines[where]}: ${named(matrix)} is not positive definite: its leading minor of order ${place + 1n} is not positive`,
    ),
  [convergenceFault]: (where, matrix) =>
    new LinAlgError("ERR_CL_NO_CONVERGENCE", `${routines[where]}: ${named(matrix)} did not converge`),
};

function named(matrix: bigint): string {
  return matrix < 0n ? "the matrix" : `matrix ${matrix} of the stack`;
}
