/** Who hears of changes of a run's control. */
import { oncePer } from "@cl/base";

const listenersOf = oncePer<object, Set<() => void>>(() => new Set());

/** Calls back at each change, until the function that it returns is called. */
export function onControlChange(control: object, listener: () => void): () => void {
  const listeners = listenersOf(control);
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Tells of a change. */
export function callListeners(control: object): void {
  for (const listener of listenersOf(control)) listener();
}
