/** What is known of many commands' times, as a plain object; and what becomes of several of them together. */
import { checkObject, rangeError, typeError } from "@cl/base";

import { checkSketch, mergeSketches, quantileOf, type TimeSketch } from "./sketch.js";

/** A delay, in nanoseconds. */
export interface DelayStatistics {
  /** Commands for which the driver gave it. */
  readonly count: number;
  /** All of them together. */
  readonly total: number;
  /** Their mean. */
  readonly mean: number;
  /** The longest. */
  readonly max: number;
}

/**
 * Statistics of commands, a plain object that can be posted to other threads and written as JSON. Times are from the start
 * to the end on the device, in nanoseconds. What has no value, such as the mean of no commands, is NaN, and null in JSON.
 */
export interface TimeStatistics {
  /** Commands that were timed. */
  readonly count: number;
  /** Commands that failed. */
  readonly failed: number;
  /** Commands that completed, and of which the driver gives no times. */
  readonly untimed: number;
  /** The sum of the times. */
  readonly total: number;
  readonly mean: number;
  /** The standard deviation of these commands, not an estimate for others. */
  readonly std: number;
  readonly min: number;
  readonly max: number;
  /** The median, to 1 %. */
  readonly p50: number;
  /** Which 95 % of the commands did not exceed, to 1 %. */
  readonly p95: number;
  /** From the call that enqueued a command until the driver handed it to the device. */
  readonly queueDelay: DelayStatistics;
  /** From there until it started. */
  readonly submitDelay: DelayStatistics;
  /** What the timed commands moved, as far as it was declared. */
  readonly bytes: number;
  /** Billions of bytes a second, NaN if no bytes were declared. */
  readonly gbPerSecond: number;
  /** The distribution, of which other quantiles can be had: {@link quantile}. */
  readonly sketch: TimeSketch;
}

/** What the derived figures follow from. */
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

/** The whole from what was counted. */
export function timeStatistics(moments: Moments): TimeStatistics {
  const { count, failed, untimed, total, min, max, squares, bytes, sketch } = moments;
  const any = count > 0;
  return {
    count,
    failed,
    untimed,
    total,
    mean: any ? total / count : Number.NaN,
    std: any ? Math.sqrt(squares / count) : Number.NaN,
    min: any ? min : Number.NaN,
    max: any ? max : Number.NaN,
    p50: any ? within(quantileOf(sketch, count, 0.5), min, max) : Number.NaN,
    p95: any ? within(quantileOf(sketch, count, 0.95), min, max) : Number.NaN,
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

/** A bin's middle may lie outside of what was seen. */
function within(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max);
}

/**
 * The time that a share of the commands did not exceed, to 1 %: `quantile(statistics, 0.99)`; NaN if there are none.
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
  return within(quantileOf(sketch, count, share), min, max);
}

/**
 * The statistics of all commands together, whether they are of several kernels, queues or threads: as if all had been
 * counted in one place, but for rounding in the standard deviation.
 */
export function mergeTimeStatistics(...statistics: readonly TimeStatistics[]): TimeStatistics {
  for (const [i, one] of statistics.entries()) checkStatistics(one, `statistics[${i}]`);
  const queueDelay = { count: 0, total: 0, max: 0 };
  const submitDelay = { count: 0, total: 0, max: 0 };
  // Changed in place: a list of twenty kernels is read in less time than a launch takes.
  const all = { count: 0, failed: 0, untimed: 0, total: 0, min: Infinity, max: 0, squares: 0, bytes: 0 };
  for (const one of statistics) {
    all.failed += one.failed;
    all.untimed += one.untimed;
    addDelay(queueDelay, one.queueDelay);
    addDelay(submitDelay, one.submitDelay);
    all.bytes += one.bytes;
    // What has no value stays out: it is NaN here, and null in what was JSON.
    if (one.count === 0) continue;
    const count = all.count + one.count;
    const difference = all.count === 0 ? 0 : one.total / one.count - all.total / all.count;
    all.squares += one.std ** 2 * one.count + (difference ** 2 * all.count * one.count) / count;
    all.count = count;
    all.total += one.total;
    all.min = Math.min(all.min, one.min);
    all.max = Math.max(all.max, one.max);
  }
  return timeStatistics({ ...all, queueDelay, submitDelay, sketch: mergeSketches(statistics) });
}

function addDelay(sum: { count: number; total: number; max: number }, one: DelayStatistics): void {
  sum.count += one.count;
  sum.total += one.total;
  if (one.count > 0) sum.max = Math.max(sum.max, one.max);
}

/** Statistics come from files and other threads, too. */
function checkStatistics(value: TimeStatistics, name: string): TimeStatistics {
  if (value === undefined) throw typeError(name, "statistics, as snapshot() gives them", value);
  const { count, failed, untimed, total, std, min, max, bytes } = checkObject(value, name);
  const right =
    isAmount(count) &&
    isAmount(failed) &&
    isAmount(untimed) &&
    isAmount(total) &&
    isAmount(bytes) &&
    // Of no commands they are NaN, or null.
    (count === 0 || (isAmount(std) && isAmount(min) && isAmount(max))) &&
    isDelay(value.queueDelay) &&
    isDelay(value.submitDelay);
  if (!right) throw typeError(name, "statistics, as snapshot() gives them", value);
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
