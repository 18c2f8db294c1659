/**
 * Propagation of host function failures. The event of a failed function has the error, but drivers tell dependent
 * commands only that it failed. This module passes the error on to markers, barriers and host functions that wait for
 * the event. If no event can report it, a process warning is emitted, as for unhandled rejections.
 */
import { OpenCLError } from "../binding/errors.js";
import { type CommandEvent, failWith, isObservable, reasonOf, type WaitFor } from "../event/event.js";
import type { QueueBase } from "../queue/queue-base.js";

/** The pending functions whose failure each event would report. */
const sources = new WeakMap<CommandEvent, readonly HostOutcome[]>();
/** Errors for exceptions of functions, as opposed to failures that were passed on. */
const thrown = new WeakSet<OpenCLError>();
/** The last exception on each queue that no unreleased event reports. */
const unreported = new WeakMap<QueueBase, OpenCLError>();
/** Errors for which a warning was emitted. */
const warned = new WeakSet<object>();

/** How a host function ended; `"not called"` means that an event it waited for failed. */
export type HostEnd = "completed" | "threw" | "canceled" | "not called";

type Explain = (reason: OpenCLError) => OpenCLError;

/** An event that fails with a function, and the conversion of the error for it. */
interface Dependent {
  readonly event: CommandEvent;
  readonly explain: Explain;
}

/** The outcome of a host function, with the events that depend on it. */
export class HostOutcome {
  readonly #event: CommandEvent;
  readonly #dependents: Dependent[] = [];
  #ended = false;

  /**
   * @param event - The event that completes with the function.
   * @param explain - Converts the error of an event in `waitFor` into the error of `event`.
   */
  constructor(event: CommandEvent, waitFor: WaitFor, explain: Explain) {
    this.#event = event;
    failsAfter(event, waitFor, explain);
    sources.set(event, [...(sources.get(event) ?? []), this]);
  }

  /** Whether the function has completed or failed. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Adds an event that fails if the function fails. */
  addDependent(dependent: Dependent): void {
    this.#dependents.push(dependent);
  }

  /** Ends the function, with the error if it failed. Must be called before the user event ends. */
  end(reason: OpenCLError | undefined, how: HostEnd): void {
    this.#ended = true;
    sources.delete(this.#event);
    const dependents = this.#dependents.splice(0);
    if (reason === undefined) return;
    failWith(this.#event, reason);
    for (const { event, explain } of dependents) failWith(event, explain(reason));
    if (how === "threw") thrown.add(reason);
    const events = [this.#event, ...dependents.map(({ event }) => event)];
    const { queue } = this.#event;
    if (how === "threw" && queue !== undefined && events.every(({ released }) => released)) {
      unreported.set(queue, reason);
    }
    if (how !== "canceled" && !events.some(isObservable)) warn(reason);
  }
}

/** Makes an event report the error of a host function that fails in its wait list. Returns the event. */
export function failsAfter(event: CommandEvent, waitFor: WaitFor, explain: Explain = unchanged): CommandEvent {
  if (waitFor === undefined || waitFor === null) return event;
  const events = [waitFor].flat();
  const reason = events.map(reasonOf).find((error) => error !== undefined);
  if (reason !== undefined) failWith(event, explain(reason));
  const pending = events.flatMap((waited) => sources.get(waited) ?? []).filter(({ ended }) => !ended);
  if (pending.length === 0) return event;
  for (const outcome of pending) outcome.addDependent({ event, explain });
  sources.set(event, [...(sources.get(event) ?? []), ...pending]);
  return event;
}

function unchanged(reason: OpenCLError): OpenCLError {
  return reason;
}

/** Returns the host function error that caused a queue's failure, unless an event or an earlier call reported it. */
export function takeFailure(queue: QueueBase): { readonly cause?: OpenCLError } {
  const cause = unreported.get(queue);
  unreported.delete(queue);
  return cause === undefined ? {} : { cause };
}

/** Emits a warning for an exception of a function, once: one exception may fail several functions. */
function warn(reason: OpenCLError): void {
  let root: unknown = reason;
  while (root instanceof OpenCLError && !thrown.has(root)) root = root.cause;
  if (!(root instanceof OpenCLError) || warned.has(root)) return;
  warned.add(root);
  const { cause } = root;
  process.emitWarning(`${reason.message} (its event is not awaited)`, {
    type: "HostFunctionWarning",
    code: "CL_HOST_FUNCTION",
    detail: cause instanceof Error ? (cause.stack ?? "") : "",
  });
}
