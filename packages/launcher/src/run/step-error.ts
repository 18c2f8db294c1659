/**
 * The failure of a step of a run. Not every step has an event: the failure of a command is known to be in one of the steps from
 * `step` to `lastStep`.
 *
 * @example
 * ```ts
 * const error = new StepError(7, 7, new Error("no convergence"));
 * console.log(error.message); // step 7: no convergence
 * ```
 */
export class StepError extends Error {
  /** The step that failed, or the first that may have failed. */
  readonly step: number;
  /** The last step that may have failed. Equals {@link step} if known. */
  readonly lastStep: number;

  /** @param what - what failed, if not a command of the step */
  constructor(step: number, lastStep: number, cause: unknown, what?: string) {
    const steps = step === lastStep ? `step ${step}` : `one of the steps ${step} to ${lastStep}`;
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`${steps}: ${what === undefined ? "" : `${what}: `}${reason}`, { cause });
    this.name = "StepError";
    this.step = step;
    this.lastStep = lastStep;
  }
}
