/**
 * Host functions: JavaScript functions that run as commands of a queue.
 *
 * To OpenCL a host function is three commands (native/commands/host_function.cc): a marker that completes when the
 * function may run, a user event, and a barrier that waits for the user event and that later commands wait for. This
 * module runs the function when the marker completes, and then completes the user event. Blocking calls that would wait
 * for a pending function throw in native code (native/driver/dependencies.h); a function that awaits itself is rejected
 * here.
 */
import { AsyncLocalStorage } from "node:async_hooks";

import { checkFunction, checkOptions, checkSignal, checkString, wrongState } from "@cl/base";

import { checkForFailures, completionOf, hold, waitObserver, type Waiting } from "../binding/completion.js";
import { CommandStatus, CommandType, Status } from "../binding/constants.js";
import { driverError, OpenCLError } from "../binding/errors.js";
import { CommandEvent, failWith, reasonOf, untilEnded, type WaitFor, waitHandles } from "../event/event.js";
import { checkUserEventSupport } from "../event/user-event.js";
import { type HostEnd, HostOutcome } from "./host-failure.js";
import { type Handle, native } from "../binding/native.js";
import { handleOf } from "../binding/resource.js";
import type { QueueBase } from "../queue/queue-base.js";

/** A function for `queue.enqueueHostFunction`. A promise that it returns is awaited; any other result is ignored. */
export type HostFunction = () => unknown;

/** Options of a host function. */
export interface HostFunctionOptions {
  /** Events that the function waits for, in addition to its place in the queue. */
  readonly waitFor?: WaitFor;
  /** Cancels a function that has not started: it is not called, and its event fails. */
  readonly signal?: AbortSignal;
  /** A name shown in errors and traces. Errors show the name of the function by default. */
  readonly label?: string;
}

/** A host function that was enqueued and has not ended. */
interface Pending {
  readonly name: string;
  readonly userEvent: Handle;
  readonly end: Handle;
  readonly event: CommandEvent;
  readonly outcome: HostOutcome;
  /** Waits for its event, which must be rejected here because some drivers do not report failed events. */
  readonly waits: Waiting[];
  /** Waits for itself that it started before it was known whether it returns a promise. */
  readonly selfWaits: Waiting[];
  isAsync: boolean;
  ended: boolean;
}

const routine = "enqueueHostFunction";
const notCalled = "was not called, because an event it waited for failed";
const failed = Status.EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
/** The function whose code is running. */
const running = new AsyncLocalStorage<Pending | undefined>();
/** Pending functions by the handle of their event. */
const pendingFunctions = new Map<Handle, Pending>();
/**
 * Maximum number of pending functions of a thread. A loop that never returns to the event loop runs none of them, and
 * each takes about 9 KB.
 */
const maxPending = 10_000;

/** Enqueues a host function; see `CommandQueue.enqueueHostFunction`. */
export function enqueueHostFunction(queue: QueueBase, run: HostFunction, options?: HostFunctionOptions): CommandEvent {
  const handle = handleOf(queue);
  checkFunction(run, "fn");
  const { waitFor, signal, label } = checkOptions(options, ["waitFor", "signal", "label"]);
  const name = label === undefined ? ownName(run) : checkString(label, "options.label");
  checkSignal(signal)?.throwIfAborted();
  checkHostFunctionRoom(1);
  const list = Array.isArray(waitFor) ? [...(waitFor as readonly CommandEvent[])] : (waitFor as CommandEvent);
  const waits = waitHandles(list);
  const events = list === undefined || list === null ? [] : [list].flat();
  checkUserEventSupport(queue.context);
  const { outOfOrder } = queue;
  const [turn = 0, userEvent = 0, end = 0] = native.beginHostFunction(handle, waits, outOfOrder, name);
  const type = outOfOrder ? CommandType.MARKER : CommandType.BARRIER;
  const event = new CommandEvent(end, queue.context, queue, label, type);
  const outcome = new HostOutcome(event, events, (reason) => hostFunctionError(name, notCalled, reason));
  const pending: Pending = {
    name,
    userEvent,
    end,
    event,
    outcome,
    waits: [],
    selfWaits: [],
    isAsync: false,
    ended: false,
  };
  if (pendingFunctions.size === 0) waitObserver.listener = observeWait;
  pendingFunctions.set(end, pending);
  // These waits do not belong to a host function that may be running now.
  const ready = running.run(undefined, () => awaitTurn(turn, events, outOfOrder));
  void runWhenReady(pending, ready, run, signal);
  queue.flushSoon();
  for (const waited of events) waited.queue?.flushSoon();
  return event;
}

/** Throws if `count` more functions would exceed the maximum of pending functions on this thread. */
export function checkHostFunctionRoom(count: number): void {
  if (pendingFunctions.size + count <= maxPending) return;
  throw wrongState(
    `${maxPending} host functions are pending and cannot run until the program returns to the event loop: await an event or queue.finish() every few launches, or use runSteps()`,
  );
}

/**
 * Resolves when the function may run; rejects if something it waits for failed. On an in-order queue, `waitFor` is
 * awaited here instead of by the marker, because in PoCL later commands overtake earlier ones if a command fails before
 * its turn.
 */
async function awaitTurn(turn: Handle, events: readonly CommandEvent[], outOfOrder: boolean): Promise<void> {
  try {
    const completed = completionOf((id) => native.watchEvent(turn, CommandStatus.COMPLETE, id), undefined, turn);
    const waits = outOfOrder ? [] : events.map((event) => event.wait());
    const [status, waited] = await Promise.allSettled([completed, Promise.all(waits)]);
    if (status.status === "rejected") throw status.reason;
    // This error is more specific than the driver's status.
    if (waited.status === "rejected") throw waited.reason;
    if (status.value < 0) {
      throw events.map(reasonOf).find((reason) => reason !== undefined) ?? driverError(routine, status.value);
    }
  } finally {
    native.recycle(turn);
  }
}

async function runWhenReady(
  pending: Pending,
  ready: Promise<void>,
  run: HostFunction,
  signal: AbortSignal | undefined,
): Promise<void> {
  let why = notCalled;
  let how: HostEnd = "not called";
  let error: { readonly cause: unknown } | undefined;
  // Nothing else keeps the event loop alive while the function runs.
  hold(1);
  try {
    await ready;
    why = "was canceled before it started";
    how = "canceled";
    signal?.throwIfAborted();
    why = "failed";
    how = "threw";
    const result = running.run(pending, run);
    if (isThenable(result)) {
      pending.isAsync = true;
      for (const wait of pending.selfWaits) wait.refuse?.(deadlock(pending));
      await result;
    }
  } catch (cause) {
    error = { cause };
  }
  finish(pending, error && hostFunctionError(pending.name, why, error.cause), how);
  hold(-1);
}

/** Ends the function's event, with the error if it failed. */
function finish(pending: Pending, reason: OpenCLError | undefined, how: HostEnd): void {
  pending.ended = true;
  if (reason === undefined) pending.outcome.end(undefined, "completed");
  else fail(pending, reason, how);
  try {
    native.setUserEventStatus(pending.userEvent, reason === undefined ? CommandStatus.COMPLETE : failed);
    native.recycle(pending.userEvent);
  } catch (error) {
    if (reason === undefined) fail(pending, error as OpenCLError, "threw");
    retryFail(pending.userEvent, 1);
  }
  if (reasonOf(pending.event) !== undefined) void rejectWaits(pending);
  pendingFunctions.delete(pending.end);
  if (pendingFunctions.size === 0) {
    waitObserver.listener = undefined;
    running.disable();
  }
}

async function rejectWaits({ event, end, waits }: Pending): Promise<void> {
  checkForFailures();
  if (waits.length === 0) return;
  await untilEnded(end);
  for (const wait of waits) wait.refuse?.(reasonOf(event) as OpenCLError);
}

/**
 * Retries to fail a user event until the driver succeeds (it may be out of memory), because later commands wait for it.
 */
function retryFail(userEvent: Handle, milliseconds: number): void {
  setTimeout(() => {
    try {
      native.setUserEventStatus(userEvent, failed);
      native.recycle(userEvent);
      checkForFailures();
    } catch {
      retryFail(userEvent, Math.min(2 * milliseconds, 1000));
    }
  }, milliseconds).unref();
}

function fail({ event, outcome }: Pending, reason: OpenCLError, how: HostEnd): void {
  failWith(event, reason);
  outcome.end(reason, how);
}

function hostFunctionError(name: string, why: string, cause: unknown): OpenCLError {
  const message = cause instanceof Error ? cause.message : String(cause);
  return new OpenCLError("ERR_CL_HOST_FUNCTION", 0, routine, `host function ${quoted(name)} ${why}: ${message}`, {
    cause,
  });
}

/** Records a wait that starts while functions are pending, and rejects it if a function would wait for itself. */
function observeWait(wait: Waiting): void {
  pendingFunctions.get(wait.event)?.waits.push(wait);
  const current = running.getStore();
  if (current === undefined || current.ended || wait.event === 0) return;
  if (!native.waitsForFunction(wait.event, current.userEvent)) return;
  // A synchronous function may start a wait without awaiting it.
  if (current.isAsync) queueMicrotask(() => wait.refuse?.(deadlock(current)));
  else current.selfWaits.push(wait);
}

function deadlock({ name }: Pending): OpenCLError {
  return new OpenCLError(
    "ERR_CL_DEADLOCK",
    0,
    routine,
    `host function ${quoted(name)} awaits a command that waits for the function itself, which is a deadlock; await the command after the function has ended, or use another queue`,
  );
}

function quoted(name: string): string {
  return name === "" ? "(anonymous)" : `"${name}"`;
}

/** Returns the name of a function. It may not be a string: a class can have a static member `name`. */
function ownName({ name }: HostFunction): string {
  return typeof name === "string" ? name : "";
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    ((typeof value === "object" && value !== null) || typeof value === "function") &&
    typeof (value as { then?: unknown }).then === "function"
  );
}
