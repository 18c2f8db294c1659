/**
 * What waits for the native completion channel. The native side collects everything that finished and calls
 * {@link settle} once per batch; each entry's status goes to whoever asked under its id.
 */
import { checkSignal } from "./check.js";
import { connect, native } from "./native.js";
import { completions } from "./scratch.js";

type Listener = (status: number, text: string) => void;

/** Ended by one completion. The flag tells whether the event loop is held open for it. */
const waiting = new Map<number, { readonly listener: Listener; readonly holdsLoop: boolean }>();
/** Messages may come any number of times under these ids. */
const listeners = new Map<number, Listener>();
let lastId = 0;

/** Calls back once, when `start(id)`'s work reports; keeps the event loop open until then if `holdsLoop`. */
export function expectOnce(listener: Listener, start: (id: number) => void, holdsLoop = true): void {
  const id = ++lastId;
  waiting.set(id, { listener, holdsLoop });
  try {
    start(id);
  } catch (error) {
    waiting.delete(id);
    throw error;
  }
  if (holdsLoop) native.expect(1);
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

/** A promise of a status. Aborting rejects it at once; what was started runs on, since OpenCL cannot cancel it. */
export function completionOf(start: (id: number) => void, signal?: AbortSignal): Promise<number> {
  checkSignal(signal)?.throwIfAborted();
  return new Promise((resolve, reject) => {
    if (signal === undefined) {
      expectOnce(resolve, start);
      return;
    }
    const abort = (): void => reject(signal.reason as Error);
    signal.addEventListener("abort", abort, { once: true });
    expectOnce((status) => {
      signal.removeEventListener("abort", abort);
      resolve(status);
    }, start);
  });
}

function settle(count: number): void {
  let released = 0;
  // Texts belong to the batch and listeners may start new work, but never another batch within this one.
  for (let i = 0; i < count; i++) {
    const id = completions[2 * i] as number;
    const status = completions[2 * i + 1] as number;
    const entry = waiting.get(id);
    try {
      if (entry !== undefined) {
        waiting.delete(id);
        if (entry.holdsLoop) released++;
        entry.listener(status, "");
      } else {
        listeners.get(id)?.(status, native.completionText(i));
      }
    } catch (error) {
      // A listener is user code: its mistake must reach the user as uncaught, and must not lose the rest of the batch.
      process.nextTick(() => {
        throw error;
      });
    }
  }
  if (released > 0) native.expect(-released);
}

connect(settle);
