/** Running statistics of commands, counted natively: memory does not grow with their number. */
import { checkFunction, checkInstance, checkInteger, checkOptions, typeError } from "@cl/base";

import { CommandType } from "../binding/constants.js";
import { driverError } from "../binding/errors.js";
import { CommandEvent } from "../event/event.js";
import type { ProfilingTimes } from "../info/event-info.js";
import { native } from "../binding/native.js";
import { handleOf, Resource } from "../binding/resource.js";
import { CommandQueue } from "../command-queue/command-queue.js";
import { type TimeStatistics, timeStatistics } from "./time-statistics.js";

/** How to make statistics. */
export interface CommandStatisticsOptions {
  /** A name of yours, shown in errors. */
  readonly label?: string;
  /** What each command moves, for bytes per second. */
  readonly bytes?: number;
}

/** What the driver knows of one command, in nanoseconds of the device's clock. */
export type CommandTimes = Readonly<Pick<ProfilingTimes, "queued" | "submit" | "start" | "end">>;

/** CL_PROFILING_INFO_NOT_AVAILABLE. */
const noTimes = -7;

/**
 * Counts commands and their times. A kernel's go in by `kernel.statistics = …`, those of a launch list by its options,
 * any other command's by {@link add}. Nothing waits: what has ended is counted in batches, and when somebody looks.
 *
 * @example
 * ```ts
 * const profiled = new CommandQueue(context, { profiling: true });
 * const statistics = new CommandStatistics({ bytes: 64 });
 * const target = DeviceBuffer.empty(context, Float32Array, 16);
 * for (let i = 0; i < 100; i++) statistics.add(profiled.enqueueFill(target, 0));
 * await profiled.finish();
 * console.log(statistics.snapshot().count); // 100
 * ```
 */
export class CommandStatistics extends Resource {
  #bytes: number;

  constructor(options?: CommandStatisticsOptions) {
    // Before there is a handle that an error would lose.
    const { label, bytes = 0 } = checkOptions(options, ["label", "bytes"]);
    checkInteger(bytes, "options.bytes");
    super(native.createStatistics(), label);
    this.#bytes = bytes;
    if (bytes > 0) native.setStatisticsBytes(handleOf(this), bytes);
  }

  /** What each command moves, for those that end from now on. */
  get bytes(): number {
    return this.#bytes;
  }

  set bytes(value: number) {
    native.setStatisticsBytes(handleOf(this), checkInteger(value, "bytes"));
    this.#bytes = value;
  }

  /** Counts a command of a queue with profiling when it has ended. The event may be released. */
  add(event: CommandEvent): this {
    const own = handleOf(this);
    const handle = handleOf(checkInstance(event, CommandEvent, "event"));
    const { queue } = event;
    if (queue === undefined && event.commandType === CommandType.USER) {
      throw typeError("event", "a command's: user events have no times", event);
    }
    // NVIDIA's driver gives times where nobody asked it to keep them.
    if (queue?.profiling === false) throw driverError("clGetEventProfilingInfo", noTimes);
    native.harvestEvent(own, handle, queue === undefined || queue.released ? 0 : handleOf(queue));
    return this;
  }

  /**
   * Runs a function, synchronous or not, and counts the time that it takes on the host. Returns what it returns. The
   * queue is where a trace shows it.
   */
  time<T>(run: () => T, options?: { readonly queue?: CommandQueue }): T {
    const handle = handleOf(this);
    checkFunction(run, "run");
    const { queue } = checkOptions(options, ["queue"]);
    const number = queue === undefined ? 0 : queueNumber(checkInstance(queue, CommandQueue, "options.queue"));
    const start = native.hostTime();
    const end = (failed: boolean): void => {
      if (!this.released) native.countSpan(handle, number, start, failed);
    };
    let result: T;
    try {
      result = run();
    } catch (error) {
      end(true);
      throw error;
    }
    if (!isThenable(result)) {
      end(false);
      return result;
    }
    return result.then(
      (value) => {
        end(false);
        return value;
      },
      (error: unknown) => {
        end(true);
        throw error;
      },
    ) as T;
  }

  /** Commands that were given, and have not been counted: most of them are still on their queue. */
  get pending(): number {
    return native.pendingCommands(handleOf(this));
  }

  /** The times of the last commands that were counted, 32 at most, the latest last. */
  get recent(): readonly CommandTimes[] {
    const { buffer } = native.recentCommands(handleOf(this));
    const times = new BigUint64Array(buffer);
    return Array.from({ length: times.length / 4 }, (_, i) => ({
      queued: times[4 * i] as bigint,
      submit: times[4 * i + 1] as bigint,
      start: times[4 * i + 2] as bigint,
      end: times[4 * i + 3] as bigint,
    }));
  }

  /** All that has been counted since the beginning, or since {@link drain}. To look changes nothing. */
  snapshot(): TimeStatistics {
    return read(handleOf(this), false);
  }

  /** Like {@link snapshot}, and begins anew. What is still pending is counted from then on. */
  drain(): TimeStatistics {
    return read(handleOf(this), true);
  }

  /** Counts in other statistics, too, whatever these count from now on. Those must not be observed themselves. */
  observedBy(observer: CommandStatistics): this {
    const handle = handleOf(this);
    native.observeStatistics(handle, handleOf(checkInstance(observer, CommandStatistics, "observer")), true);
    return this;
  }

  /** Ends what {@link observedBy} began. */
  notObservedBy(observer: CommandStatistics): this {
    const handle = handleOf(this);
    native.observeStatistics(handle, handleOf(checkInstance(observer, CommandStatistics, "observer")), false);
    return this;
  }
}

/** @internal The handle of what somebody counts in, 0 for nothing. */
export function statisticsHandle(statistics: CommandStatistics | undefined): number {
  return statistics === undefined ? 0 : handleOf(checkInstance(statistics, CommandStatistics, "statistics"));
}

/** By which traces tell the queues of this thread apart; the first is 1. */
export function queueNumber(queue: CommandQueue): number {
  return native.queueNumber(handleOf(checkInstance(queue, CommandQueue, "queue")));
}

function isThenable(value: unknown): value is Promise<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

/** Fields before the bins, as native/profiling/statistics.cc writes them. */
const fields = 16;
let numbers = new Float64Array(512);

function read(handle: number, drain: boolean): TimeStatistics {
  const length = native.readStatistics(handle, numbers, drain);
  if (length > numbers.length) {
    numbers = new Float64Array(2 * length);
    return read(handle, drain);
  }
  const at = (i: number): number => numbers[i] as number;
  // Array.from would take most of the time of a snapshot.
  const bins: number[] = [];
  const counts: number[] = [];
  for (let i = fields; i < length; i += 2) {
    bins.push(at(i));
    counts.push(at(i + 1));
  }
  return timeStatistics({
    count: at(0),
    failed: at(1),
    untimed: at(2),
    total: at(3),
    min: at(4),
    max: at(5),
    squares: at(6),
    queueDelay: { count: at(7), total: at(8), max: at(9) },
    submitDelay: { count: at(10), total: at(11), max: at(12) },
    bytes: at(13),
    sketch: {
      relativeError: 0.01,
      zeros: at(14),
      bins,
      counts,
    },
  });
}
