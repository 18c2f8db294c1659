/** What is known of many commands' times, as a plain object; and what becomes of several of them together. */
import { checkOptions, rangeError, typeError } from "../check.js";
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
    p50: any ? within(quantileOf(sketch, 0.5), min, max) : Number.NaN,
    p95: any ? within(quantileOf(sketch, 0.95), min, max) : Number.NaN,
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
  return within(quantileOf(sketch, share), min, max);
}

/**
 * The statistics of all commands together, whether they are of several kernels, queues or threads: as if all had been
 * counted in one place, but for rounding in the standard deviation.
 */
export function mergeTimeStatistics(...statistics: readonly TimeStatistics[]): TimeStatistics {
  for (const [i, one] of statistics.entries()) checkStatistics(one, `statistics[${i}]`);
  return timeStatistics({ ...statistics.reduce(mergeMoments, nothing), sketch: mergeSketches(statistics) });
}

const noDelay = { count: 0, total: 0, max: 0 };
const nothing: Omit<Moments, "sketch"> = {
  count: 0,
  failed: 0,
  untimed: 0,
  total: 0,
  min: Infinity,
  max: 0,
  squares: 0,
  queueDelay: noDelay,
  submitDelay: noDelay,
  bytes: 0,
};

function mergeMoments(a: typeof nothing, b: TimeStatistics): typeof nothing {
  const count = a.count + b.count;
  // What has no value stays out: it is NaN here, and null in what was JSON.
  const known = b.count > 0;
  const difference = known && a.count > 0 ? b.total / b.count - a.total / a.count : 0;
  return {
    count,
    failed: a.failed + b.failed,
    untimed: a.untimed + b.untimed,
    total: a.total + b.total,
    min: known ? Math.min(a.min, b.min) : a.min,
    max: known ? Math.max(a.max, b.max) : a.max,
    squares: a.squares + (known ? b.std ** 2 * b.count + (difference ** 2 * a.count * b.count) / count : 0),
    queueDelay: mergeDelays(a.queueDelay, b.queueDelay),
    submitDelay: mergeDelays(a.submitDelay, b.submitDelay),
    bytes: a.bytes + b.bytes,
  };
}

function mergeDelays(a: Moments["queueDelay"], b: DelayStatistics): Moments["queueDelay"] {
  return {
    count: a.count + b.count,
    total: a.total + b.total,
    max: b.count > 0 ? Math.max(a.max, b.max) : a.max,
  };
}

/** Statistics come from files and other threads, too. */
function checkStatistics(value: TimeStatistics, name: string): TimeStatistics {
  if (value === undefined) throw typeError(name, "statistics, as snapshot() gives them", value);
  const { count, total, sketch, queueDelay, submitDelay } = checkOptions(value, name);
  const numbers = [count, total, queueDelay?.count, submitDelay?.count];
  if (numbers.some((one) => typeof one !== "number")) {
    throw typeError(name, "statistics, as snapshot() gives them", value);
  }
  checkSketch(sketch, `${name}.sketch`);
  return value;
}
