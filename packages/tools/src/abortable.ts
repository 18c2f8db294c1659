/** Waiting for what several callers wait for, each with a signal of its own. */

/** The promise's end, or the signal's reason if that comes first; what is waited for goes on. */
export async function abortable<T>(promise: PromiseLike<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  // Somebody must take a rejection that comes after the signal.
  promise.then(undefined, () => undefined);
  signal.throwIfAborted();
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", stop as () => void);
  }
}
