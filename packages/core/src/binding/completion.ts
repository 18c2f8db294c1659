/**
 * What waits for the native completion channel. The native side collects everything that finished and calls
 * {@link settle} once per batch; each entry's status goes to whoever asked under its id.
 */
import { checkSignal, listenToAbort, unlistenToAbort } from "@cl/base";

import { connect, type Handle, native } from "./native.js";
import { completions } from "./scratch.js";

type Listener = (status: number, text: string) => void;

/** Ended by one completion. */
export interface Waiting {
  listener: Listener;
  /** Ends the wait with an error instead; only what is awaited has it. */
  refuse: ((error: Error) => void) | undefined;
  /** Whether the event loop is held open for it. */
  holdsLoop: boolean;
  /** The event that it waits for, or 0. */
  event: Handle;
}

/**
 * By id, which is the index; 0 is nobody's. An id is used again only after its completion has arrived, so that a late one
 * never reaches a stranger. An array, because a map's look-ups cost 150 to 400 ns an event with thousands in flight.
 */
const waiting: (Waiting | undefined)[] = [undefined];
const freeIds: number[] = [];
/** Messages may come any number of times under these ids, which are negative. */
const listeners = new Map<number, Listener>();
let lastListener = 0;

/**
 * Calls back once, when `start(id)`'s work reports; keeps the event loop open until then if `holdsLoop`. Whoever waits
 * for an event says which: see {@link lookForFailures}. The id is for {@link giveUp}.
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
  if (refuse !== undefined) allWaits.listener?.(entry);
  if (event !== 0) looking ??= setTimeout(look, lookEvery).unref();
  return id;
}

/** Ends a wait: nothing is called any more, and the loop is let go. */
export function giveUp(id: number): void {
  const entry = waiting[id];
  if (entry === undefined) return;
  if (entry.holdsLoop) hold(-1);
  entry.listener = nobody;
  entry.refuse = undefined;
  entry.holdsLoop = false;
  entry.event = 0;
}

function nobody(): void {}

let holding = 0;

/**
 * The listener is told of everything that is awaited, while a host function is pending (command-queue/host-function.ts);
 * there is none otherwise. Waits can then be refused, which nobody pays for at other times.
 */
export const allWaits: { listener: ((entry: Waiting) => void) | undefined } = { listener: undefined };

/** Counts what holds the event loop open; only the first and the last concern the native side. */
export function hold(change: number): void {
  const before = holding;
  holding += change;
  if ((before === 0) !== (holding === 0)) native.holdLoop(holding > 0);
}

/** An id under which messages may arrive any number of times; they never keep the event loop open. */
export function listen(listener: Listener): number {
  const id = --lastListener;
  listeners.set(id, listener);
  return id;
}

/** Ends {@link listen}. */
export function unlisten(id: number): void {
  listeners.delete(id);
}

/**
 * A promise of a status. Aborting rejects it at once and lets the event loop go; what was started runs on, since OpenCL
 * cannot cancel it. For an event, say which: see {@link lookForFailures}.
 */
export function completionOf(start: (id: number) => void, signal?: AbortSignal, event: Handle = 0): Promise<number> {
  checkSignal(signal)?.throwIfAborted();
  return new Promise((resolve, reject) => {
    if (signal === undefined) {
      const refuse = (error: Error): void => {
        giveUp(id);
        reject(error);
      };
      const id = expectOnce(resolve, start, true, event, allWaits.listener && refuse);
      return;
    }
    const listener = (status: number): void => {
      unlistenToAbort(signal, abort);
      resolve(status);
    };
    const stop = (reason: Error): void => {
      unlistenToAbort(signal, abort);
      giveUp(id);
      reject(reason);
    };
    const abort = (): void => stop(signal.reason as Error);
    const id = expectOnce(listener, start, true, event, allWaits.listener && stop);
    listenToAbort(signal, abort);
  });
}

function settle(count: number): void {
  let released = 0;
  // Texts belong to the batch and listeners may start new work, but never another batch within this one.
  for (let i = 0; i < count; i++) {
    const id = completions[2 * i] as number;
    const status = completions[2 * i + 1] as number;
    const entry = waiting[id];
    if (entry !== undefined) {
      waiting[id] = undefined;
      entry.refuse = undefined;
      freeIds.push(id);
      if (entry.holdsLoop) released++;
      tell(entry.listener, status, "");
    } else {
      const listener = listeners.get(id);
      if (listener !== undefined) tell(listener, status, native.completionText(i));
    }
  }
  if (released > 0) hold(-released);
}

/** A listener is user code: its mistake must reach the user as uncaught, and must not lose the rest of the batch. */
export function tell(listener: Listener, status: number, text: string): void {
  try {
    listener(status, text);
  } catch (error) {
    process.nextTick(() => {
      throw error;
    });
  }
}

const lookEvery = 1000;
let givingBack: NodeJS.Timeout | undefined;
let looking: NodeJS.Timeout | undefined;
let lookAgainIn = lookEvery;

/**
 * Looks, now and often for a moment, whether events that somebody waits for have failed. PoCL calls nobody back for an
 * event that ends in an error, so that a promise of it would stay pending for ever; without a hint that something has
 * failed, pending events are asked once a second.
 */
export function lookForFailures(): void {
  lookAgainIn = 1;
  clearTimeout(looking);
  looking = setTimeout(look, 0).unref();
  giveBackSoon();
}

/** What the native layer holds after a failure must not stay forever (native/driver/held_events.h). */
function giveBackSoon(): void {
  givingBack ??= setTimeout(() => {
    givingBack = undefined;
    if (native.giveBackHeld()) giveBackSoon();
  }, 250).unref();
}

function look(): void {
  native.endFailedWatches();
  let pending = 0;
  for (const [id, entry] of waiting.entries()) {
    if (entry === undefined || entry.event === 0) continue;
    const status = statusOrNothing(entry.event);
    if (status === undefined) {
      entry.event = 0;
    } else if (status < 0) {
      const { listener } = entry;
      giveUp(id);
      tell(listener, status, "");
    } else {
      pending++;
    }
  }
  looking = pending === 0 ? undefined : setTimeout(look, lookAgainIn).unref();
  lookAgainIn = Math.min(2 * lookAgainIn, lookEvery);
}

/** Nothing for an event that was released while somebody waited for it. */
function statusOrNothing(event: Handle): number | undefined {
  try {
    return native.eventStatus(event);
  } catch {
    return undefined;
  }
}

connect(settle);
