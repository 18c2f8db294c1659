/**
 * Which step of a run failed, and why. Not every step has an event: a command's failure is known to be in one of the steps
 * since the last event, from `step` to `lastStep`.
 *
 * @example
 * ```ts
 * const error = new StepError(7, 7, new Error("no convergence"));
 * console.log(error.message); // step 7: no convergence
 * ```
 */
export class StepError extends Error {
  /** The step that failed, or the first of those that may have. */
  readonly step: number;
  /** The last step that may have failed; the same if it is known. */
  readonly lastStep: number;

  /** `what` is what failed besides, if it was not the step's own commands. */
  constructor(step: number, lastStep: number, cause: unknown, what?: string) {
    const where = step === lastStep ? `step ${step}` : `one of the steps ${step} to ${lastStep}`;
    const why = cause instanceof Error ? cause.message : String(cause);
    super(`${where}: ${what === undefined ? "" : `${what}: `}${why}`, { cause });
    this.name = "StepError";
    this.step = step;
    this.lastStep = lastStep;
  }
}
