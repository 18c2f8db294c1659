/** Summarizes traces. */
import { checkTrace } from "./check-trace.js";
import { occupancy } from "./occupancy.js";
import type { Trace } from "./trace.js";

/** The most important numbers of a trace. Times are in nanoseconds. */
export interface TraceSummary {
  /** Time from the first start of a command to the last end. */
  readonly span: number;
  /** Time during which at least one command ran. */
  readonly busy: number;
  /** Number of failed commands. */
  readonly failed: number;
  /** Total number of bytes moved, as far as known. */
  readonly bytes: number;
  /** Gigabytes per second of commands with known bytes; NaN without such commands. */
  readonly gbPerSecond: number;
}

/**
 * Returns the most important numbers of a trace.
 *
 * @example
 * ```ts
 * const { span, busy } = traceSummary({
 *   version: 1, started: "2026-01-01T00:00:00.000Z", origin: 0, hostSpans: [], memory: [], dropped: 0,
 *   queues: [{ id: 0, label: "main", device: "cpu", outOfOrder: false }],
 *   commands: [{ name: "advect", kind: "kernel", queue: 0, queued: 0, submitted: 10, started: 100, ended: 300 }],
 * });
 * console.log(span, busy); // 200 200
 * ```
 */
export function traceSummary(trace: Trace): TraceSummary {
  return summaryOf(checkTrace(trace));
}

/** Returns the same of a trace that has been checked. */
export function summaryOf({ commands }: Trace): TraceSummary {
  let [bytes, moving] = [0, 0];
  for (const command of commands) {
    if (command.bytes === undefined) continue;
    bytes += command.bytes;
    moving += command.ended - command.started;
  }
  const { span, busy } = occupancy(
    Float64Array.from(commands, ({ started }) => started),
    Float64Array.from(commands, ({ ended }) => ended),
  );
  return {
    span,
    busy,
    failed: commands.filter(({ failed }) => failed !== undefined).length,
    bytes,
    gbPerSecond: moving > 0 ? bytes / moving : Number.NaN,
  };
}
