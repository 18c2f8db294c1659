/**
 * Host functions: JavaScript functions that run when their turn in a queue comes.
 *
 * OpenCL sees three things (native/commands/host_function.cc): a marker that completes at the function's turn, a user event, and a
 * barrier that waits for the user event and holds what follows. This side runs the function between the first and the
 * second. What blocks the thread on a pending function is refused natively (native/driver/dependencies.h); what awaits one from
 * inside itself is refused here.
 */
import { AsyncLocalStorage } from "node:async_hooks";

import { checkFunction, checkOptions, checkSignal, checkString, wrongState } from "@cl/base";

import { allWaits, completionOf, hold, lookForFailures, type Waiting } from "../binding/completion.js";
import { CommandStatus, CommandType, Status } from "../binding/constants.js";
import { driverError, OpenCLError } from "../binding/errors.js";
import { CommandEvent, failWith, reasonOf, untilEnded, type WaitFor, waitHandles } from "../event/event.js";
import { refuseLockingDevice } from "../event/user-event.js";
import { type HostEnd, HostOutcome } from "./host-failure.js";
import { type Handle, native } from "../binding/native.js";
import { handleOf } from "../binding/resource.js";
import type { QueueBase } from "../queue/queue-base.js";

/** What `queue.enqueueHostFunction` takes; a promise that it returns is waited for, any other result is dropped. */
export type HostFunction = () => unknown;

/** When a host function runs, and what it is called. */
export interface HostFunctionOptions {
  /** What it waits for, besides its turn in the queue. */
  readonly waitFor?: WaitFor;
  /** Cancels a function that has not begun: when its turn comes it is not called, and its event fails. */
  readonly signal?: AbortSignal;
  /** A name of yours, shown in errors and traces; in errors the function's own name if not said. */
  readonly label?: string;
}

/** One that was enqueued and has not ended. */
interface Pending {
  readonly name: string;
  readonly userEvent: Handle;
  readonly end: Handle;
  readonly event: CommandEvent;
  readonly outcome: HostOutcome;
  /** Whoever awaits its event: some drivers tell nobody of events that fail. */
  readonly waits: Waiting[];
  /** Waits for itself that began inside it before it was known whether it returns a promise. */
  readonly ownWaits: Waiting[];
  isAsync: boolean;
  ended: boolean;
}

const routine = "enqueueHostFunction";
const notCalled = "was not called, since what it waited for has failed";
const failed = Status.EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
/** Whose code is running. */
const running = new AsyncLocalStorage<Pending | undefined>();
/** By the event that ends with them. */
const pendingFunctions = new Map<Handle, Pending>();
/**
 * Maximum number of pending functions of a thread. A loop that never returns to the event loop runs none of them, and each
 * holds about 9 KB.
 */
const maxPending = 10_000;

/** Lets a function run when its turn in the queue comes, and holds what follows until it has ended. */
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
  refuseLockingDevice(queue.context);
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
    ownWaits: [],
    isAsync: false,
    ended: false,
  };
  if (pendingFunctions.size === 0) allWaits.listener = noteWait;
  pendingFunctions.set(end, pending);
  // What is waited for here is no wait of the function that may be running.
  const turned = running.run(undefined, () => awaitTurn(turn, events, outOfOrder));
  void takeTurn(pending, turned, run, signal);
  queue.flushSoon();
  for (const one of events) one.queue?.flushSoon();
  return event;
}

/** Throws unless so many more functions may be pending on this thread. */
export function checkHostFunctionRoom(count: number): void {
  if (pendingFunctions.size + count <= maxPending) return;
  throw wrongState(
    `${maxPending} host functions are pending, and none of them can run before the event loop gets its turn: await an event or queue.finish() every few launches, or use runSteps()`,
  );
}

/**
 * In order, the events of `waitFor` are waited for here, since PoCL lets later commands overtake earlier ones when
 * something in the queue fails before its turn; so a failure counts only when the turn has come.
 */
async function awaitTurn(turn: Handle, events: readonly CommandEvent[], outOfOrder: boolean): Promise<void> {
  try {
    const turned = completionOf((id) => native.watchEvent(turn, CommandStatus.COMPLETE, id), undefined, turn);
    const awaited = outOfOrder ? [] : events.map((event) => event.wait());
    const [status, others] = await Promise.allSettled([turned, Promise.all(awaited)]);
    if (status.status === "rejected") throw status.reason;
    // What is known here says more than a driver's status.
    if (others.status === "rejected") throw others.reason;
    if (status.value < 0) {
      throw events.map(reasonOf).find((reason) => reason !== undefined) ?? driverError(routine, status.value);
    }
  } finally {
    native.recycle(turn);
  }
}

async function takeTurn(
  pending: Pending,
  turned: Promise<void>,
  run: HostFunction,
  signal: AbortSignal | undefined,
): Promise<void> {
  let why = notCalled;
  let how: HostEnd = "not called";
  let error: { readonly cause: unknown } | undefined;
  // From here on nothing else keeps the process from ending.
  hold(1);
  try {
    await turned;
    why = "was cancelled before it began";
    how = "cancelled";
    signal?.throwIfAborted();
    why = "failed";
    how = "threw";
    const result = running.run(pending, run);
    if (isThenable(result)) {
      pending.isAsync = true;
      for (const wait of pending.ownWaits) wait.refuse?.(deadlock(pending));
      await result;
    }
  } catch (cause) {
    error = { cause };
  }
  finish(pending, error && hostFunctionError(pending.name, why, error.cause), how);
  hold(-1);
}

/** Ends the function's event, well or badly. */
function finish(pending: Pending, reason: OpenCLError | undefined, how: HostEnd): void {
  pending.ended = true;
  if (reason === undefined) pending.outcome.end(undefined, "well");
  else fail(pending, reason, how);
  try {
    native.setUserEventStatus(pending.userEvent, reason === undefined ? CommandStatus.COMPLETE : failed);
    native.recycle(pending.userEvent);
  } catch (error) {
    if (reason === undefined) fail(pending, error as OpenCLError, "threw");
    failLater(pending.userEvent, 1);
  }
  if (reasonOf(pending.event) !== undefined) void refuseWaits(pending);
  pendingFunctions.delete(pending.end);
  if (pendingFunctions.size === 0) {
    allWaits.listener = undefined;
    running.disable();
  }
}

async function refuseWaits({ event, end, waits }: Pending): Promise<void> {
  lookForFailures();
  if (waits.length === 0) return;
  await untilEnded(end);
  for (const wait of waits) wait.refuse?.(reasonOf(event) as OpenCLError);
}

/** A driver that refuses to end an event, for want of memory perhaps, is asked again: all that follows waits for it. */
function failLater(userEvent: Handle, milliseconds: number): void {
  setTimeout(() => {
    try {
      native.setUserEventStatus(userEvent, failed);
      native.recycle(userEvent);
      lookForFailures();
    } catch {
      failLater(userEvent, Math.min(2 * milliseconds, 1000));
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

/** What is awaited while functions are pending. One that awaits what waits for itself would never end. */
function noteWait(wait: Waiting): void {
  pendingFunctions.get(wait.event)?.waits.push(wait);
  const own = running.getStore();
  if (own === undefined || own.ended || wait.event === 0) return;
  if (!native.waitsForFunction(wait.event, own.userEvent)) return;
  // A function that returns nothing may begin a wait and leave it to others.
  if (own.isAsync) queueMicrotask(() => wait.refuse?.(deadlock(own)));
  else own.ownWaits.push(wait);
}

function deadlock({ name }: Pending): OpenCLError {
  return new OpenCLError(
    "ERR_CL_DEADLOCK",
    0,
    routine,
    `host function ${quoted(name)} awaits a command that waits for the function itself, so neither would ever end; await it after the function has ended, or leave the function's own queue out of it`,
  );
}

function quoted(name: string): string {
  return name === "" ? "(anonymous)" : `"${name}"`;
}

/** A class may have a static member of this name. */
function ownName({ name }: HostFunction): string {
  return typeof name === "string" ? name : "";
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    ((typeof value === "object" && value !== null) || typeof value === "function") &&
    typeof (value as { then?: unknown }).then === "function"
  );
}
