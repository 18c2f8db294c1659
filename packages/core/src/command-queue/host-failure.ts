/**
 * Who hears of a host function that fails. Its own event tells why; what waits for that event is only told by drivers that it
 * has failed. So markers, barriers and host functions that wait for it get the same reason, here; and where nobody is left
 * who could hear of it, the process is warned, as it is of rejections that nobody handles.
 */
import { OpenCLError } from "../binding/errors.js";
import { type CommandEvent, failWith, mayBeHeard, reasonOf, type WaitFor } from "../event/event.js";
import type { QueueBase } from "../queue/queue-base.js";

/** Functions that have not ended, whose failure an event would pass on. */
const sources = new WeakMap<CommandEvent, readonly HostOutcome[]>();
/** What functions have failed with by themselves. */
const thrown = new WeakSet<OpenCLError>();
/** The last such failure on a queue whose events nobody has. */
const unreported = new WeakMap<QueueBase, OpenCLError>();
/** What has been warned of. */
const warned = new WeakSet<object>();

/** How a host function ends: well, by what it threw, because its signal said so, or because others failed before. */
export type HostEnd = "well" | "threw" | "cancelled" | "not called";

type Explain = (reason: OpenCLError) => OpenCLError;

/** What fails with a function, and what it says then. */
interface Dependent {
  readonly event: CommandEvent;
  readonly explain: Explain;
}

/** The end of a host function. */
export class HostOutcome {
  readonly #event: CommandEvent;
  readonly #dependents: Dependent[] = [];
  #ended = false;

  /**
   * @param event - that completes with the function
   * @param explain - what its event says when what it waits for fails
   */
  constructor(event: CommandEvent, waitFor: WaitFor, explain: Explain) {
    this.#event = event;
    failsAfter(event, waitFor, explain);
    sources.set(event, [...(sources.get(event) ?? []), this]);
  }

  /** True once it has ended, well or badly. */
  get ended(): boolean {
    return this.#ended;
  }

  /** To be told if it fails. */
  tell(dependent: Dependent): void {
    this.#dependents.push(dependent);
  }

  /** To be called before the driver is told. */
  end(reason: OpenCLError | undefined, how: HostEnd): void {
    this.#ended = true;
    sources.delete(this.#event);
    const dependents = this.#dependents.splice(0);
    if (reason === undefined) return;
    failWith(this.#event, reason);
    for (const { event, explain } of dependents) failWith(event, explain(reason));
    if (how === "threw") thrown.add(reason);
    const all = [this.#event, ...dependents.map(({ event }) => event)];
    const { queue } = this.#event;
    if (how === "threw" && queue !== undefined && all.every(({ released }) => released)) unreported.set(queue, reason);
    if (how !== "cancelled" && !all.some(mayBeHeard)) warn(reason);
  }
}

/** An event that fails if one of those fails; it then tells the reason, where that is a host function's. */
export function failsAfter(event: CommandEvent, waitFor: WaitFor, explain: Explain = asItIs): CommandEvent {
  if (waitFor === undefined || waitFor === null) return event;
  const events = [waitFor].flat();
  const reason = events.map(reasonOf).find((one) => one !== undefined);
  if (reason !== undefined) failWith(event, explain(reason));
  const pending = events.flatMap((one) => sources.get(one) ?? []).filter(({ ended }) => !ended);
  if (pending.length === 0) return event;
  for (const one of pending) one.tell({ event, explain });
  sources.set(event, [...(sources.get(event) ?? []), ...pending]);
  return event;
}

function asItIs(reason: OpenCLError): OpenCLError {
  return reason;
}

/** The cause of a queue's failure, if a host function is to blame that nobody has been told of by the queue. */
export function takeFailure(queue: QueueBase): { readonly cause?: OpenCLError } {
  const cause = unreported.get(queue);
  unreported.delete(queue);
  return cause === undefined ? {} : { cause };
}

/** Only of what a function threw, and once: one failure may fail several functions. */
function warn(reason: OpenCLError): void {
  let root: unknown = reason;
  while (root instanceof OpenCLError && !thrown.has(root)) root = root.cause;
  if (!(root instanceof OpenCLError) || warned.has(root)) return;
  warned.add(root);
  const { cause } = root;
  process.emitWarning(`${reason.message} (nobody waits for its event)`, {
    type: "HostFunctionWarning",
    code: "CL_HOST_FUNCTION",
    detail: cause instanceof Error ? (cause.stack ?? "") : "",
  });
}
