/** Listening to signals, with one listener for each however many wait: from eleven on Node would warn of a leak. */

const callbacks = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls back once when the signal aborts. */
export function listenToAbort(signal: AbortSignal, callback: () => void): void {
  let all = callbacks.get(signal);
  if (all === undefined) {
    all = new Set();
    callbacks.set(signal, all);
  }
  if (all.size === 0) signal.addEventListener("abort", tellAll);
  all.add(callback);
}

/** Calls back no longer. */
export function unlistenToAbort(signal: AbortSignal, callback: () => void): void {
  const all = callbacks.get(signal);
  if (all?.delete(callback) === true && all.size === 0) signal.removeEventListener("abort", tellAll);
}

function tellAll(event: Event): void {
  const signal = event.currentTarget as AbortSignal;
  const all = callbacks.get(signal) ?? [];
  callbacks.delete(signal);
  signal.removeEventListener("abort", tellAll);
  for (const callback of all) callback();
}
