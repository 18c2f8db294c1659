/** Ends a wait early. What was waited for runs on, since OpenCL can cancel nothing. */
import { listenToAbort, unlistenToAbort } from "./abort-listeners.js";

/** The promise's end, or the signal's reason if that comes first; what is waited for goes on. */
export function abortable<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) abort();
    listenToAbort(signal, abort);
    // When the wait has ended early, a late failure has been handled here: nobody is left to tell.
    void work.then(resolve, reject).finally(() => unlistenToAbort(signal, abort));
  });
}
