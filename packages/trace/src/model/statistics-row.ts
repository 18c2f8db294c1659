/** Rows of statistics tables. Snapshots of statistics are such rows. */
import type { CommandKind } from "./trace.js";

/** Statistics of a launcher or command. Times are in nanoseconds; missing values are NaN. */
export interface StatisticsRow {
  readonly name: string;
  readonly kind: CommandKind;
  /** Enclosing launchers, outermost first: `"timestep > advect"`. */
  readonly launcher?: string;
  /** Number of runs. */
  readonly count: number;
  /** Number of failed runs, which the times exclude. */
  readonly failed?: number;
  /** Total time. */
  readonly total: number;
  /** Mean time. */
  readonly mean: number;
  /** Standard deviation of the time. */
  readonly std: number;
  readonly min: number;
  readonly max: number;
  /** Median time. */
  readonly p50: number;
  /** 95th percentile of the time. */
  readonly p95: number;
  /** Mean time from enqueuing to submission to the device. */
  readonly queueDelay?: number;
  /** Mean time from submission to start. */
  readonly submitDelay?: number;
  /** Total number of bytes moved, if known. */
  readonly bytes?: number;
  /** Gigabytes per second, if `bytes` is known. */
  readonly gbPerSecond?: number;
  /** Load imbalance of several processes: the maximum divided by the mean, minus 1. */
  readonly imbalance?: number;
  /** The process with the maximum. */
  readonly slowest?: number;
}
