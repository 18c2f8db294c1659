/** Running statistics of commands, recorded natively in constant memory. */
import { checkFunction, checkInstance, checkInteger, checkOptions, typeError } from "@cl/base";

import { CommandType } from "../binding/constants.js";
import { driverError } from "../binding/errors.js";
import { CommandEvent } from "../event/event.js";
import type { ProfilingTimes } from "../info/event-info.js";
import { native } from "../binding/native.js";
import { handleOf, Resource } from "../binding/resource.js";
import { CommandQueue } from "../command-queue/command-queue.js";
import { type TimeStatistics, timeStatistics } from "./time-statistics.js";

/** Options for creating statistics. */
export interface CommandStatisticsOptions {
  /** Label shown in errors. */
  readonly label?: string;
  /**
   * Bytes that each command transfers, for the throughput.
   * @defaultValue 0
   */
  readonly bytes?: number;
}

/** Profiling times of a command, in nanoseconds of the device's clock. */
export type CommandTimes = Readonly<Pick<ProfilingTimes, "queued" | "submit" | "start" | "end">>;

/** CL_PROFILING_INFO_NOT_AVAILABLE. */
const noTimes = -7;

/**
 * Statistics of command times. Record a kernel's launches with `kernel.statistics = …`, commands of a launch list with
 * its options, and any other command with {@link add}. Recording never waits: completed commands are counted in batches
 * and when the statistics are read.
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
    // Checked before the handle exists, which an error would leak.
    const { label, bytes = 0 } = checkOptions(options, ["label", "bytes"]);
    checkInteger(bytes, "options.bytes");
    super(native.createStatistics(), label);
    this.#bytes = bytes;
    if (bytes > 0) native.setStatisticsBytes(handleOf(this), bytes);
  }

  /** Bytes that each command transfers; a change applies to commands that end afterwards. */
  get bytes(): number {
    return this.#bytes;
  }

  set bytes(value: number) {
    native.setStatisticsBytes(handleOf(this), checkInteger(value, "bytes"));
    this.#bytes = value;
  }

  /** Records a command of a profiling queue once it has ended. The event may be released immediately. */
  add(event: CommandEvent): this {
    const own = handleOf(this);
    const handle = handleOf(checkInstance(event, CommandEvent, "event"));
    const { queue } = event;
    if (queue === undefined && event.commandType === CommandType.USER) {
      throw typeError("event", "the event of a command; user events have no times", event);
    }
    // NVIDIA's driver reports times even without profiling.
    if (queue?.profiling === false) throw driverError("clGetEventProfilingInfo", noTimes);
    native.harvestEvent(own, handle, queue === undefined || queue.released ? 0 : handleOf(queue));
    return this;
  }

  /**
   * Runs a synchronous or asynchronous function, records its host time, and returns its result. Traces show it on
   * `options.queue`.
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

  /** Number of commands that are not counted yet, mostly because they have not ended. */
  get pending(): number {
    return native.pendingCommands(handleOf(this));
  }

  /** Times of up to 32 most recently counted commands, oldest first. */
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

  /** Returns the statistics since creation or the last {@link drain}. */
  snapshot(): TimeStatistics {
    return read(handleOf(this), false);
  }

  /** Returns the statistics like {@link snapshot} and resets them. Pending commands are counted after the reset. */
  drain(): TimeStatistics {
    return read(handleOf(this), true);
  }

  /** Records all later commands also in `observer`, which must not be observed itself. */
  addObserver(observer: CommandStatistics): this {
    const handle = handleOf(this);
    native.observeStatistics(handle, handleOf(checkInstance(observer, CommandStatistics, "observer")), true);
    return this;
  }

  /** Stops recording into `observer`; see {@link addObserver}. */
  removeObserver(observer: CommandStatistics): this {
    const handle = handleOf(this);
    native.observeStatistics(handle, handleOf(checkInstance(observer, CommandStatistics, "observer")), false);
    return this;
  }
}

/** @internal Returns the statistics' handle; 0 for `undefined`. */
export function statisticsHandle(statistics: CommandStatistics | undefined): number {
  return statistics === undefined ? 0 : handleOf(checkInstance(statistics, CommandStatistics, "statistics"));
}

/** Returns the number that identifies a queue of this thread in traces; the first is 1. */
export function queueNumber(queue: CommandQueue): number {
  return native.queueNumber(handleOf(checkInstance(queue, CommandQueue, "queue")));
}

function isThenable(value: unknown): value is Promise<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

/** Number of fields before the bins, as written by native/profiling/statistics.cc. */
const fields = 16;
let numbers = new Float64Array(512);

function read(handle: number, drain: boolean): TimeStatistics {
  const length = native.readStatistics(handle, numbers, drain);
  if (length > numbers.length) {
    numbers = new Float64Array(2 * length);
    return read(handle, drain);
  }
  const at = (i: number): number => numbers[i] as number;
  // A loop, because Array.from would take most of a snapshot's time.
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
