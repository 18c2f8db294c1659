/** Native functions for statistics and traces of commands; see native/profiling/{statistics,trace,harvest}.h. */
import type { Handle } from "./handle.js";

/** Native functions for statistics and traces. Times are in nanoseconds. */
export interface NativeProfile {
  createStatistics(): Handle;
  /** Sets the number of bytes that each later command transfers. */
  setStatisticsBytes(statistics: Handle, bytes: number): void;
  /** Adds or removes an observer that also counts every command. */
  observeStatistics(statistics: Handle, observer: Handle, on: boolean): void;
  /** Sets the statistics that count a kernel's launches on profiling queues; 0 for none. */
  setKernelStatistics(kernel: Handle, statistics: Handle): void;
  /** Sets the statistics that count the list's last command. */
  countLastCommand(list: Handle, statistics: Handle): void;
  pendingCommands(statistics: Handle): number;
  /** Returns the required length of `into`. If `into` is shorter, nothing is written or drained. */
  readStatistics(statistics: Handle, into: Float64Array, drain: boolean): number;
  /** Returns four 64-bit numbers for each of the latest commands. */
  recentCommands(statistics: Handle): Uint8Array;
  hostTime(): number;
  /** Counts a host function that began at `start` and ends now, for the queue of that number. */
  countSpan(statistics: Handle, queue: number, start: number, failed: boolean): void;
  createTrace(capacity: number): Handle;
  traceStatistics(statistics: Handle, trace: Handle, name: number): void;
  readTrace(trace: Handle, drain: boolean): Uint8Array;
  traceDropped(trace: Handle): number;
  queueNumber(queue: Handle): number;
  /** Counts a command when it completes; the queue may be 0. */
  harvestEvent(statistics: Handle, event: Handle, queue: Handle): void;
}
