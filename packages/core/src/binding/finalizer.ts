/**
 * Callbacks that run when an object has been collected. An exception in one would end the process, and no call of the
 * program could catch it. So it becomes a warning: process.emitWarning with the code CL_FINALIZER.
 */

/** A FinalizationRegistry whose callback cannot throw. */
export function finalizer<T>(run: (held: T) => void): FinalizationRegistry<T> {
  return new FinalizationRegistry((held) => withoutThrowing(run, held));
}

/** Calls `run`; turns what it throws into a warning. */
export function withoutThrowing<T>(run: (value: T) => void, value: T): void {
  try {
    run(value);
  } catch (error) {
    warnOfFailure(error);
  }
}

/** The warning for an error of code that no call of the program started. */
function warnOfFailure(error: unknown): void {
  try {
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    process.emitWarning(`releasing an object that was garbage-collected failed: ${message}`, {
      type: "OpenCLFinalizerWarning",
      code: "CL_FINALIZER",
      ...(stack === undefined ? {} : { detail: stack }),
    });
  } catch {
    // An error that cannot be described, or a process.emitWarning that throws.
  }
}
