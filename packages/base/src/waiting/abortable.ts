/** Abortable waits. The work itself continues, since OpenCL cannot cancel commands. */
import { listenToAbort, unlistenToAbort } from "./abort-listeners.js";

/**
 * Settles like `work`, or rejects with the signal's reason if the signal aborts first. Aborting does not cancel the
 * work.
 */
export function abortable<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) abort();
    listenToAbort(signal, abort);
    // Also marks a failure after the abort as handled, so that it is not an unhandled rejection.
    void work.then(resolve, reject).finally(() => unlistenToAbort(signal, abort));
  });
}
