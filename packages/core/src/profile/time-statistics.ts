/** Statistics of command times, as plain objects that can be merged. */
import { checkObject, rangeError, typeError } from "@cl/base";

import { checkSketch, mergeSketches, quantileOf, type TimeSketch } from "./sketch.js";

/** Statistics of a delay, in nanoseconds. */
export interface DelayStatistics {
  /** Number of commands for which the driver reported the delay. */
  readonly count: number;
  /** Sum of the delays. */
  readonly total: number;
  /** Mean delay. */
  readonly mean: number;
  /** Longest delay. */
  readonly max: number;
}

/**
 * Statistics of command times: a plain object that can be posted to other threads and serialized to JSON. A time is the
 * duration from start to end on the device, in nanoseconds. Undefined values, such as the mean of no commands, are NaN,
 * and null in JSON.
 */
export interface TimeStatistics {
  /** Number of timed commands. */
  readonly count: number;
  /** Number of failed commands. */
  readonly failed: number;
  /** Number of completed commands without times from the driver. */
  readonly untimed: number;
  /** Sum of the times. */
  readonly total: number;
  /** Mean time. */
  readonly mean: number;
  /** Population standard deviation. */
  readonly std: number;
  /** Shortest time. */
  readonly min: number;
  /** Longest time. */
  readonly max: number;
  /** Median, with a relative error of 1 %. */
  readonly p50: number;
  /** 95th percentile, with a relative error of 1 %. */
  readonly p95: number;
  /** Delay from enqueueing a command until the driver submits it to the device. */
  readonly queueDelay: DelayStatistics;
  /** Delay from submission until the command starts. */
  readonly submitDelay: DelayStatistics;
  /** Bytes transferred by the timed commands, as declared. */
  readonly bytes: number;
  /** Throughput in 10^9 bytes per second; NaN if no bytes were declared. */
  readonly gbPerSecond: number;
  /** Distribution, from which {@link quantile} computes other quantiles. */
  readonly sketch: TimeSketch;
}

/** Input of {@link timeStatistics}. */
export interface Moments {
  readonly count: number;
  readonly failed: number;
  readonly untimed: number;
  readonly total: number;
  readonly min: number;
  readonly max: number;
  /** The sum of squared differences from the mean. */
  readonly squares: number;
  readonly queueDelay: { readonly count: number; readonly total: number; readonly max: number };
  readonly submitDelay: { readonly count: number; readonly total: number; readonly max: number };
  readonly bytes: number;
  readonly sketch: TimeSketch;
}

/** Returns the statistics for recorded moments. */
export function timeStatistics(moments: Moments): TimeStatistics {
  const { count, failed, untimed, total, min, max, squares, bytes, sketch } = moments;
  const hasTimes = count > 0;
  return {
    count,
    failed,
    untimed,
    total,
    mean: hasTimes ? total / count : Number.NaN,
    std: hasTimes ? Math.sqrt(squares / count) : Number.NaN,
    min: hasTimes ? min : Number.NaN,
    max: hasTimes ? max : Number.NaN,
    p50: hasTimes ? clamp(quantileOf(sketch, count, 0.5), min, max) : Number.NaN,
    p95: hasTimes ? clamp(quantileOf(sketch, count, 0.95), min, max) : Number.NaN,
    queueDelay: delay(moments.queueDelay),
    submitDelay: delay(moments.submitDelay),
    bytes,
    gbPerSecond: bytes > 0 && total > 0 ? bytes / total : Number.NaN,
    sketch,
  };
}

function delay({ count, total, max }: Moments["queueDelay"]): DelayStatistics {
  return count === 0 ? { count, total, mean: Number.NaN, max: Number.NaN } : { count, total, mean: total / count, max };
}

/** Clamps a quantile: a bin's center may be outside the observed range. */
function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max);
}

/**
 * Returns a quantile of the times, with a relative error of 1 %: `quantile(statistics, 0.99)`; NaN for no commands.
 *
 * @example
 * ```ts
 * const statistics = new CommandStatistics();
 * console.log(quantile(statistics.snapshot(), 0.99)); // NaN
 * ```
 */
export function quantile(statistics: TimeStatistics, share: number): number {
  const { count, min, max, sketch } = checkStatistics(statistics, "statistics");
  if (typeof share !== "number") throw typeError("share", "a number from 0 to 1", share);
  if (!(share >= 0 && share <= 1)) throw rangeError("share", "from 0 to 1", share);
  if (count === 0) return Number.NaN;
  if (share === 0) return min;
  if (share === 1) return max;
  return clamp(quantileOf(sketch, count, share), min, max);
}

/**
 * Returns the combined statistics of several kernels, queues or threads, the same as recording all commands together,
 * apart from rounding of the standard deviation.
 */
export function mergeTimeStatistics(...statistics: readonly TimeStatistics[]): TimeStatistics {
  for (const [i, entry] of statistics.entries()) checkStatistics(entry, `statistics[${i}]`);
  const queueDelay = { count: 0, total: 0, max: 0 };
  const submitDelay = { count: 0, total: 0, max: 0 };
  // Updated in place, so that merging twenty kernels takes less time than a launch.
  const sums = { count: 0, failed: 0, untimed: 0, total: 0, min: Infinity, max: 0, squares: 0, bytes: 0 };
  for (const entry of statistics) {
    sums.failed += entry.failed;
    sums.untimed += entry.untimed;
    addDelay(queueDelay, entry.queueDelay);
    addDelay(submitDelay, entry.submitDelay);
    sums.bytes += entry.bytes;
    // Skip undefined values, which are NaN, or null after JSON.
    if (entry.count === 0) continue;
    const count = sums.count + entry.count;
    const difference = sums.count === 0 ? 0 : entry.total / entry.count - sums.total / sums.count;
    sums.squares += entry.std ** 2 * entry.count + (difference ** 2 * sums.count * entry.count) / count;
    sums.count = count;
    sums.total += entry.total;
    sums.min = Math.min(sums.min, entry.min);
    sums.max = Math.max(sums.max, entry.max);
  }
  return timeStatistics({ ...sums, queueDelay, submitDelay, sketch: mergeSketches(statistics) });
}

function addDelay(sum: { count: number; total: number; max: number }, entry: DelayStatistics): void {
  sum.count += entry.count;
  sum.total += entry.total;
  if (entry.count > 0) sum.max = Math.max(sum.max, entry.max);
}

/** Throws unless `value` is valid: it may come from a file or another thread. */
function checkStatistics(value: TimeStatistics, name: string): TimeStatistics {
  if (value === undefined) throw typeError(name, "TimeStatistics, as returned by snapshot()", value);
  const { count, failed, untimed, total, std, min, max, bytes } = checkObject(value, name);
  const isValid =
    isAmount(count) &&
    isAmount(failed) &&
    isAmount(untimed) &&
    isAmount(total) &&
    isAmount(bytes) &&
    // NaN or null for no commands.
    (count === 0 || (isAmount(std) && isAmount(min) && isAmount(max))) &&
    isDelay(value.queueDelay) &&
    isDelay(value.submitDelay);
  if (!isValid) throw typeError(name, "TimeStatistics, as returned by snapshot()", value);
  checkSketch(value.sketch, `${name}.sketch`);
  return value;
}

function isDelay(delay: DelayStatistics | undefined): boolean {
  if (typeof delay !== "object" || delay === null) return false;
  return isAmount(delay.count) && isAmount(delay.total) && (delay.count === 0 || isAmount(delay.max));
}

function isAmount(value: unknown): boolean {
  return typeof value === "number" && value >= 0 && value < Infinity;
}
