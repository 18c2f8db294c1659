/**
 * What waits for the native completion channel. The native side collects everything that finished and calls
 * {@link settle} once per batch; each entry's status goes to whoever asked under its id.
 */
import { checkSignal } from "./check.js";
import { connect, type Handle, native } from "./native.js";
import { completions } from "./scratch.js";

type Listener = (status: number, text: string) => void;

/** Ended by one completion. */
interface Waiting {
  readonly listener: Listener;
  /** Whether the event loop is held open for it. */
  readonly holdsLoop: boolean;
  /** The event that it waits for, or 0. */
  event: Handle;
}

const waiting = new Map<number, Waiting>();
/** Messages may come any number of times under these ids. */
const listeners = new Map<number, Listener>();
let lastId = 0;

/**
 * Calls back once, when `start(id)`'s work reports; keeps the event loop open until then if `holdsLoop`. The function
 * that it returns gives up: nothing is called any more, and the loop is let go. Whoever waits for an event says which:
 * see {@link lookForFailures}.
 */
export function expectOnce(
  listener: Listener,
  start: (id: number) => void,
  holdsLoop = true,
  event: Handle = 0,
): () => void {
  const id = ++lastId;
  waiting.set(id, { listener, holdsLoop, event });
  try {
    start(id);
  } catch (error) {
    waiting.delete(id);
    throw error;
  }
  if (holdsLoop) native.expect(1);
  if (event !== 0) looking ??= setTimeout(look, lookEvery).unref();
  return () => {
    if (waiting.delete(id) && holdsLoop) native.expect(-1);
  };
}

/** An id under which messages may arrive any number of times; they never keep the event loop open. */
export function listen(listener: Listener): number {
  const id = ++lastId;
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
      expectOnce(resolve, start, true, event);
      return;
    }
    const giveUp = expectOnce(
      (status) => {
        signal.removeEventListener("abort", abort);
        resolve(status);
      },
      start,
      true,
      event,
    );
    const abort = (): void => {
      giveUp();
      reject(signal.reason as Error);
    };
    signal.addEventListener("abort", abort, { once: true });
  });
}

function settle(count: number): void {
  let released = 0;
  // Texts belong to the batch and listeners may start new work, but never another batch within this one.
  for (let i = 0; i < count; i++) {
    const id = completions[2 * i] as number;
    const status = completions[2 * i + 1] as number;
    const entry = waiting.get(id);
    if (entry === undefined) {
      const listener = listeners.get(id);
      if (listener !== undefined) tell(listener, status, native.completionText(i));
    } else {
      waiting.delete(id);
      if (entry.holdsLoop) released++;
      tell(entry.listener, status, "");
    }
  }
  if (released > 0) native.expect(-released);
}

/** A listener is user code: its mistake must reach the user as uncaught, and must not lose the rest of the batch. */
function tell(listener: Listener, status: number, text: string): void {
  try {
    listener(status, text);
  } catch (error) {
    process.nextTick(() => {
      throw error;
    });
  }
}

const lookEvery = 1000;
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
}

function look(): void {
  let pending = 0;
  for (const [id, entry] of waiting) {
    if (entry.event === 0) continue;
    const status = statusOrNothing(entry.event);
    if (status === undefined) {
      entry.event = 0;
    } else if (status < 0) {
      waiting.delete(id);
      if (entry.holdsLoop) native.expect(-1);
      tell(entry.listener, status, "");
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
