/** Listeners for changes of a `RunControl`. */
import { memoizePerObject } from "@cl/base";

const listenersOf = memoizePerObject<object, Set<() => void>>(() => new Set());

/** Adds a listener for changes. Returns a function that removes it. */
export function onControlChange(control: object, listener: () => void): () => void {
  const listeners = listenersOf(control);
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function callListeners(control: object): void {
  for (const listener of listenersOf(control)) listener();
}
