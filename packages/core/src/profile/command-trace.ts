/** A record of single commands: the latest ones, as many as one wants to keep. */
import { checkInstance, checkInteger, checkOptions, checkString } from "@cl/base";

import { native } from "../binding/native.js";
import { handleOf, Resource } from "../binding/resource.js";
import { CommandStatistics, type CommandTimes } from "./command-statistics.js";

/** One command that has ended. */
export interface TracedCommand {
  /** The name that its statistics were given. */
  readonly name: string;
  /** The number of its queue (`queueNumber`), 0 if that is not known. */
  readonly queue: number;
  /** True for a function on the host: its times are of the host's clock. */
  readonly onHost: boolean;
  /** The times. For functions on the host, only the start and the end say something. */
  readonly times: CommandTimes;
  /** The host's clock (`hostTime`) just after a command was enqueued, in nanoseconds; 0 for functions on the host. */
  readonly enqueued: bigint;
  /** What it moved, as far as it was declared. */
  readonly bytes: number;
  /** A kernel's sizes. */
  readonly global?: readonly number[];
  readonly local?: readonly number[];
  /** By which commands that began after it name it; 0 if none does. */
  readonly serial: number;
  /** The serials of those of its list that it had to begin after, where the queue does not see to that by itself. */
  readonly after: readonly number[];
}

/** Bytes of a record, as native/profiling/trace.h has it. */
const recordBytes = 128;

/**
 * Keeps the latest commands of statistics that it watches, and drops the oldest when there is no room; how many is known.
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
  /** By number; a name once. */
  readonly #names: string[] = [];
  readonly #numbers = new Map<string, number>();

  constructor(options?: { readonly capacity?: number; readonly label?: string }) {
    const { capacity = 65_536, label } = checkOptions(options, ["capacity", "label"]);
    checkInteger(capacity, "options.capacity", 1, 2 ** 24);
    super(native.createTrace(capacity), label);
    this.#capacity = capacity;
  }

  /** How many commands it keeps at most. */
  get capacity(): number {
    return this.#capacity;
  }

  /** Commands that it has dropped since it was emptied. */
  get dropped(): number {
    return native.traceDropped(handleOf(this));
  }

  /** Records the commands of these statistics from now on, under a name. Statistics have one trace at most. */
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

  /** Records the commands of these statistics no longer. */
  unwatch(statistics: CommandStatistics): this {
    handleOf(this);
    native.traceStatistics(handleOf(checkInstance(statistics, CommandStatistics, "statistics")), 0, 0);
    return this;
  }

  /** The commands, in the order in which they were counted: on one in-order queue that of the queue. */
  commands(): TracedCommand[] {
    return this.#read(false);
  }

  /** Like {@link commands}, and begins anew. */
  drain(): TracedCommand[] {
    return this.#read(true);
  }

  #read(drain: boolean): TracedCommand[] {
    const { buffer } = native.readTrace(handleOf(this), drain);
    const view = new DataView(buffer);
    const count = Number(view.getBigUint64(0, true));
    // Serials are behind all records.
    let next = 8 + count * recordBytes;
    return Array.from({ length: count }, (_, i) => {
      const at = 8 + i * recordBytes;
      const waits = Number(view.getBigUint64(at + 120, true));
      const after = Array.from({ length: waits }, (_one, k) => Number(view.getBigUint64(next + 8 * k, true)));
      next += 8 * waits;
      return this.#decode(view, at, after);
    });
  }

  #decode(view: DataView, at: number, after: readonly number[]): TracedCommand {
    const word = (offset: number): number => view.getUint32(at + offset, true);
    const long = (offset: number): bigint => view.getBigUint64(at + offset, true);
    const sizes = (offset: number): number[] =>
      Array.from({ length: word(56) }, (_, k) => Number(long(offset + 8 * k)));
    const enqueued = long(40);
    return {
      name: this.#names[word(0)] ?? "",
      queue: word(4),
      onHost: enqueued === 0n,
      times: { queued: long(8), submit: long(16), start: long(24), end: long(32) },
      enqueued,
      bytes: Number(long(48)),
      ...(word(56) > 0 ? { global: sizes(64) } : {}),
      ...(word(56) > 0 && word(60) === 1 ? { local: sizes(88) } : {}),
      serial: Number(long(112)),
      after,
    };
  }
}

/** The host's clock, on which traces tell when commands were enqueued, in nanoseconds. */
export function hostTime(): number {
  return native.hostTime();
}
