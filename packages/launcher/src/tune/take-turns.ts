/** One tuning at a time in a process: two at once would measure each other. */

let last: Promise<void> = Promise.resolve();

/** Runs `work` when what came before has ended, however that ended. Who no longer wants it leaves the line. */
export async function takeTurns<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  const before = last;
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  // One who leaves early must not let the next one in before those ahead are done.
  last = Promise.all([before, ended]).then(() => undefined);
  try {
    await untilAborted(before, signal);
    return await work();
  } finally {
    end();
  }
}

/** Resolves with the promise, or throws the signal's reason if that comes first. */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  signal?.throwIfAborted();
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    signal.addEventListener("abort", abort, { once: true });
    void promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
