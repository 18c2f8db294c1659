/** Events: how far a command is, and how to wait for it. */
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
import { allWaits, completionOf, expectOnce, giveUp, tell } from "../binding/completion.js";
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

/** What a command waits for: one event, several, or nothing. */
export type WaitFor = CommandEvent | readonly CommandEvent[] | null | undefined;

/** How to wait. */
export interface WaitOptions {
  /** Ends the wait, not the command: OpenCL cannot cancel what is enqueued. */
  readonly signal?: AbortSignal;
}

/** CL_PROFILING_INFO_NOT_AVAILABLE. */
const noTimes = -7;

/** A status that callbacks can be asked for. */
export type EventStage = "submitted" | "running" | "complete";

const stages = {
  submitted: CommandStatus.SUBMITTED,
  running: CommandStatus.RUNNING,
  complete: CommandStatus.COMPLETE,
} as const;

/** A callback for a stage, which has not been told yet. */
interface StageCallback {
  readonly stage: number;
  readonly call: (status: number) => void;
  /** Under which the driver's own callback comes; 0 if it was not asked. */
  id: number;
}

/** Functions of this package that reach private fields. */
let inside: {
  readonly failWith: (event: CommandEvent, reason: OpenCLError) => void;
  readonly reasonOf: (event: CommandEvent) => OpenCLError | undefined;
  readonly mayBeHeard: (event: CommandEvent) => boolean;
};

/** The state of one command. */
export class CommandEvent extends QueriedResource {
  readonly #context: Context;
  readonly #queue: QueueBase | undefined;
  /** Where drivers do not say it: NVIDIA has a number of its own for markers. */
  readonly #type: number | undefined;
  readonly #callbacks = new Set<StageCallback>();
  /** Waits and callbacks that are pending: the native event must live until they have been told. */
  #waits = 0;
  /** Why the command failed, where this side knows more than the driver. */
  #reason: OpenCLError | undefined;

  static {
    inside = {
      failWith: (event: CommandEvent, reason: OpenCLError): void => {
        event.#reason = reason;
      },
      reasonOf: (event: CommandEvent): OpenCLError | undefined => event.#reason,
      mayBeHeard: (event: CommandEvent): boolean => !event.released || event.#waits > 0,
    };
  }

  /** @internal */
  constructor(handle: Handle, context: Context, queue?: QueueBase, label?: string, type?: number) {
    if (!Number.isInteger(handle)) throw illegalConstructor("events are not made; every enqueue… call returns one");
    super(handle, label);
    this.#context = context;
    this.#queue = queue;
    this.#type = type;
  }

  /** An event made elsewhere in this process. With `retain: false` its reference becomes ours. */
  static fromPointer(context: Context, pointer: bigint, options?: { readonly retain?: boolean }): CommandEvent {
    checkInstance(context, Context, "context");
    const { retain } = adoptOptions(options);
    return new CommandEvent(adoptInto(context, "event", pointer, retain), context);
  }

  /** The context it belongs to. */
  get context(): Context {
    return this.#context;
  }

  /** The queue its command is on; none for user events and adopted ones. */
  get queue(): PublicQueue | undefined {
    return this.#queue as PublicQueue | undefined;
  }

  /** How far the command is, a value of `CommandStatus`; negative is the error it ended with. */
  get status(): number {
    return native.eventStatus(handleOf(this));
  }

  /** The status by name: `"QUEUED"`, `"SUBMITTED"`, `"RUNNING"`, `"COMPLETE"`, or an error's `"CL_…"`. */
  get statusName(): string {
    const { status } = this;
    return status < 0 ? driverError("", status).code : (constantName(CommandStatus, status) ?? String(status));
  }

  /** What the command is, a value of `CommandType`. */
  get commandType(): number {
    return this.#typeOf(handleOf(this));
  }

  /** References that the driver counts. */
  get referenceCount(): number {
    return infoOf(this, eventQueries, "referenceCount");
  }

  #typeOf(handle: Handle): number {
    return this.#type ?? ask(eventQueries, "commandType", (param) => native.getInfo(handle, param));
  }

  /** The error of the command, by its name. */
  #failure(handle: Handle, status: number): OpenCLError {
    if (this.#reason !== undefined) return this.#reason;
    return driverError(constantName(CommandType, this.#typeOf(handle)) ?? "command", status);
  }

  /** Resolves when the command has completed; rejects with its error if it failed. */
  wait(options?: WaitOptions): Promise<void> {
    if (options !== undefined) return this.#waitWith(options);
    if (this.#reason !== undefined) return this.#rejectOnceEnded(this.#reason);
    // One promise and one closure, since thousands of events may be in flight.
    return new Promise((resolve, reject) => {
      const handle = handleOf(this);
      const id = expectOnce(
        (status) => {
          if (status < 0) reject(this.#failure(handle, status));
          else resolve();
          this.#waitEnds(handle);
        },
        (one) => watchEvent(handle, CommandStatus.COMPLETE, one),
        true,
        handle,
        allWaits.listener &&
          ((error) => {
            giveUp(id);
            reject(error);
            this.#waitEnds(handle);
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
      this.#waitEnds(handle);
    }
  }

  #waitEnds(handle: Handle): void {
    if (--this.#waits === 0 && this.released) native.release(handle);
  }

  /**
   * Gives the event back. Waits and callbacks that are pending are still told of its end. Calling it again does nothing.
   */
  override release(): void {
    if (this.#waits === 0) super.release();
    else forget(this);
  }

  /** Blocks the event loop until the command has completed; throws its error if it failed. */
  waitSync(): void {
    waitForEventsSync([this]);
  }

  /**
   * Calls back once, on the JavaScript thread, when the command reaches a stage or fails. The status is that stage's, or
   * the error. A pending callback keeps the process alive.
   */
  onStatus(stage: EventStage, callback: (status: number, event: this) => void): this {
    checkFunction(callback, "callback");
    if (typeof stage !== "string" || !Object.hasOwn(stages, stage)) {
      throw typeError("stage", '"submitted", "running" or "complete"', stage);
    }
    const handle = handleOf(this);
    const asked: StageCallback = {
      stage: stages[stage],
      call: (status) => {
        this.#waitEnds(handle);
        callback(status, this);
      },
      id: 0,
    };
    const now = native.eventStatus(handle);
    if (now <= asked.stage) {
      // The driver is not asked: NVIDIA never calls back for the stage in which a user event begins.
      setImmediate(() => this.#reached(asked, now < 0 ? now : asked.stage));
    } else {
      const listener = (status: number): void => this.#reached(asked, status);
      asked.id = expectOnce(listener, (id) => watchEvent(handle, asked.stage, id), true, handle);
    }
    this.#callbacks.add(asked);
    this.#waits++;
    this.#queue?.flushSoon();
    return this;
  }

  /** Tells a callback, once; before it those for earlier stages, since drivers may call back in another order. */
  #reached(asked: StageCallback, status: number): void {
    if (!this.#callbacks.delete(asked)) return;
    if (status >= 0) {
      const earlier = [...this.#callbacks].filter((one) => one.stage > asked.stage);
      for (const one of earlier.toSorted((a, b) => b.stage - a.stage)) {
        if (one.id !== 0) giveUp(one.id);
        this.#reached(one, one.stage);
      }
    }
    tell(asked.call, status, "");
  }

  /** When the command reached each state, in nanoseconds of the device's clock. Needs a queue that profiles. */
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
      // Devices before OpenCL 2.0 have no such time, and nothing of theirs completes after its end.
      if (error instanceof OpenCLError && error.code === "CL_INVALID_VALUE") return undefined;
      throw error;
    }
  }

  /** How long the command ran, in nanoseconds. Needs a queue that profiles. */
  get duration(): bigint {
    const [start, end] = profilingTimes([this], ["start", "end"]) as unknown as [bigint, bigint];
    return end - start;
  }

  protected override summary(): string {
    return `${constantName(CommandType, this.commandType) ?? "command"}, ${this.statusName}`;
  }
}

/** @internal Says why an event fails; to be called before it does. */
export const failWith: (event: CommandEvent, reason: OpenCLError) => void = inside.failWith;
/** @internal What {@link failWith} said. */
export const reasonOf: (event: CommandEvent) => OpenCLError | undefined = inside.reasonOf;
/** @internal False if it was released and nobody waits for it: nobody will hear how it ends. */
export const mayBeHeard: (event: CommandEvent) => boolean = inside.mayBeHeard;

/**
 * Resolves when the driver has ended a command that is known to have failed. Who is told before that would go on with a queue
 * in which NVIDIA's driver fails what is enqueued meanwhile. One that does not say it soon is not waited for.
 */
export async function untilEnded(event: Handle): Promise<void> {
  for (let milliseconds = 0; milliseconds < 20 && !hasEnded(event); milliseconds++) await sleep(1);
}

function hasEnded(event: Handle): boolean {
  try {
    return native.eventStatus(event) <= 0;
  } catch {
    // Released, or of a driver that says nothing any more.
    return true;
  }
}

/** Wraps the event that an enqueue call made; for markers and barriers the caller says what it is. */
export function eventOf(handle: Handle, queue: QueueBase, type?: number): CommandEvent {
  return new CommandEvent(handle, queue.context, queue, undefined, type);
}

/** The handles of a wait list; throws for anything that is not an event. */
export function waitHandles(waitFor: WaitFor, name = "waitFor"): Int32Array | undefined {
  if (waitFor === undefined || waitFor === null) return undefined;
  if (waitFor instanceof CommandEvent) return Int32Array.of(handleOf(waitFor));
  const list = checkList(waitFor, name, "a CommandEvent, an array of them, or nothing");
  if (list.length === 0) return undefined;
  return Int32Array.from(list, (event, i) => handleOf(checkInstance(event, CommandEvent, `${name}[${i}]`)));
}

/** Resolves when all the events have completed; rejects with the first error. */
export async function waitForEvents(events: WaitFor, options?: WaitOptions): Promise<void> {
  checkSignal(checkOptions(options, ["signal"]).signal)?.throwIfAborted();
  waitHandles(events, "events");
  const list = events === undefined || events === null ? [] : [events].flat();
  await Promise.all(list.map((event) => event.wait(options)));
}

/** Blocks the event loop until all the events have completed. */
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

/** The profiling times that a command has. */
export type ProfilingField = keyof ProfilingTimes;

/**
 * Profiling times of many events at once, row by row: `fields.length` numbers for each event, in nanoseconds. This is
 * the fast way; `event.profile` is the convenient one.
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
  if (lengthOf(times) < length) throw rangeError("into", `at least ${length} long`, times);
  const params = Int32Array.from(fields, (field) => {
    if (typeof field !== "string" || !Object.hasOwn(profilingQueries, field)) {
      throw typeError("fields", `some of ${Object.keys(profilingQueries).join(", ")}`, field);
    }
    return profilingQueries[field].param;
  });
  const handles = new Int32Array(events.length);
  for (let i = 0; i < events.length; i++) {
    const event: unknown = events[i];
    if (!(event instanceof CommandEvent)) throw typeError(`events[${i}]`, "a CommandEvent", event);
    handles[i] = handleOf(event);
    // NVIDIA's driver gives times where nobody asked it to keep them.
    if (event.queue?.profiling === false) throw driverError("clGetEventProfilingInfo", noTimes);
  }
  native.profilingTimes(handles, params, times);
  return times;
}
