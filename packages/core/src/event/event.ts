/** Command events: status, waiting, callbacks and profiling. */
import { setTimeout as sleep } from "node:timers/promises";

import {
  checkFunction,
  checkInstance,
  checkList,
  checkOptions,
  checkSignal,
  illegalConstructor,
  lengthOf,
  rangeError,
  typeError,
} from "@cl/base";

import { adoptInto, adoptOptions } from "../binding/adopt.js";
import { callListener, cancelWait, completionOf, expectOnce, waitObserver } from "../binding/completion.js";
import { CommandStatus, CommandType } from "../binding/constants.js";
import { Context } from "../platform/context.js";
import { driverError, OpenCLError } from "../binding/errors.js";
import { eventQueries, type ProfilingTimes, profilingQueries } from "../info/event-info.js";
import { constantName } from "../info/names.js";
import { ask, infoOf } from "../info/query.js";
import { type Handle, native } from "../binding/native.js";
import type { PublicQueue, QueueBase } from "../queue/queue-base.js";
import { QueriedResource } from "../binding/queried-resource.js";
import { forget, handleOf } from "../binding/resource.js";

const { watchEvent } = native;

/** The wait list of a command: one event, several, or none. */
export type WaitFor = CommandEvent | readonly CommandEvent[] | null | undefined;

/** Options for waiting. */
export interface WaitOptions {
  /** Aborts the wait, but not the command: OpenCL cannot cancel enqueued commands. */
  readonly signal?: AbortSignal;
}

/** CL_PROFILING_INFO_NOT_AVAILABLE. */
const profilingInfoNotAvailable = -7;

/** A command status for which {@link CommandEvent.onStatus} can register a callback. */
export type EventStage = "submitted" | "running" | "complete";

const stages = {
  submitted: CommandStatus.SUBMITTED,
  running: CommandStatus.RUNNING,
  complete: CommandStatus.COMPLETE,
} as const;

/** A pending callback for a stage. */
interface StageCallback {
  readonly stage: number;
  readonly call: (status: number) => void;
  /** Completion id of the driver's callback; 0 if none was registered. */
  id: number;
}

/** Functions of this package that access private fields. */
let internals: {
  readonly failWith: (event: CommandEvent, reason: OpenCLError) => void;
  readonly reasonOf: (event: CommandEvent) => OpenCLError | undefined;
  readonly isObservable: (event: CommandEvent) => boolean;
};

/** The event of a command: its status, completion and profiling times. */
export class CommandEvent extends QueriedResource {
  readonly #context: Context;
  readonly #queue: QueueBase | undefined;
  /** The command type if the driver does not report it correctly: NVIDIA has a non-standard number for markers. */
  readonly #type: number | undefined;
  readonly #callbacks = new Set<StageCallback>();
  /** Number of pending waits and callbacks. The native event must live until they are settled. */
  #waits = 0;
  /** The reason for a failure, if it is known more precisely than by the driver. */
  #reason: OpenCLError | undefined;

  static {
    internals = {
      failWith: (event: CommandEvent, reason: OpenCLError): void => {
        event.#reason = reason;
      },
      reasonOf: (event: CommandEvent): OpenCLError | undefined => event.#reason,
      isObservable: (event: CommandEvent): boolean => !event.released || event.#waits > 0,
    };
  }

  /** @internal */
  constructor(handle: Handle, context: Context, queue?: QueueBase, label?: string, type?: number) {
    if (!Number.isInteger(handle)) {
      throw illegalConstructor("events cannot be constructed; every enqueue… call returns one");
    }
    super(handle, label);
    this.#context = context;
    this.#queue = queue;
    this.#type = type;
  }

  /**
   * Adopts an event that other code in this process created. With `retain: false` it takes over the caller's reference.
   * Throws if the event belongs to another context.
   */
  static fromPointer(context: Context, pointer: bigint, options?: { readonly retain?: boolean }): CommandEvent {
    checkInstance(context, Context, "context");
    const { retain } = adoptOptions(options);
    return new CommandEvent(adoptInto(context, "event", pointer, retain), context);
  }

  /** The context of the event. */
  get context(): Context {
    return this.#context;
  }

  /** The queue of the command; `undefined` for user events and adopted events. */
  get queue(): PublicQueue | undefined {
    return this.#queue as PublicQueue | undefined;
  }

  /** The command's status: a value of `CommandStatus`, or a negative error status if it failed. */
  get status(): number {
    return native.eventStatus(handleOf(this));
  }

  /** The name of the status: `"QUEUED"`, `"SUBMITTED"`, `"RUNNING"`, `"COMPLETE"`, or an error name `"CL_…"`. */
  get statusName(): string {
    const { status } = this;
    return status < 0 ? driverError("", status).code : (constantName(CommandStatus, status) ?? String(status));
  }

  /** The command's type, a value of `CommandType`. */
  get commandType(): number {
    return this.#typeOf(handleOf(this));
  }

  /** The driver's reference count. */
  get referenceCount(): number {
    return infoOf(this, eventQueries, "referenceCount");
  }

  #typeOf(handle: Handle): number {
    return this.#type ?? ask(eventQueries, "commandType", (param) => native.getInfo(handle, param));
  }

  /** Returns the error of a failed command. */
  #failure(handle: Handle, status: number): OpenCLError {
    if (this.#reason !== undefined) return this.#reason;
    return driverError(constantName(CommandType, this.#typeOf(handle)) ?? "command", status);
  }

  /** Resolves when the command has completed. Rejects with the command's error if it failed. */
  wait(options?: WaitOptions): Promise<void> {
    if (options !== undefined) return this.#waitWith(options);
    if (this.#reason !== undefined) return this.#rejectOnceEnded(this.#reason);
    // Only one promise and one closure, because thousands of events may be in flight.
    return new Promise((resolve, reject) => {
      const handle = handleOf(this);
      const id = expectOnce(
        (status) => {
          if (status < 0) reject(this.#failure(handle, status));
          else resolve();
          this.#endWait(handle);
        },
        (waitId) => watchEvent(handle, CommandStatus.COMPLETE, waitId),
        true,
        handle,
        waitObserver.listener &&
          ((error) => {
            cancelWait(id);
            reject(error);
            this.#endWait(handle);
          }),
      );
      this.#waits++;
      this.#queue?.flushSoon();
    });
  }

  async #rejectOnceEnded(reason: OpenCLError): Promise<never> {
    if (!this.released) await untilEnded(handleOf(this));
    throw reason;
  }

  async #waitWith(options: WaitOptions): Promise<void> {
    const signal = checkSignal(checkOptions(options, ["signal"]).signal);
    const handle = handleOf(this);
    signal?.throwIfAborted();
    if (this.#reason !== undefined) return this.#rejectOnceEnded(this.#reason);
    const done = completionOf((id) => watchEvent(handle, CommandStatus.COMPLETE, id), signal, handle);
    this.#waits++;
    this.#queue?.flushSoon();
    try {
      const status = await done;
      if (status < 0) throw this.#failure(handle, status);
    } finally {
      this.#endWait(handle);
    }
  }

  #endWait(handle: Handle): void {
    if (--this.#waits === 0 && this.released) native.release(handle);
  }

  /**
   * Releases the event. Pending waits and callbacks are still settled. Does nothing if it was already released.
   */
  override release(): void {
    if (this.#waits === 0) super.release();
    else forget(this);
  }

  /** Blocks the event loop until the command has completed. Throws the command's error if it failed. */
  waitSync(): void {
    waitForEventsSync([this]);
  }

  /**
   * Calls the callback once, on the JavaScript thread, when the command reaches a stage or fails, with the status of
   * the stage or the error status. A pending callback keeps the process alive.
   */
  onStatus(stage: EventStage, callback: (status: number, event: this) => void): this {
    checkFunction(callback, "callback");
    if (typeof stage !== "string" || !Object.hasOwn(stages, stage)) {
      throw typeError("stage", '"submitted", "running" or "complete"', stage);
    }
    const handle = handleOf(this);
    const entry: StageCallback = {
      stage: stages[stage],
      call: (status) => {
        this.#endWait(handle);
        callback(status, this);
      },
      id: 0,
    };
    const listener = (status: number): void => this.#callStage(entry, status);
    const now = native.eventStatus(handle);
    if (now <= entry.stage) {
      // No driver callback: NVIDIA never calls back for the initial stage of a user event.
      setImmediate(listener, now);
    } else {
      entry.id = expectOnce(listener, (id) => watchEvent(handle, entry.stage, id), true, handle);
    }
    this.#callbacks.add(entry);
    this.#waits++;
    this.#queue?.flushSoon();
    return this;
  }

  /**
   * Calls a callback with its stage's status, or the error of a failed command. Callbacks for earlier stages are called
   * first: a polled command may have passed several stages, and drivers may call back in another order.
   */
  #callStage(entry: StageCallback, status: number): void {
    if (!this.#callbacks.delete(entry)) return;
    if (status >= 0) {
      const earlier = [...this.#callbacks].filter(({ stage }) => stage > entry.stage);
      for (const callback of earlier.toSorted((a, b) => b.stage - a.stage)) {
        if (callback.id !== 0) cancelWait(callback.id);
        this.#callStage(callback, status);
      }
    }
    callListener(entry.call, status < 0 ? status : entry.stage, "");
  }

  /**
   * The times at which the command reached each state, in nanoseconds of the device's clock. Requires a profiling
   * queue.
   */
  get profile(): ProfilingTimes {
    const [queued, submit, start, end] = profilingTimes([this], ["queued", "submit", "start", "end"]) as unknown as [
      bigint,
      bigint,
      bigint,
      bigint,
    ];
    return { queued, submit, start, end, complete: this.#completeTime() ?? end };
  }

  #completeTime(): bigint | undefined {
    try {
      return profilingTimes([this], ["complete"])[0];
    } catch (error) {
      // Devices before OpenCL 2.0 lack this time, and their commands complete when they end.
      if (error instanceof OpenCLError && error.code === "CL_INVALID_VALUE") return undefined;
      throw error;
    }
  }

  /** The run time of the command in nanoseconds. Requires a profiling queue. */
  get duration(): bigint {
    const [start, end] = profilingTimes([this], ["start", "end"]) as unknown as [bigint, bigint];
    return end - start;
  }

  protected override summary(): string {
    return `${constantName(CommandType, this.commandType) ?? "command"}, ${this.statusName}`;
  }
}

/** @internal Sets the reason why an event fails. Must be called before it fails. */
export const failWith: (event: CommandEvent, reason: OpenCLError) => void = internals.failWith;
/** @internal Returns the reason set by {@link failWith}. */
export const reasonOf: (event: CommandEvent) => OpenCLError | undefined = internals.reasonOf;
/** @internal Returns false if the event was released and has no pending waits, so that a failure would go unnoticed. */
export const isObservable: (event: CommandEvent) => boolean = internals.isObservable;

/**
 * Resolves when the driver has ended a command that is known to have failed, or after 20 ms. Commands enqueued before
 * the driver has ended it would fail with NVIDIA's driver.
 */
export async function untilEnded(event: Handle): Promise<void> {
  for (let milliseconds = 0; milliseconds < 20 && !hasEnded(event); milliseconds++) await sleep(1);
}

function hasEnded(event: Handle): boolean {
  try {
    return native.eventStatus(event) <= 0;
  } catch {
    // The event was released, or the driver failed.
    return true;
  }
}

/** Wraps the event of an enqueue call. `type` must be given for markers and barriers. */
export function eventOf(handle: Handle, queue: QueueBase, type?: number): CommandEvent {
  return new CommandEvent(handle, queue.context, queue, undefined, type);
}

/** Returns the handles of a wait list; `undefined` if it is empty. Throws if an element is not an event. */
export function waitHandles(waitFor: WaitFor, name = "waitFor"): Int32Array | undefined {
  if (waitFor === undefined || waitFor === null) return undefined;
  if (waitFor instanceof CommandEvent) return Int32Array.of(handleOf(waitFor));
  const list = checkList(waitFor, name, "a CommandEvent, an array of them, or nothing");
  if (list.length === 0) return undefined;
  return Int32Array.from(list, (event, i) => handleOf(checkInstance(event, CommandEvent, `${name}[${i}]`)));
}

/** Resolves when all events have completed. Rejects with the first error. */
export async function waitForEvents(events: WaitFor, options?: WaitOptions): Promise<void> {
  checkSignal(checkOptions(options, ["signal"]).signal)?.throwIfAborted();
  waitHandles(events, "events");
  const list = events === undefined || events === null ? [] : [events].flat();
  await Promise.all(list.map((event) => event.wait(options)));
}

/** Blocks the event loop until all events have completed. Throws if one failed. */
export function waitForEventsSync(events: WaitFor): void {
  const handles = waitHandles(events, "events");
  if (handles === undefined) return;
  for (const event of [events].flat()) {
    const reason = event ? reasonOf(event) : undefined;
    if (reason instanceof OpenCLError) throw reason;
  }
  native.waitSync(handles);
}

function checkArray(value: unknown, name: string, what: string): void {
  if (!Array.isArray(value)) throw typeError(name, `an array of ${what}`, value);
}

/** The name of a profiling time. */
export type ProfilingField = keyof ProfilingTimes;

/**
 * Returns profiling times of many events, in nanoseconds: `fields.length` numbers per event, in row-major order. Faster
 * than `event.profile`.
 *
 * @param into - Array to write into, instead of a new one.
 */
export function profilingTimes(
  events: readonly CommandEvent[],
  fields: readonly ProfilingField[] = ["start", "end"],
  into?: BigInt64Array,
): BigInt64Array {
  checkArray(events, "events", "CommandEvents");
  checkArray(fields, "fields", "names");
  const length = events.length * fields.length;
  const times = into ?? new BigInt64Array(length);
  if (!(times instanceof BigInt64Array)) throw typeError("into", "a BigInt64Array", times);
  if (lengthOf(times) < length) throw rangeError("into", `at least ${length} elements long`, times);
  const params = Int32Array.from(fields, (field) => {
    if (typeof field !== "string" || !Object.hasOwn(profilingQueries, field)) {
      throw typeError("fields", `an array of ${Object.keys(profilingQueries).join(", ")}`, field);
    }
    return profilingQueries[field].param;
  });
  const handles = new Int32Array(events.length);
  for (let i = 0; i < events.length; i++) {
    const event: unknown = events[i];
    if (!(event instanceof CommandEvent)) throw typeError(`events[${i}]`, "a CommandEvent", event);
    handles[i] = handleOf(event);
    // NVIDIA's driver returns times even if profiling is disabled.
    if (event.queue?.profiling === false) throw driverError("clGetEventProfilingInfo", profilingInfoNotAvailable);
  }
  native.profilingTimes(handles, params, times);
  return times;
}
