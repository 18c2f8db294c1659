/** Calls that wait for their kernels to be built. They are held until they are enqueued. */

import { isVisible } from "./moment.js";

/** A call that is enqueued later. */
export interface OutstandingCall {
  /** The factory of its arrays. */
  readonly xp: object;
  /** Number in the order of calls. */
  readonly serial: number;
  /** Enqueues its commands, except in attempts that leave out launches. */
  compute(): void;
}

let isComputing = false;
const calls = new Set<OutstandingCall>();

/** Adds a call. Returns a function that removes it. */
export function addOutstanding(call: OutstandingCall): () => void {
  calls.add(call);
  return () => {
    calls.delete(call);
  };
}

/**
 * Enqueues the outstanding calls of a factory, or all of them, in the order in which they were made. Within a deferred computation,
 * it enqueues only those that were made before.
 */
export function computeOutstanding(xp?: object): void {
  if (isComputing) return;
  isComputing = true;
  try {
    for (const call of calls) if ((xp === undefined || call.xp === xp) && isVisible(call.serial)) call.compute();
  } finally {
    isComputing = false;
  }
}

/** Whether calls are outstanding. */
export function areOutstanding(): boolean {
  return calls.size > 0;
}

/** Whether other calls wait for the compiler, so that a loop without awaits does not collect outstanding ones. */
export function areTooMany(): boolean {
  return calls.size >= 64;
}
