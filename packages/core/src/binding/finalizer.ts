/**
 * Finalization callbacks. An exception in one would end the process and could not be caught, so it becomes a process
 * warning with the code CL_FINALIZER.
 */

/** Returns a FinalizationRegistry whose callback cannot throw. */
export function finalizer<T>(run: (held: T) => void): FinalizationRegistry<T> {
  return new FinalizationRegistry((held) => withoutThrowing(run, held));
}

/** Calls `run` and turns exceptions into warnings. */
export function withoutThrowing<T>(run: (value: T) => void, value: T): void {
  try {
    run(value);
  } catch (error) {
    warnOfFailure(error);
  }
}

/** Emits the warning for an error in a finalization callback. */
function warnOfFailure(error: unknown): void {
  try {
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    process.emitWarning(`releasing an object that was garbage-collected failed: ${message}`, {
      type: "OpenCLFinalizerWarning",
      code: "CL_FINALIZER",
      ...(stack === undefined ? {} : { detail: stack }),
    });
  } catch {
    // The error could not be converted to a string, or process.emitWarning threw.
  }
}
