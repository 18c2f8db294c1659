/** What tables show: a line for each launcher or command. Snapshots of statistics are such rows. */
import type { CommandKind } from "./trace.js";

/** Statistics of all the runs of one launcher or command. Times are nanoseconds; what has no value is NaN. */
export interface StatisticsRow {
  readonly name: string;
  readonly kind: CommandKind;
  /** The launchers that it is in, the outermost first: `"timestep > advect"`. */
  readonly launcher?: string;
  /** How many runs there were. */
  readonly count: number;
  /** How many of them failed. They are not in the times. */
  readonly failed?: number;
  /** How long all of them ran. */
  readonly total: number;
  /** How long one ran in the mean. */
  readonly mean: number;
  /** The standard deviation of that. */
  readonly std: number;
  readonly min: number;
  readonly max: number;
  /** The median. */
  readonly p50: number;
  /** What 95 of 100 runs did not exceed. */
  readonly p95: number;
  /** The mean time from enqueueing to the driver's handing it to the device. */
  readonly queueDelay?: number;
  /** The mean time from there to the beginning of the run. */
  readonly submitDelay?: number;
  /** The bytes that all runs moved together, where that is known. */
  readonly bytes?: number;
  /** Billions of bytes a second, where `bytes` is known. */
  readonly gbPerSecond?: number;
}
