/**
 * Dispatch of native completions. The native side collects completed work and calls {@link settle} once per batch,
 * which passes each status to the listener registered under its id.
 */
import { checkSignal, listenToAbort, unlistenToAbort } from "@cl/base";

import { connect, type Handle, native } from "./native.js";
import { completions } from "./scratch.js";

type Listener = (status: number, text: string) => void;

/** A wait for one completion. */
export interface Waiting {
  listener: Listener;
  /** Ends the wait with an error; only for promises. */
  refuse: ((error: Error) => void) | undefined;
  /** Whether the wait keeps the event loop alive. */
  holdsLoop: boolean;
  /** The event that is waited for, or 0. */
  event: Handle;
}

/**
 * Waits, indexed by id; id 0 is unused. An id is reused only after its completion has arrived, so a late completion
 * never reaches another listener. An array because map lookups cost 150 to 400 ns per event with thousands in flight.
 */
const waiting: (Waiting | undefined)[] = [undefined];
const freeIds: number[] = [];
/** Listeners that may be called any number of times, by id. Their ids are negative. */
const listeners = new Map<number, Listener>();
let lastListenerId = 0;

/**
 * Calls the listener once, when the work that `start(id)` started completes. Keeps the event loop alive until then if
 * `holdsLoop`. A wait for an event must pass it as `event`; see {@link checkForFailures}. Returns the id for
 * {@link cancelWait}.
 */
export function expectOnce(
  listener: Listener,
  start: (id: number) => void,
  holdsLoop = true,
  event: Handle = 0,
  refuse?: (error: Error) => void,
): number {
  const id = freeIds.pop() ?? waiting.length;
  const entry: Waiting = { listener, refuse, holdsLoop, event };
  waiting[id] = entry;
  try {
    start(id);
  } catch (error) {
    waiting[id] = undefined;
    freeIds.push(id);
    throw error;
  }
  if (holdsLoop) hold(1);
  if (refuse !== undefined) waitObserver.listener?.(entry);
  if (event !== 0) pollTimer ??= setTimeout(pollEvents, maxPollIntervalMs).unref();
  return id;
}

/** Cancels a wait: its listener is not called, and it no longer keeps the event loop alive. */
export function cancelWait(id: number): void {
  const entry = waiting[id];
  if (entry === undefined) return;
  if (entry.holdsLoop) hold(-1);
  entry.listener = ignore;
  entry.refuse = undefined;
  entry.holdsLoop = false;
  entry.event = 0;
}

function ignore(): void {}

let holdCount = 0;

/**
 * Holds the listener that is notified of every awaited promise while a host function is pending
 * (command-queue/host-function.ts). It is unset otherwise, so that waits have no extra cost then.
 */
export const waitObserver: { listener: ((entry: Waiting) => void) | undefined } = { listener: undefined };

/** Changes the number of waits that keep the event loop alive. Calls native code only when it becomes 0 or leaves 0. */
export function hold(change: number): void {
  const before = holdCount;
  holdCount += change;
  if ((before === 0) !== (holdCount === 0)) native.holdLoop(holdCount > 0);
}

/**
 * Registers a listener that may be called any number of times and does not keep the event loop alive. Returns its id.
 */
export function listen(listener: Listener): number {
  const id = --lastListenerId;
  listeners.set(id, listener);
  return id;
}

/** Removes a listener registered with {@link listen}. */
export function unlisten(id: number): void {
  listeners.delete(id);
}

/**
 * Returns a promise of a status. Aborting rejects it immediately and no longer keeps the event loop alive; the work
 * itself continues, because OpenCL cannot cancel it. A wait for an event must pass `event`; see {@link
 * checkForFailures}.
 */
export function completionOf(start: (id: number) => void, signal?: AbortSignal, event: Handle = 0): Promise<number> {
  checkSignal(signal)?.throwIfAborted();
  return new Promise((resolve, reject) => {
    if (signal === undefined) {
      const refuse = (error: Error): void => {
        cancelWait(id);
        reject(error);
      };
      const id = expectOnce(resolve, start, true, event, waitObserver.listener && refuse);
      return;
    }
    const listener = (status: number): void => {
      unlistenToAbort(signal, abort);
      resolve(status);
    };
    const stop = (reason: Error): void => {
      unlistenToAbort(signal, abort);
      cancelWait(id);
      reject(reason);
    };
    const abort = (): void => stop(signal.reason as Error);
    const id = expectOnce(listener, start, true, event, waitObserver.listener && stop);
    listenToAbort(signal, abort);
  });
}

function settle(count: number): void {
  let released = 0;
  // Texts are valid during this batch only. Listeners may start new work, but not another batch.
  for (let i = 0; i < count; i++) {
    const id = completions[2 * i] as number;
    const status = completions[2 * i + 1] as number;
    const entry = waiting[id];
    if (entry !== undefined) {
      waiting[id] = undefined;
      entry.refuse = undefined;
      freeIds.push(id);
      if (entry.holdsLoop) released++;
      callListener(entry.listener, status, "");
    } else {
      const listener = listeners.get(id);
      if (listener !== undefined) callListener(listener, status, native.completionText(i));
    }
  }
  if (released > 0) hold(-released);
}

/** Calls a listener. Its errors become uncaught exceptions, so that they do not interrupt the batch. */
export function callListener(listener: Listener, status: number, text: string): void {
  try {
    listener(status, text);
  } catch (error) {
    process.nextTick(() => {
      throw error;
    });
  }
}

const maxPollIntervalMs = 1000;
let releaseTimer: NodeJS.Timeout | undefined;
let pollTimer: NodeJS.Timeout | undefined;
let pollIntervalMs = maxPollIntervalMs;

/**
 * Polls the status of awaited events, at first every millisecond, because one may have failed. PoCL 3.1 does not call
 * back for an event that ends in an error, so its promise would stay pending. Without this call, events are polled once a
 * second.
 */
export function checkForFailures(): void {
  pollIntervalMs = 1;
  clearTimeout(pollTimer);
  pollTimer = setTimeout(pollEvents, 0).unref();
  releaseHeldEventsSoon();
}

/** Releases the events that the native layer holds after a failure (native/driver/held_events.h). */
function releaseHeldEventsSoon(): void {
  releaseTimer ??= setTimeout(() => {
    releaseTimer = undefined;
    if (native.releaseHeldEvents()) releaseHeldEventsSoon();
  }, 250).unref();
}

function pollEvents(): void {
  native.endFailedWatches();
  let pending = 0;
  for (const [id, entry] of waiting.entries()) {
    if (entry === undefined || entry.event === 0) continue;
    const status = statusIfLive(entry.event);
    if (status === undefined) {
      entry.event = 0;
    } else if (status < 0) {
      const { listener } = entry;
      cancelWait(id);
      callListener(listener, status, "");
    } else {
      pending++;
    }
  }
  pollTimer = pending === 0 ? undefined : setTimeout(pollEvents, pollIntervalMs).unref();
  pollIntervalMs = Math.min(2 * pollIntervalMs, maxPollIntervalMs);
}

/** Returns the event's status; `undefined` if the event was released during the wait. */
function statusIfLive(event: Handle): number | undefined {
  try {
    return native.eventStatus(event);
  } catch {
    return undefined;
  }
}

connect(settle);
