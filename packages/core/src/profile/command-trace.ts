/** Traces: records of the most recent commands. */
import { checkInstance, checkInteger, checkOptions, checkString } from "@cl/base";

import { statusName } from "../binding/errors.js";
import { native } from "../binding/native.js";
import { handleOf, Resource } from "../binding/resource.js";
import { CommandStatistics, type CommandTimes } from "./command-statistics.js";

/** A command that has ended. */
export interface TracedCommand {
  /** Name under which its statistics are watched. */
  readonly name: string;
  /** Number of its queue (`queueNumber`); 0 if unknown. */
  readonly queue: number;
  /** Whether it is a host function, whose times are of the host's clock. */
  readonly onHost: boolean;
  /**
   * Profiling times. For host functions, only `start` and `end` are meaningful. Those of a command that failed are all
   * `enqueued`, since drivers have no others.
   */
  readonly times: CommandTimes;
  /** Why it failed, if it did: a status such as `"CL_OUT_OF_RESOURCES"`; `"exception"` for a host function that threw an error. */
  readonly failed?: string;
  /** Host clock (`hostTime`) just after the command was enqueued, in nanoseconds; 0 for host functions. */
  readonly enqueued: bigint;
  /** Host clock just before the call that enqueued the command; `undefined` if only its event was recorded. */
  readonly called?: bigint;
  /** Bytes transferred, as declared in its statistics. */
  readonly bytes: number;
  /** Global size of a kernel. */
  readonly global?: readonly number[];
  /** Local size of a kernel. */
  readonly local?: readonly number[];
  /** Number by which later commands refer to it in `after`; 0 if none does. */
  readonly serial: number;
  /** Serials of the commands in its list that it had to wait for, unless the queue's order implies it. */
  readonly after: readonly number[];
}

/** Size of a record in native/profiling/trace.h. */
const recordBytes = 136;

/**
 * A ring buffer of the most recent commands recorded by the statistics that it watches. Drops the oldest when full.
 *
 * @example
 * ```ts
 * const profiled = new CommandQueue(context, { profiling: true });
 * const statistics = new CommandStatistics();
 * const trace = new CommandTrace({ capacity: 1000 }).watch(statistics, "clear");
 * statistics.add(profiled.enqueueFill(DeviceBuffer.empty(context, Float32Array, 16), 0));
 * await profiled.finish();
 * console.log(trace.commands()[0]?.name); // clear
 * ```
 */
export class CommandTrace extends Resource {
  readonly #capacity: number;
  /** Distinct names by number. */
  readonly #names: string[] = [];
  readonly #numbers = new Map<string, number>();

  constructor(options?: { readonly capacity?: number; readonly label?: string }) {
    const { capacity = 65_536, label } = checkOptions(options, ["capacity", "label"]);
    checkInteger(capacity, "options.capacity", 1, 2 ** 24);
    super(native.createTrace(capacity), label);
    this.#capacity = capacity;
  }

  /** Maximum number of commands. */
  get capacity(): number {
    return this.#capacity;
  }

  /** Number of commands dropped since the last {@link drain}. */
  get dropped(): number {
    return native.traceDropped(handleOf(this));
  }

  /** Starts recording the commands of `statistics` under a name. Statistics have at most one trace. */
  watch(statistics: CommandStatistics, name: string): this {
    const own = handleOf(this);
    const handle = handleOf(checkInstance(statistics, CommandStatistics, "statistics"));
    checkString(name, "name");
    let number = this.#numbers.get(name);
    if (number === undefined) {
      number = this.#names.push(name) - 1;
      this.#numbers.set(name, number);
    }
    native.traceStatistics(handle, own, number);
    return this;
  }

  /** Stops recording the commands of `statistics`. */
  unwatch(statistics: CommandStatistics): this {
    handleOf(this);
    native.traceStatistics(handleOf(checkInstance(statistics, CommandStatistics, "statistics")), 0, 0);
    return this;
  }

  /** Returns the commands in the order in which they were counted; for one in-order queue, the queue's order. */
  commands(): TracedCommand[] {
    return this.#read(false);
  }

  /** Returns the commands like {@link commands} and empties the trace. */
  drain(): TracedCommand[] {
    return this.#read(true);
  }

  #read(drain: boolean): TracedCommand[] {
    const { buffer } = native.readTrace(handleOf(this), drain);
    const view = new DataView(buffer);
    const count = Number(view.getBigUint64(0, true));
    // Serials follow the records.
    let next = 8 + count * recordBytes;
    return Array.from({ length: count }, (_, i) => {
      const at = 8 + i * recordBytes;
      const waits = Number(view.getBigUint64(at + 120, true));
      const after = Array.from({ length: waits }, (_item, k) => Number(view.getBigUint64(next + 8 * k, true)));
      next += 8 * waits;
      return this.#decode(view, at, after);
    });
  }

  #decode(view: DataView, at: number, after: readonly number[]): TracedCommand {
    const word = (offset: number): number => view.getUint32(at + offset, true);
    const long = (offset: number): bigint => view.getBigUint64(at + offset, true);
    const sizes = (offset: number): number[] =>
      Array.from({ length: short(56) }, (_, k) => Number(long(offset + 8 * k)));
    const short = (offset: number): number => view.getUint16(at + offset, true);
    const [enqueued, dimensions, status, called] = [long(40), short(56), view.getInt32(at + 60, true), long(128)];
    return {
      name: this.#names[word(0)] ?? "",
      queue: word(4),
      onHost: enqueued === 0n,
      times:
        status < 0
          ? { queued: enqueued, submit: enqueued, start: enqueued, end: enqueued }
          : { queued: long(8), submit: long(16), start: long(24), end: long(32) },
      ...(status === 0 ? {} : { failed: status < 0 ? statusName(status) : "exception" }),
      enqueued,
      ...(called === 0n ? {} : { called }),
      bytes: Number(long(48)),
      ...(dimensions > 0 ? { global: sizes(64) } : {}),
      ...(dimensions > 0 && short(58) === 1 ? { local: sizes(88) } : {}),
      serial: Number(long(112)),
      after,
    };
  }
}

/** Returns the host clock in nanoseconds, which traces use for `enqueued`. */
export function hostTime(): number {
  return native.hostTime();
}
