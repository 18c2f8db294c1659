/** Statistics and traces of commands, natively (native/profiling/statistics.h, native/profiling/trace.h, native/profiling/harvest.h). */
import type { Handle } from "./handle.js";

/** What the addon exports for them. Numbers of times are nanoseconds. */
export interface NativeProfile {
  createStatistics(): Handle;
  /** What each command from now on moves. */
  setStatisticsBytes(statistics: Handle, bytes: number): void;
  /** The observer is told of every command, too; or no longer. */
  observeStatistics(statistics: Handle, observer: Handle, on: boolean): void;
  /** What a kernel's launches on queues with profiling are counted in; 0 for nothing. */
  setKernelStatistics(kernel: Handle, statistics: Handle): void;
  /** What the command that was pushed last is counted in. */
  countLastCommand(list: Handle, statistics: Handle): void;
  pendingCommands(statistics: Handle): number;
  /** Returns how many numbers there are; where they do not fit, nothing is written or emptied. */
  readStatistics(statistics: Handle, into: Float64Array, drain: boolean): number;
  /** Four numbers of 64 bits for each of the latest commands. */
  recentCommands(statistics: Handle): Uint8Array;
  hostTime(): number;
  /** A function on the host that began at `start` and has just ended, for a queue of that number. */
  countSpan(statistics: Handle, queue: number, start: number, failed: boolean): void;
  createTrace(capacity: number): Handle;
  traceStatistics(statistics: Handle, trace: Handle, name: number): void;
  readTrace(trace: Handle, drain: boolean): Uint8Array;
  traceDropped(trace: Handle): number;
  queueNumber(queue: Handle): number;
  /** Counts a command when it has ended; the queue may be 0. */
  harvestEvent(statistics: Handle, event: Handle, queue: Handle): void;
}
