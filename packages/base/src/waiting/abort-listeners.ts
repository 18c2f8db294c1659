/** Abort callbacks with one event listener per signal: Node.js warns of a leak at more than ten. */

const callbacks = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls `callback` once when the signal aborts. */
export function listenToAbort(signal: AbortSignal, callback: () => void): void {
  let pending = callbacks.get(signal);
  if (pending === undefined) {
    pending = new Set();
    callbacks.set(signal, pending);
  }
  if (pending.size === 0) signal.addEventListener("abort", runCallbacks);
  pending.add(callback);
}

/** Removes a callback. */
export function unlistenToAbort(signal: AbortSignal, callback: () => void): void {
  const pending = callbacks.get(signal);
  if (pending?.delete(callback) === true && pending.size === 0) signal.removeEventListener("abort", runCallbacks);
}

function runCallbacks(event: Event): void {
  const signal = event.currentTarget as AbortSignal;
  const pending = callbacks.get(signal) ?? [];
  callbacks.delete(signal);
  signal.removeEventListener("abort", runCallbacks);
  for (const callback of pending) callback();
}
