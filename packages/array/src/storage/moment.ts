/**
 * The moment at which the current computation reads memory. A computation that was recorded or deferred reads the elements as they
 * were when it was called: it does not see the changes of calls that were made later.
 */

let latest = Infinity;
let serial = 0;

/** Returns the serial number of a new storage or deferred call. Later ones have higher numbers. */
export function nextSerial(): number {
  return serial++;
}

/** Returns the serial number of the next storage or deferred call. */
export function upcomingSerial(): number {
  return serial;
}

/** Whether the current computation sees the change of a call. */
export function isVisible(change: number): boolean {
  return change < latest;
}

/** Whether a recorded or deferred computation is running. */
export function isPast(): boolean {
  return latest !== Infinity;
}

/** Begins a computation that was called at some moment. Pass the result to {@link returnFrom}. */
export function goTo(call: number): number {
  const outer = latest;
  if (call < latest) latest = call;
  return outer;
}

/** Ends a computation. */
export function returnFrom(outer: number): void {
  latest = outer;
}
