/** Errors of MPI operations. */

/** A failed operation of MPI, or a failed routine. */
export class MpiError extends Error {
  /** The stable error code. */
  readonly code = "ERR_CL_MPI";

  constructor(operation: string, why: string) {
    super(`${operation} failed: ${why}`);
    this.name = "MpiError";
  }
}
